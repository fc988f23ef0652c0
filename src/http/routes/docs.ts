import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Elysia } from 'elysia'
import { transportSecurity } from '../endpoint/headers.ts'
import { apiPage, DOCS_HEADERS, DOCS_ICON, SWAGGER_SCRIPT } from '../pages/docs-page.ts'
import { DOCS_STYLE, SWAGGER_STYLE } from '../pages/docs-style.ts'
import { swaggerDocument } from '../pages/swagger-document.ts'

const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/**
 * The page to read and try the API on. Swagger UI is served from here rather than from
 * somebody's CDN, as the plugin's own page would: a box without the Internet has documents, too.
 */
export function docsRoutes(app: Elysia, publicUrl: string): void {
  const safe = { ...DOCS_HEADERS, ...transportSecurity(publicUrl) }
  const headersOf = (type: string) => ({ ...safe, 'content-type': type })
  const mount = (path: string, type: string, body: () => BodyInit | Promise<BodyInit>) =>
    app.get(
      `/docs${path}`,
      async () => new Response(await body(), { headers: headersOf(type) }),
      HIDDEN,
    )

  mount('', HTML, apiPage)
  mount('/start.js', SCRIPT, () => SWAGGER_SCRIPT)
  mount('/style.css', STYLES, () => DOCS_STYLE)
  mount('/try-it.css', STYLES, () => SWAGGER_STYLE)
  mount('/icon.svg', 'image/svg+xml', () => DOCS_ICON)
  for (const [name, type] of FILES) {
    const file = Bun.file(join(SWAGGER_UI, name))
    const headers = { ...headersOf(type), 'cache-control': 'public, max-age=86400' }
    app.get(`/docs/${name}`, () => new Response(file, { headers }), HIDDEN)
  }

  let document: Promise<string> | undefined
  mount('/openapi.json', 'application/json', () => {
    document ??= tryIt(app)
    return document
  })
}

/** The document as it is served to everyone, made over for the page. */
async function tryIt(app: Elysia): Promise<string> {
  const answer = await app.handle(new Request('http://localhost/openapi.json'))
  return JSON.stringify(swaggerDocument(await answer.json()))
}

const HIDDEN = { detail: { hide: true } }
const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLES = 'text/css; charset=utf-8'

const FILES = [
  ['swagger-ui.css', STYLES],
  ['swagger-ui-bundle.js', SCRIPT],
] as const

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Elysia } from 'elysia'
import { transportSecurity } from '../endpoint/headers.ts'
import type { Pipeline } from '../endpoint/pipeline.ts'
import { apiPage, DOCS_HEADERS, DOCS_ICON, SWAGGER_SCRIPT } from '../pages/docs-page.ts'
import { DOCS_STYLE, SWAGGER_STYLE } from '../pages/docs-style.ts'
import { swaggerDocument } from '../pages/swagger-document.ts'

const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/** The API reference. Swagger UI is served from here, not from a CDN, so that it works offline. */
export function docsRoutes(pipeline: Pipeline, app: Elysia, publicUrl: string): void {
  const safe = { ...DOCS_HEADERS, ...transportSecurity(publicUrl) }
  const cached = { 'cache-control': 'public, max-age=86400' }

  function mount(
    path: string,
    type: string,
    body: () => BodyInit | Promise<BodyInit>,
    more: Record<string, string> = {},
  ): void {
    const headers = { ...safe, ...more, 'content-type': type }
    const respond = async () => new Response(await body(), { headers })
    pipeline.mountPage(`/docs${path}`, respond, { label: 'GET docs' })
  }

  mount('', HTML, apiPage)
  mount('/start.js', SCRIPT, () => SWAGGER_SCRIPT)
  mount('/style.css', STYLES, () => DOCS_STYLE)
  mount('/try-it.css', STYLES, () => SWAGGER_STYLE)
  mount('/icon.svg', 'image/svg+xml', () => DOCS_ICON)
  mount('/swagger-ui.css', STYLES, swaggerFile('swagger-ui.css'), cached)
  mount('/swagger-ui-bundle.js', SCRIPT, swaggerFile('swagger-ui-bundle.js'), cached)
  let document: Promise<string> | undefined
  mount('/openapi.json', 'application/json', () => {
    document ??= renderDocument(app)
    return document
  })
}

function swaggerFile(name: string) {
  return () => Bun.file(join(SWAGGER_UI, name))
}

/** The public document, adapted to Swagger UI. */
async function renderDocument(app: Elysia): Promise<string> {
  const response = await app.handle(new Request('http://localhost/openapi.json'))
  return JSON.stringify(swaggerDocument(await response.text()))
}

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLES = 'text/css; charset=utf-8'

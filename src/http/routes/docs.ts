import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Elysia } from 'elysia'
import { transportSecurity } from '../headers.ts'

const SWAGGER_UI = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))

/**
 * The page to read and try the API on. Swagger UI is served from here rather than from somebody's
 * CDN, as the plugin's own page would: a box without the Internet has documents, too.
 */
export function docsRoutes(app: Elysia, publicUrl: string): void {
  const safe = { ...SAFE, ...transportSecurity(publicUrl) }
  app.get('/docs', () => new Response(PAGE, { headers: { ...safe, 'content-type': HTML } }), HIDDEN)
  for (const [name, type] of FILES) {
    const file = Bun.file(join(SWAGGER_UI, name))
    const headers = { ...safe, 'content-type': type, 'cache-control': 'public, max-age=86400' }
    app.get(`/docs/${name}`, () => new Response(file, { headers }), HIDDEN)
  }
  const headers = { ...safe, 'content-type': 'text/javascript; charset=utf-8' }
  app.get('/docs/start.js', () => new Response(START, { headers }), HIDDEN)
}

const HIDDEN = { detail: { hide: true } }
const HTML = 'text/html; charset=utf-8'

const FILES = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
] as const

const SAFE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Swagger UI writes style attributes; scripts and connections are ours alone.
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cardstock API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main id="api"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
})
`

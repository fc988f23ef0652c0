import { type Html, html } from './html.ts'

/** Content of a documentation page. */
export type DocsPage = {
  title: string
  /** Current link in the header. */
  here: 'api' | 'guides'
  main: Html
  /** Additional files. */
  styles?: readonly string[]
  scripts?: readonly string[]
}

/** Renders a documentation page. All files come from this server. */
export function docsPage({ title, here, main, styles = [], scripts = [] }: DocsPage): string {
  const current = (name: DocsPage['here']) =>
    name === here ? html` aria-current="page"` : undefined
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Cardstock</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
${['/docs/style.css', ...styles].map((path) => html`<link rel="stylesheet" href="${path}">`)}
</head>
<body>
<header class="top">
<a class="brand" href="/">Cardstock</a>
<nav aria-label="Documentation">
<a href="/docs"${current('api')}>API</a>
<a href="/guides"${current('guides')}>Guides</a>
<a href="/openapi.json">openapi.json</a>
</nav>
</header>
${main}
${scripts.map((path) => html`<script src="${path}"></script>`)}
</body>
</html>
`.html
}

/** Renders the API explorer. */
export function apiPage(): string {
  return docsPage({
    title: 'API',
    here: 'api',
    main: html`<main>
<section class="intro">
<h1>API</h1>
<p>Try every endpoint in the browser. Press <b>Authorize</b> and paste a key. Requests count against its quota.
Account endpoints need a session: run <code>POST /v1/auth/login</code> first, which sets a cookie.</p>
</section>
<div id="api"></div>
</main>`,
    styles: ['/docs/try-it.css'],
    scripts: ['/docs/swagger-ui-bundle.js', '/docs/start.js'],
  })
}

/** Starts Swagger UI. Keys stay in memory, and no request goes to its makers. */
export const SWAGGER_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', paint)
paint()
SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
})
`

export const DOCS_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="5" y="6" width="15" height="21" rx="3" fill="#8dc1ea" transform="rotate(-12 12 16)"/>
<rect x="11" y="5" width="16" height="22" rx="3" fill="#24557a"/>
</svg>
`

/** Headers of documentation pages, except for their type. */
export const DOCS_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Swagger UI embeds images in its style sheet.
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
}

import { type Html, html } from './html.ts'

/** What a page of documents shows. */
export type DocsPage = {
  title: string
  /** Which of the links in the header leads here. */
  here: 'api' | 'guides'
  main: Html
  /** Addresses of what it loads beside the look of all documents. */
  styles?: readonly string[]
  scripts?: readonly string[]
}

/** A page of documents as text: everything that it loads is ours. */
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
<nav aria-label="Documents">
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

/** The page on which each endpoint can be tried. */
export function apiPage(): string {
  return docsPage({
    title: 'API',
    here: 'api',
    main: html`<main>
<section class="intro">
<h1>API</h1>
<p>Every endpoint can be tried here. Press <b>Authorize</b> and paste a key; what you execute counts against its quota.
Endpoints of accounts take a session: execute <code>POST /v1/auth/login</code>, and your browser keeps the cookie.</p>
</section>
<div id="api"></div>
</main>`,
    styles: ['/docs/try-it.css'],
    scripts: ['/docs/swagger-ui-bundle.js', '/docs/start.js'],
  })
}

/** Starts Swagger UI. Keys are kept in memory alone, and nothing is asked of its makers' machines. */
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

/** The headers of pages of documents, but for their type. */
export const DOCS_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Swagger UI has its pictures within its styles.
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

import { type DocsFilePath, docsFileUrl } from './docs-files.ts'
import { type Html, html } from './html.ts'

/** Content of a documentation page. */
export type DocsPage = {
  title: string
  /** Current link in the header. */
  here: 'api' | 'guides'
  main: Html
  /** Additional files. */
  styles?: readonly DocsFilePath[]
  scripts?: readonly DocsFilePath[]
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
<link rel="icon" href="${docsFileUrl('/docs/icon.svg')}" type="image/svg+xml">
${(['/docs/style.css', ...styles] as const).map((path) => html`<link rel="stylesheet" href="${docsFileUrl(path)}">`)}
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
${scripts.map((path) => html`<script src="${docsFileUrl(path)}"></script>`)}
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

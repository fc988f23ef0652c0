import { renderDocument } from './document-page.ts'
import { html } from './html.ts'
import { contentPolicy } from './page-head.ts'

/** Renders the API reference: Swagger UI in the frame of all pages. */
export function renderApiPage(): Promise<string> {
  return renderDocument({
    title: 'API reference',
    here: '/docs',
    main: html`<div class="api-intro">
<h1>API reference</h1>
<p class="api-lead">Try every endpoint in the browser. Select <b>Authorize</b> and paste a key; requests count against its quota.
Account endpoints need a session: run <code>POST /v1/auth/login</code> first, which sets a cookie.
Programs can read <a href="/openapi.json">openapi.json</a>.</p>
<div class="field">
<label for="api-filter">Filter endpoints</label>
<input class="input" id="api-filter" type="search" autocomplete="off" placeholder="Path, method or word, such as history">
<p class="field-note" id="api-filter-status" role="status"></p>
</div>
</div>
<h2 class="visually-hidden">Endpoints</h2>
<div id="api"></div>`,
    styles: ['/docs/try-it.css'],
    scripts: ['/docs/swagger-ui-bundle.js', '/docs/start.js'],
  })
}

/** Headers of documentation pages, except for their type. */
export const DOCS_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': contentPolicy({
    // Swagger UI embeds images in its style sheet.
    'img-src': "'self' data:",
    'connect-src': "'self'",
    // The search of the guides.
    'form-action': "'self'",
  }),
}

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
<p class="api-lead">Try every endpoint in the browser; requests count against your quota. The samples follow the fields.
Programs can read <a href="/openapi.json">openapi.json</a>.</p>
<p class="for-visitor">Without a key, you can read what visitors can. Everything else needs your session: <a href="/login?to=/docs">log in</a>,
or select <b>Authorize</b> and paste a key.</p>
<div class="row for-account">
<p>You are logged in: requests need no key. Samples read it from <code>KEY</code>, because the server stores no key that it could fill in.</p>
<button class="button" id="api-key" type="button">Create a key for this page</button>
<p class="field-note">Its name is “API reference”. It replaces the last one of that name.</p>
<p id="api-key-status" role="status"></p>
</div>
</div>
<h2 class="visually-hidden">Endpoints</h2>
<div id="api"></div>`,
    styles: ['/docs/try-it.css'],
    scripts: ['/docs/swagger-ui-bundle.js'],
    modules: ['/docs/start.js'],
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

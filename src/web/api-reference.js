// Shows the API document with Swagger UI. Keys stay in memory, and no request goes to its makers.
import { offerKey } from './api-key.js'
import { RequestSnippets, withSamples } from './api-sample-view.js'
import { SAMPLE_GENERATORS, sampleFunctions } from './api-samples.js'
import { Sidebar } from './api-sidebar.js'

const root = document.documentElement
const scheme = matchMedia('(prefers-color-scheme: dark)')

function applyTheme() {
  const { theme } = root.dataset
  root.classList.toggle('dark-mode', theme === 'dark' || (theme !== 'light' && scheme.matches))
}

applyTheme()
scheme.addEventListener('change', applyTheme)
new MutationObserver(applyTheme).observe(root, { attributeFilter: ['data-theme'] })

/** Keeps the endpoints whose method, path, summary and tag contain every word. */
function filterEndpoints(tags, phrase) {
  const words = phrase.toLowerCase().split(/\s+/)
  const matches = (operation, tag) => {
    const summary = operation.getIn(['operation', 'summary'], '')
    const text = `${operation.get('method')} ${operation.get('path')} ${summary} ${tag}`
    return words.every((word) => text.toLowerCase().includes(word))
  }
  return tags
    .map((tag, name) =>
      tag.update('operations', (list) => list.filter((one) => matches(one, name))),
    )
    .filter((tag) => tag.get('operations').size > 0)
}

/** Replaces links in buttons, which the keyboard cannot reach. */
function DeepLink({ text }) {
  return text
}

/** Replaces the command beside an answer: the samples stand above it. */
function NoCommand() {
  return null
}

/** Swagger UI's own layout has a second <main>, no list of endpoints, and a filter that only knows tags. */
function PageLayout({ React, getComponent, specSelectors, layoutSelectors }) {
  const { createElement } = React
  const state = specSelectors.loadingStatus()
  if (state === 'failed') return 'The API document could not be loaded. Reload the page.'
  if (state !== 'success') return 'Loading…'
  const container = (name) => createElement(getComponent(name, true))
  return createElement(
    'div',
    { className: 'guides api' },
    container('Sidebar'),
    createElement(
      'div',
      { className: 'swagger-ui' },
      createElement(getComponent('SvgAssets')),
      container('AuthorizeBtnContainer'),
      container('operations'),
      // The filter is for endpoints.
      ...(typeof layoutSelectors.currentFilter() === 'string'
        ? []
        : [
            container('Webhooks'),
            // The heading of the schemas skips a level.
            createElement('h3', { className: 'visually-hidden' }, 'Schemas'),
            container('Models'),
          ]),
    ),
  )
}

/** Sends requests without a key as the dashboard does: with the session, or as those of a visitor. */
function sendAsPage(request) {
  if (!request.loadSpec && !request.headers['X-API-Key']) request.headers['X-Cardstock-Page'] = '1'
  return request
}

const ui = SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#api',
  layout: 'PageLayout',
  plugins: [
    {
      fn: { opsFilter: filterEndpoints, ...sampleFunctions },
      components: { DeepLink, PageLayout, RequestSnippets, Sidebar, curl: NoCommand },
      wrapComponents: { responses: withSamples },
    },
  ],
  // Swagger UI adds its own generators.
  requestSnippets: { generators: SAMPLE_GENERATORS, languages: Object.keys(SAMPLE_GENERATORS) },
  requestInterceptor: sendAsPage,
  deepLinking: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  syntaxHighlight: { theme: 'tomorrow-night' },
})

offerKey((key) => ui.preauthorizeApiKey('key', key))

// Swagger UI's lists of values and fields for files have no labels, and the keyboard cannot scroll its examples.
new MutationObserver(() => {
  for (const row of document.querySelectorAll('#api tr[data-param-name]')) {
    const list = row.querySelector('select:not([aria-label])')
    list?.setAttribute('aria-label', row.dataset.paramName)
  }
  for (const file of document.querySelectorAll('#api input[type="file"]:not([aria-label])')) {
    file.setAttribute('aria-label', 'File')
  }
  for (const code of document.querySelectorAll('#api .microlight:not([tabindex])'))
    code.tabIndex = 0
}).observe(document.querySelector('#api'), { childList: true, subtree: true })

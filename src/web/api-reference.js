// Shows the API document with Swagger UI. Keys stay in memory, and no request goes to its makers.
const root = document.documentElement
const scheme = matchMedia('(prefers-color-scheme: dark)')

function applyTheme() {
  const { theme } = root.dataset
  root.classList.toggle('dark-mode', theme === 'dark' || (theme !== 'light' && scheme.matches))
}

applyTheme()
scheme.addEventListener('change', applyTheme)
new MutationObserver(applyTheme).observe(root, { attributeFilter: ['data-theme'] })

const field = document.querySelector('#api-filter')
const status = document.querySelector('#api-filter-status')

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

/** Swagger UI's own layout has a second <main>, and a filter that only knows tags. */
function PageLayout({ React, getComponent, specSelectors, layoutSelectors }) {
  const { createElement } = React
  const filter = layoutSelectors.currentFilter()
  const count = countEndpoints(specSelectors.taggedOperations(), filter)
  React.useEffect(() => {
    status.textContent = typeof filter === 'string' ? countText(count) : ''
  }, [filter, count])
  const state = specSelectors.loadingStatus()
  if (state === 'failed') return 'The API document could not be loaded. Reload the page.'
  if (state !== 'success') return 'Loading…'
  const container = (name) => createElement(getComponent(name, true))
  return createElement(
    'div',
    { className: 'swagger-ui' },
    createElement(getComponent('SvgAssets')),
    container('AuthorizeBtnContainer'),
    container('operations'),
    // The filter is for endpoints.
    ...(typeof filter === 'string'
      ? []
      : [
          container('Webhooks'),
          // The heading of the schemas skips a level.
          createElement('h3', { className: 'visually-hidden' }, 'Schemas'),
          container('Models'),
        ]),
  )
}

function countEndpoints(tags, filter) {
  const shown = typeof filter === 'string' ? filterEndpoints(tags, filter) : tags
  return shown.reduce((sum, tag) => sum + tag.get('operations').size, 0)
}

function countText(count) {
  return count === 1 ? '1 endpoint' : `${count} endpoints`
}

const ui = SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#api',
  layout: 'PageLayout',
  plugins: [{ fn: { opsFilter: filterEndpoints }, components: { DeepLink, PageLayout } }],
  deepLinking: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  syntaxHighlight: { theme: 'tomorrow-night' },
})

// Swagger UI shows everything for `true`.
field.addEventListener('input', () => ui.layoutActions.updateFilter(field.value.trim() || true))

// Swagger UI's lists of values have no labels.
new MutationObserver(() => {
  for (const row of document.querySelectorAll('#api tr[data-param-name]')) {
    const list = row.querySelector('select:not([aria-label])')
    list?.setAttribute('aria-label', row.dataset.paramName)
  }
}).observe(document.querySelector('#api'), { childList: true, subtree: true })

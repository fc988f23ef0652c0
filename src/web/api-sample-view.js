// Shows the code samples of an operation above its answers, and reads the request that they send.

/** Adds the samples to the answers of an operation. Those of a webhook have none: the service sends it. */
export function withSamples(Responses, { React }) {
  const { createElement, Fragment } = React
  return function ResponsesWithSamples(props) {
    const { specPath, getComponent } = props
    const request = specPath.first() === 'paths' ? readRequest(props) : undefined
    return createElement(
      Fragment,
      null,
      request && createElement(getComponent('RequestSnippets', true), { request }),
      createElement(Responses, props),
    )
  }
}

/** Replaces Swagger UI's own, whose tabs the keyboard cannot reach. All operations show the same language. */
export function RequestSnippets({ React, request, requestSnippetsSelectors, ...system }) {
  const { layoutSelectors, layoutActions } = system
  const { createElement, useRef, useState } = React
  const code = useRef(null)
  const [message, setMessage] = useState('')
  const generators = requestSnippetsSelectors.getSnippetGenerators()
  const chosen = layoutSelectors.whatMode(['samples'], generators.keySeq().first())
  const text = generators.getIn([chosen, 'fn'])(request)
  const choose = (language) => {
    setMessage('')
    layoutActions.changeMode(['samples'], language)
  }
  const buttons = generators.entrySeq().map(([language, generator]) =>
    createElement(
      'button',
      {
        key: language,
        type: 'button',
        'aria-pressed': language === chosen,
        onClick: () => choose(language),
      },
      generator.get('title'),
    ),
  )
  /** Browsers have no clipboard API over plain HTTP: there the text is selected instead. */
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setMessage('Copied')
    } catch {
      getSelection()?.selectAllChildren(code.current)
      setMessage('Selected. Copy it with your keyboard.')
    }
  }
  return createElement(
    'section',
    { className: 'api-samples', 'aria-label': 'Code samples' },
    createElement(
      'div',
      { className: 'row' },
      createElement(
        'div',
        { className: 'switch', role: 'group', 'aria-label': 'Language' },
        buttons,
      ),
      createElement('button', { type: 'button', className: 'button', onClick: copy }, 'Copy'),
      createElement('span', { className: 'small soft', role: 'status' }, message),
    ),
    createElement('pre', { tabIndex: 0, ref: code }, createElement('code', null, text)),
  )
}

/**
 * Reads the request of an operation as its fields are.
 *
 * @returns {import('./api-samples.js').SampleRequest | undefined} undefined until Swagger UI has read the operation
 */
function readRequest({ path, method, specSelectors, authSelectors, oas3Selectors }) {
  const operation = specSelectors.specResolvedSubtree(['paths', path, method])
  if (operation === undefined) return undefined
  const values = specSelectors.parameterValues([path, method])
  const [pathValues, query] = [{}, {}]
  for (const parameter of operation.get('parameters', [])) {
    const { name, in: place, required, schema } = parameter.toJS()
    const given = values.get(`${place}.${name}`)
    const isEmpty = given === undefined || given === '' || given === schema.default
    if (isEmpty && !required) continue
    const value = isEmpty ? `{${name}}` : given
    const typed = schema.type === 'string' || Number.isNaN(Number(value)) ? value : Number(value)
    if (place === 'path') pathValues[name] = typed
    if (place === 'query') query[name] = typed
  }
  const security = operation.get('security') ?? specSelectors.security()
  const access = operation.get('x-session')
    ? 'session'
    : security.some((scheme) => scheme.has('key'))
      ? 'key'
      : 'none'
  return {
    origin: location.origin,
    method: method.toUpperCase(),
    path,
    pathValues,
    query,
    access,
    key: authSelectors.authorized().getIn(['key', 'value']),
    body: readBody(operation, oas3Selectors, [path, method]),
    isJson: query.format !== 'csv' && hasData(operation),
  }
}

/** Returns true if the answers of an operation have `data`; files have not, whatever their type is. */
function hasData(operation) {
  const data = ['content', 'application/json', 'schema', 'properties', 'data']
  return operation
    .get('responses')
    .some((response, status) => status < '300' && response.hasIn(data))
}

/** @returns {import('./api-samples.js').SampleBody | undefined} */
function readBody(operation, oas3Selectors, place) {
  const formats = operation.getIn(['requestBody', 'content'])
  if (formats === undefined) return undefined
  const type = oas3Selectors.requestContentType(...place) ?? formats.keySeq().first()
  const given = oas3Selectors.requestBodyValue(...place)
  if (type === 'multipart/form-data') {
    const field = formats.getIn([type, 'schema', 'required'])?.first()
    const value = given?.get?.(field)
    const file = value?.get?.('value') ?? value
    const plainType = formats.keySeq().find((one) => /^(image|text)\//.test(one))
    return { type, field, file: file instanceof File ? file.name : fileOf(plainType), plainType }
  }
  if (given instanceof File) return { type, file: given.name }
  const text = given ?? oas3Selectors.selectDefaultRequestBodyValue(...place)
  if (typeof text !== 'string' || text === '') return { type, file: fileOf(type) }
  if (type !== 'application/json') return { type, text }
  try {
    return { type, json: JSON.parse(text) }
  } catch {
    return { type, text }
  }
}

function fileOf(type = '') {
  if (type.startsWith('image/')) return 'photo.jpg'
  return type === 'text/csv' ? 'cards.csv' : 'file'
}

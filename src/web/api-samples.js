// Code samples of an operation: generators of Swagger UI's request snippets, which follow the fields of the operation.

/**
 * A request that samples show.
 *
 * @typedef {object} SampleRequest
 * @property {string} origin
 * @property {string} method
 * @property {string} path as in the API document, such as `/v1/cards/{id}`
 * @property {Record<string, unknown>} pathValues
 * @property {Record<string, unknown>} query
 * @property {'key' | 'session' | 'none'} access
 * @property {string | undefined} key that the page has; without one, samples read KEY
 * @property {SampleBody | undefined} body
 * @property {boolean} isJson false for a file, also for one of JSON: only other answers have `data`
 */

/**
 * @typedef {object} SampleBody
 * @property {string} type
 * @property {unknown} [json]
 * @property {string} [text]
 * @property {string} [file] name of a file
 * @property {string} [field] of a form, which has the file
 * @property {string | undefined} [plainType] type of the file without a form
 */

/** Configures Swagger UI. */
export const SAMPLE_GENERATORS = {
  curl: { title: 'curl', syntax: 'bash' },
  typescript: { title: 'TypeScript', syntax: 'javascript' },
  python: { title: 'Python', syntax: 'python' },
}

export const sampleFunctions = {
  requestSnippetGenerator_curl: renderCurl,
  requestSnippetGenerator_typescript: renderTypeScript,
  requestSnippetGenerator_python: renderPython,
}

/** @param {SampleRequest} request */
function renderCurl(request) {
  const { method, access, body } = request
  const isUsual = method === (body === undefined ? 'GET' : 'POST')
  const parts = [`curl ${isUsual ? '' : `-X ${method} `}"${urlOf(request)}"`]
  if (access === 'key') parts.push(`-H "X-API-Key: ${request.key ?? '$KEY'}"`)
  if (access === 'session') parts.push('-b "session=$SESSION"')
  if (body?.field !== undefined) parts.push(`-F ${body.field}=@${shellText(formFile(body.file))}`)
  else if (body !== undefined) {
    parts.push(`-H "Content-Type: ${body.type}"`)
    if (body.file !== undefined) parts.push(`--data-binary @${shellText(body.file)}`)
    // --data-binary would read a file if the text began with @.
    else parts.push(`--data-raw ${shellText(body.text ?? JSON.stringify(body.json))}`)
  }
  return parts.join(' \\\n  ')
}

/** @param {SampleRequest} request */
function renderTypeScript(request) {
  const { method, path, pathValues, query, access, body, isJson } = request
  const options = [`baseUrl: ${typeScript(request.origin)}`]
  if (access === 'key')
    options.push(`key: ${request.key ? typeScript(request.key) : 'process.env.KEY'}`)
  if (access === 'session') {
    options.push('headers: { Cookie: `session=$' + '{process.env.SESSION}` }')
  }
  const input = []
  if (Object.keys(pathValues).length > 0) input.push(`path: ${typeScript(pathValues, '  ')}`)
  if (Object.keys(query).length > 0) input.push(`query: ${typeScript(query, '  ')}`)
  const before = []
  if (body?.field !== undefined) {
    before.push(
      'const body = new FormData()',
      `body.append(${typeScript(body.field)}, new Blob([await readFile(${typeScript(body.file)})]), ${typeScript(body.file)})`,
    )
    input.push('body')
  } else if (body?.file !== undefined || body?.text !== undefined) {
    const content =
      body.file === undefined ? typeScript(body.text) : `await readFile(${typeScript(body.file)})`
    before.push(`const body = new Blob([${content}], { type: ${typeScript(body.type)} })`)
    input.push('body')
  } else if (body !== undefined) input.push(`body: ${typeScript(body.json, '  ')}`)
  const argument = input.length === 0 ? '' : `, {\n  ${input.join(',\n  ')},\n}`
  const [found, shown] = isJson ? ['{ data }', 'data'] : ['file', 'await file.text()']
  return [
    ...(body?.file === undefined ? [] : ["import { readFile } from 'node:fs/promises'"]),
    "import { openClient } from 'cardstock/client'",
    '',
    `const client = openClient({\n  ${options.join(',\n  ')},\n})`,
    ...before,
    `const ${found} = await client.${method.toLowerCase()}(${typeScript(path)}${argument})`,
    `console.log(${shown})`,
  ].join('\n')
}

/** @param {SampleRequest} request */
function renderPython(request) {
  const { method, access, body, isJson } = request
  const type = body?.plainType ?? body?.type
  const headers = []
  if (access === 'key') {
    headers.push(`"X-API-Key": ${request.key ? python(request.key) : 'os.environ["KEY"]'}`)
  }
  if (access === 'session') headers.push('"Cookie": "session=" + os.environ["SESSION"]')
  if (type !== undefined) headers.push(`"Content-Type": ${python(type)}`)
  const options = [python(urlOf(request)), `method=${python(method)}`]
  if (headers.length > 0) options.push(`headers={${headers.join(', ')}}`)
  if (body?.file !== undefined) options.push(`data=open(${python(body.file)}, "rb").read()`)
  else if (body?.text !== undefined) options.push(`data=${python(body.text)}.encode()`)
  else if (body !== undefined)
    options.push(`data=json.dumps(${python(body.json, '    ')}).encode()`)
  return [
    'import json, os',
    'from urllib.request import Request, urlopen',
    '',
    `request = Request(\n    ${options.join(',\n    ')},\n)`,
    'with urlopen(request) as response:',
    `    print(${isJson ? 'json.load(response)["data"]' : 'response.read()'})`,
  ].join('\n')
}

/** @param {SampleRequest} request */
function urlOf({ origin, path, pathValues, query }) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (name, member) => encode(pathValues[member] ?? name))
  const fields = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`)
  return `${origin}${filled}${fields.length === 0 ? '' : `?${fields.join('&')}`}`
}

/** Leaves names of missing values in braces, and escapes what a shell would read. */
function encode(value) {
  const text = String(value)
  if (/^\{\w+\}$/.test(text)) return text
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => {
    return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

/** curl gives some characters in the name of a file of a form a meaning, unless the name is in quotes. */
function formFile(name) {
  return /[;,"\\]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
}

function shellText(text) {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

const typeScript = (value, indent = '') => literal(value, TYPE_SCRIPT, indent)
const python = (value, indent = '') => literal(value, PYTHON, indent)

const TYPE_SCRIPT = {
  step: '  ',
  text: (text) => (/^[^'\\\n\r\t]*$/.test(text) ? `'${text}'` : JSON.stringify(text)),
  name: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)),
  word: String,
  open: '{ ',
  close: ' }',
}

const PYTHON = {
  step: '    ',
  text: JSON.stringify,
  name: JSON.stringify,
  word: (value) => ({ true: 'True', false: 'False', null: 'None' })[value] ?? String(value),
  open: '{',
  close: '}',
}

/** Prints a value of JSON in a language, on one line if it is short. */
function literal(value, language, indent) {
  if (typeof value === 'string') return language.text(value)
  if (typeof value !== 'object' || value === null) return language.word(value)
  const inner = indent + language.step
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => literal(one, language, inner))
    : Object.entries(value).map(
        ([name, one]) => `${language.name(name)}: ${literal(one, language, inner)}`,
      )
  const [open, close] = isList ? ['[', ']'] : [language.open, language.close]
  const line = parts.length === 0 ? open.trim() + close.trim() : open + parts.join(', ') + close
  if (line.length <= 72 && !line.includes('\n')) return line
  return `${open.trim()}\n${parts.map((part) => inner + part).join(',\n')},\n${indent}${close.trim()}`
}

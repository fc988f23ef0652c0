import { isRecord } from '#rules/primitives/json-record.ts'

/**
 * The API document as the page that tries it needs it, a copy: it sends to the origin that the page
 * came from, offers no field that a browser would not send, and fills forms with what can be sent.
 */
export function swaggerDocument(document: unknown): object {
  const copy = withChoices(document)
  if (!isRecord(copy)) throw new Error('the API document is no object')
  const { paths, components, ...rest } = copy
  return {
    ...rest,
    // PUBLIC_URL may be another name of this machine, which the page's own policy would not let it ask.
    servers: [{ url: '/' }],
    components: { ...record(components), securitySchemes: { key: KEY } },
    paths: mapped(paths, (methods) => mapped(methods, operation)),
  }
}

const KEY = {
  type: 'apiKey',
  in: 'header',
  name: 'X-API-Key',
  description:
    'An API key, `tcg_live_…`. It stays in this page until it is closed or loaded anew. To get one here: execute `POST /v1/auth/register`, `POST /v1/auth/login`, then `POST /v1/keys`.',
}

function operation(value: unknown): object {
  const { security, requestBody, responses, ...rest } = record(value)
  return {
    ...rest,
    // A page cannot set a cookie that scripts may not see; the browser sends it by itself.
    security: [security].flat().filter((way) => 'key' in record(way)),
    ...(requestBody === undefined ? {} : { requestBody: withBareForm(requestBody) }),
    responses: withOneFailure(responses),
  }
}

/**
 * A form without what may be left out: the page would send its own examples of that, and whatever may
 * stand beside a file may stand in the query, too.
 */
function withBareForm(requestBody: unknown): object {
  const { content, ...rest } = record(requestBody)
  return {
    ...rest,
    content: mapped(content, (body, type) => {
      if (type !== 'multipart/form-data') return record(body)
      const { properties, ...form } = record(record(body).schema)
      const needed = new Set([form.required].flat())
      const left = Object.entries(record(properties)).filter(([name]) => needed.has(name))
      return { schema: { ...form, properties: Object.fromEntries(left) } }
    }),
  }
}

/** All failures have one shape: it is shown once. */
function withOneFailure(responses: unknown): object {
  const shown = Object.keys(record(responses)).find((status) => status >= '400')
  return mapped(responses, (response, status) => {
    const { content, ...rest } = record(response)
    return status < '400' || status === shown ? record(response) : rest
  })
}

/** Lists of words as the page makes menus of them, and without patterns, of which it makes noise. */
function withChoices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withChoices)
  if (!isRecord(value)) return value
  const { anyOf, pattern, const: only, ...rest } = value
  const words = Array.isArray(anyOf) ? anyOf.map((one) => record(one).const) : [only]
  const isChoice = words.every((word) => typeof word === 'string')
  return {
    ...mapped(rest, withChoices),
    ...(anyOf !== undefined && !isChoice ? { anyOf: withChoices(anyOf) } : {}),
    // A field may be called "pattern"; only a text in its place is one.
    ...(pattern !== undefined && typeof pattern !== 'string'
      ? { pattern: withChoices(pattern) }
      : {}),
    ...(only !== undefined && !isChoice ? { const: only } : {}),
    ...(isChoice ? { type: 'string', enum: words } : {}),
  }
}

function mapped(value: unknown, change: (member: unknown, name: string) => unknown): object {
  const members = Object.entries(record(value))
  return Object.fromEntries(members.map(([name, member]) => [name, change(member, name)]))
}

function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

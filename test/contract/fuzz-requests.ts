import fc from 'fast-check'
import { type Endpoint, hashes } from './endpoints.ts'
import { HOSTILE_PART, HOSTILE_VALUE, validText, validValue } from './fuzz-values.ts'
import { replaceSegment } from './malformed.ts'

/** A generated request; names in braces represent the caller's data. */
export type FuzzedRequest = {
  path: string
  body: string | Uint8Array<ArrayBuffer> | undefined
  headers: Record<string, string>
  /** True if the caller has credentials. */
  isKnown: boolean
}

/** Generates requests that the API document allows. */
export function validRequest(endpoint: Endpoint): fc.Arbitrary<FuzzedRequest> {
  const { operation } = endpoint
  const schema = operation.requestBody?.content['application/json']?.schema
  const texts = operation.parameters.map((one) => {
    const text = validText(endpoint, one).map(encodeValue)
    return one.required ? text : fc.option(text, { freq: 2, nil: undefined })
  })
  return fc.record({
    path: fc
      .tuple(...texts)
      .map((values) => addressOf(endpoint, values, []))
      .filter((path) => !(path.includes('all=true') && /currency=|source=/.test(path))),
    body: schema
      ? validValue('', schema).map((value) => JSON.stringify(value))
      : fc.constant(undefined),
    headers: fc.constantFrom<Record<string, string>>(
      JSON_TYPE,
      { 'content-type': 'application/json; charset=utf-8', 'sec-fetch-site': 'same-origin' },
      { ...JSON_TYPE, origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' },
      { ...JSON_TYPE, 'if-none-match': '"v1", "v3"' },
    ),
    isKnown: fc.constant(true),
  })
}

/** Encodes a value, except for a name in braces. */
function encodeValue(text: string): string {
  return /^\{\w+\}$/.test(text) ? text : encodeURIComponent(text)
}

const JSON_TYPE = { 'content-type': 'application/json' }

const HOSTILE_BODY: fc.Arbitrary<FuzzedRequest['body']> = fc.oneof(
  fc.constantFrom<FuzzedRequest['body'][]>(
    undefined,
    '',
    'null',
    '[]',
    '{}',
    '"x"',
    '{',
    '{"__proto__":{"email":"a@b.example","password":"eight characters"}}',
    '['.repeat(9_000),
    '{"a":'.repeat(2_000),
    ' '.repeat(16_385),
    '\ufeff{}',
  ),
  fc.json().filter((text) => text.length < 20_000),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
)

const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 40 })

const HOSTILE_HEADERS = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'Application/JSON;charset=x',
      'text/plain',
      'multipart/form-data',
      ';',
      '',
    ),
    cookie: fc.oneof(
      fc.constantFrom(
        'session=',
        'session',
        ';;;=',
        `session=${'A'.repeat(43)}; session=${'B'.repeat(43)}`,
        `session=${'x'.repeat(8_000)}`,
        '__proto__=1; constructor=2',
      ),
      fc.base64String({ maxLength: 60 }).map((text) => `session=${text}`),
      headerText,
    ),
    'sec-fetch-site': fc.constantFrom('same-origin', 'none', 'cross-site', 'same-site', '', 'x'),
    origin: fc.oneof(
      fc.constantFrom('null', '', 'https://shop.example', 'https://', 'http://localhost', '//'),
      headerText,
    ),
    host: fc.constantFrom('localhost', '', 'x:y:z', '[::1]'),
    'x-forwarded-for': headerText,
    'x-api-key': headerText,
  },
  { requiredKeys: [] },
)

/** Generates requests in which any part may be wrong. */
export function mutatedRequest(endpoint: Endpoint): fc.Arbitrary<FuzzedRequest> {
  const { operation, method } = endpoint
  // Each parameter valid, hostile or missing, whether required or not.
  const texts = operation.parameters.map((one) => {
    const valid = validText(endpoint, one).map(encodeValue)
    const other = one.in === 'path' ? HOSTILE_PART : fc.option(HOSTILE_PART, { nil: undefined })
    return fc.oneof(valid, other)
  })
  const names = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  const further = fc.tuple(fc.constantFrom(...names, 'page', 'nothing', '__proto__'), HOSTILE_PART)
  const tail = fc.constantFrom('', '', '', '', '/', '/../games', '//', '&', '&&=&=', '?', ';a=b')
  return fc.record({
    path: fc
      .tuple(fc.tuple(...texts), fc.array(further, { maxLength: 2 }), tail)
      .map(([values, pairs, end]) => {
        const [start = '', query] = addressOf(endpoint, values, pairs).split('?')
        const queryText = query === undefined ? '' : `?${query}`
        return end.startsWith('/') ? start + end + queryText : start + queryText + end
      }),
    body: method === 'GET' ? fc.constant(undefined) : fc.oneof(mutatedBody(endpoint), HOSTILE_BODY),
    headers: fc.oneof(fc.constant({ ...JSON_TYPE }), HOSTILE_HEADERS),
    isKnown: fc.boolean(),
  })
}

function mutatedBody(endpoint: Endpoint): fc.Arbitrary<FuzzedRequest['body']> {
  const { properties = {} } =
    endpoint.operation.requestBody?.content['application/json']?.schema ?? {}
  const members = Object.entries(properties).map(([name, schema]) => {
    return fc.tuple(
      fc.constant(name),
      fc.oneof(
        // Rarely all valid, because that is what costs a hash.
        { arbitrary: validValue(name, schema), weight: 2 },
        { arbitrary: HOSTILE_VALUE, weight: hashes(endpoint) ? 6 : 2 },
        { arbitrary: fc.constant(undefined), weight: 1 },
      ),
    )
  })
  return fc
    .tuple(...members, fc.tuple(fc.constant('nothing'), HOSTILE_VALUE))
    .map((pairs) => JSON.stringify(Object.fromEntries(pairs), withoutBigInts))
}

/** Replaces values without a JSON form. */
function withoutBigInts(_member: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** Builds the address of an endpoint from encoded parameter values, and further query parameters. */
function addressOf(
  { path, sample, operation }: Endpoint,
  values: readonly (string | undefined)[],
  pairs: readonly (readonly [string, string])[],
): string {
  let address = sample.path.split('?')[0] ?? ''
  const query = pairs.map(([name, text]) => `${name}=${text}`)
  for (const [index, parameter] of operation.parameters.entries()) {
    const text = values[index]
    if (text === undefined) continue
    if (parameter.in === 'query') query.push(`${parameter.name}=${text}`)
    else address = replaceSegment(path, address, { name: parameter.name, text })
  }
  return query.length === 0 ? address : `${address}?${query.join('&')}`
}

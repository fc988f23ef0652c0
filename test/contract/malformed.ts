import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { Endpoint, Sample } from './endpoints.ts'
import type { Parameter, Schema } from './openapi.ts'

/** A request with one field that its schema rejects. */
export type Malformed = Sample & {
  /** Name of the field in the message. */
  names: string
}

/** Values that a member's schema accepts, but its rule rejects. */
const BEYOND_SCHEMAS: Readonly<Record<string, readonly unknown[]>> = {
  acquired_on: ['2026-02-30', '1989-12-31', '2026-12-01', 'today'],
  email: ['nobody', 'a b@c.example', 'a\u0000b@c.example'],
  currency: ['XAU'],
  paid_currency: ['XYZ', 'eur'],
  mirror: ['file:///etc', 'mirror'],
  new_password: ['seven77', 'half of \ud83c', '🃏'.repeat(257)],
  password: ['half of \ud83c'],
  price_paid: [0.001, 1e300],
  threshold: [0.001, 19.999, 1e300],
}

/** Endpoints that compare an address with that of an account, whatever its format. */
const COMPARE_EMAIL = ['/v1/auth/login', '/v1/auth/delete']

/** Parameters that take a list and may be repeated. */
const LISTS = ['fields', 'ids', 'include']

const known = new Map<string, readonly Malformed[]>()

/** Lists requests that the schemas of an endpoint reject, each because of one field. */
export function malformedRequests(endpoint: Endpoint): readonly Malformed[] {
  const requests = known.get(endpoint.name) ?? [
    ...malformedParameters(endpoint),
    ...malformedMembers(endpoint),
  ]
  known.set(endpoint.name, requests)
  return requests
}

function malformedParameters({ path, sample, operation }: Endpoint): Malformed[] {
  return operation.parameters.flatMap((parameter) => {
    const { name, schema, required } = parameter
    const { maximum, maxLength = 0 } = schema
    const above = maximum === undefined ? [] : [String(maximum + 1)]
    const texts = [...TEXTS, ...above, 'x'.repeat(maxLength + 1)]
    // A filter without a value counts as missing.
    const refused = texts.filter((text) => text !== '' && !accepts(schema, parseText(schema, text)))
    if (parameter.in === 'path') {
      return [...refused.map(encodeURIComponent), '%ff'].map((text) => {
        return { ...sample, path: replaceSegment(path, sample.path, { name, text }), names: name }
      })
    }
    const queries = refused.map((text) => withParameter(sample.path, { name, text }))
    if (!LISTS.includes(name)) queries.push(repeatParameter(sample.path, parameter))
    if (required) queries.push(withParameter(sample.path, { name, text: undefined }))
    return queries.map((query) => ({ ...sample, path: query, names: name }))
  })
}

function malformedMembers({ path, sample, operation }: Endpoint): Malformed[] {
  const schema = operation.requestBody?.content['application/json']?.schema
  const isText = sample.csv !== undefined || sample.list !== undefined
  if (schema === undefined || isText) return []
  const isPhoto = 'image/jpeg' in (operation.requestBody?.content ?? {})
  return malformedObjects(schema, (sample.json ?? {}) as Record<string, unknown>)
    .filter(([name, json]) => {
      const value: unknown = Reflect.get(json, name)
      // A photo option without a value counts as missing.
      if (isPhoto && name !== 'image') return value !== ''
      return name !== 'email' || typeof value !== 'string' || !COMPARE_EMAIL.includes(path)
    })
    .map(([names, json]) => ({ ...sample, json, names }))
}

/** Lists copies of an object with one rejected member, each with the member's path. */
function malformedObjects(
  { properties = {}, required = [] }: Schema,
  sample: Readonly<Record<string, unknown>>,
): [names: string, json: object][] {
  return Object.entries(properties).flatMap(([name, schema]): [string, object][] => {
    const { [name]: own, ...others } = sample
    const [item] = Array.isArray(own) ? own : []
    const inner = malformedEntries(schema.items, item).map(([names, entry]): [string, object] => [
      `${name}[0]${names}`,
      { ...sample, [name]: [entry] },
    ])
    const values = [...valuesFor(schema), ...(BEYOND_SCHEMAS[name] ?? [])]
    return [
      ...values.map((value): [string, object] => [name, { ...sample, [name]: value }]),
      ...(required.includes(name) ? [[name, others] satisfies [string, object]] : []),
      ...inner,
    ]
  })
}

/** Lists entries of a list that the schema of an entry refuses, each with the place of what is wrong in it. */
function malformedEntries(schema: Schema | undefined, sample: unknown): [string, unknown][] {
  if (schema === undefined) return []
  const values = valuesFor(schema).map((value): [string, unknown] => ['', value])
  if (schema.properties === undefined) return values
  const members = malformedObjects(schema, (sample ?? {}) as Record<string, unknown>)
  return [...values, ...members.map(([names, json]): [string, unknown] => [`.${names}`, json])]
}

/** Lists values of all kinds that a schema rejects. */
function valuesFor(schema: Schema): unknown[] {
  const { minimum, maximum, minLength = 0, maxLength = 0 } = schema
  const bounds = [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    'x'.repeat(Math.max(minLength - 1, 0)),
    'x'.repeat(maxLength + 1),
  ]
  return [...VALUES, ...bounds].filter((value) => !accepts(schema, value))
}

const VALUES = [null, true, 7, 1.5, '7', 'no such word', 'a\u0000b', 'a\nb', [], ['x'], {}]

const TEXTS = ['many', '0', '-1', '1.5', '1e3', '0x1', 'Infinity', '\u0661', 'a\u0000b', '\n']

/** Parses a parameter as the server does. */
function parseText({ type }: Schema, text: string): unknown {
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text
  return type === 'number' && !text.startsWith('0x') ? Number(text) : text
}

const ajv = addFormats(new Ajv2020({ strict: false }))
const checks = new Map<string, ValidateFunction>()

function accepts(schema: Schema, value: unknown): boolean {
  const key = JSON.stringify(schema)
  const check = checks.get(key) ?? ajv.compile(schema)
  checks.set(key, check)
  return check(value) === true
}

/** Returns a well-formed request for data that the catalog lacks, if an endpoint has such a request. */
export function unknownRequest({ path, sample, operation }: Endpoint): Sample | undefined {
  const { parameters } = operation
  const last = parameters.filter((one) => one.in === 'path').at(-1)
  if (last !== undefined) {
    const text = last.schema.type === 'integer' ? '1' : 'no-such-thing'
    return { ...sample, path: replaceSegment(path, sample.path, { name: last.name, text }) }
  }
  if (!parameters.some(({ name }) => name === 'game')) return undefined
  return { ...sample, path: withParameter(sample.path, { name: 'game', text: 'no-such-game' }) }
}

/** Replaces the value of a path parameter in a request. */
export function replaceSegment(
  template: string,
  path: string,
  { name, text }: { name: string; text: string },
): string {
  const index = template.split('/').indexOf(`{${name}}`)
  const [segments = '', query] = path.split('?')
  const changed = segments.split('/').with(index, text).join('/')
  return query === undefined ? changed : `${changed}?${query}`
}

/** Sets or removes a query parameter. */
export function withParameter(
  path: string,
  { name, text }: { name: string; text: string | undefined },
): string {
  const [start, query] = path.split('?')
  const parameters = new URLSearchParams(query)
  if (text === undefined) parameters.delete(name)
  else parameters.set(name, text)
  return parameters.size === 0 ? `${start}` : `${start}?${parameters}`
}

/** Sends a parameter twice. */
function repeatParameter(path: string, { name, schema }: Parameter): string {
  const [first, second] = schema.enum ?? [1, 2]
  return `${withParameter(path, { name, text: String(first) })}&${name}=${second ?? first}`
}

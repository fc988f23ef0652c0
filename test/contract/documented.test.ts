import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { ACCESS_POLICIES, tierName } from '#rules/accounts/tiers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { ALERT_ENDPOINTS, namedAlert } from './alert-endpoints.ts'
import {
  ACCOUNT_ENDPOINTS,
  type AccountEndpoint,
  ENDPOINTS,
  type Endpoint,
  named,
  namedAccount,
  namedScan,
  type ParameterKind,
  SCAN_ENDPOINTS,
  type ScanEndpoint,
  usualRefusals,
} from './endpoints.ts'
import { LIST_ENDPOINTS, namedList } from './list-endpoints.ts'
import { documentOf, type OpenApi, operationOf, type Schema } from './openapi.ts'
import type { OwnedEndpoint } from './owned-endpoints.ts'

let testApp: TestApp
let document: OpenApi

beforeAll(async () => {
  testApp = await createTestApp()
  document = await documentOf(testApp)
})
afterAll(() => testApp.close())

const ALL = [
  ...ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...SCAN_ENDPOINTS,
  ...LIST_ENDPOINTS,
  ...ALERT_ENDPOINTS,
]
const ALL_NAMED = ALL.map((one) => [`${one.method} ${one.path}`, one] as const)

const ajv = addFormats(new Ajv2020({ strict: true }))

const operation = (of: { method: string; path: string }) => operationOf(document, of)

/** The two ways to send an API key. */
const BY_KEY = [{ key: [] }, { bearer: [] }]

describe('the API document', () => {
  test('is OpenAPI 3.1 and contains the URL of the service', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: 'https://cards.example' }])
  })

  test('describes every endpoint of the contract and no other', () => {
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.sort()).toEqual(ALL.map(({ method, path }) => `${method} ${path}`).sort())
  })

  test('has a unique name of a method for each operation', () => {
    const ids = ALL.map((endpoint) => operation(endpoint)?.operationId)
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)*$/)
    expect(new Set(ids).size).toBe(ALL.length)
  })

  test('declares how a key, a session and a payment are sent', () => {
    expect(document.components.securitySchemes).toMatchObject({
      key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
      payment: { type: 'apiKey', in: 'header', name: 'PAYMENT-SIGNATURE' },
    })
  })

  test('is public, and its page loads nothing from another host', async () => {
    const page = await testApp.client.get('/docs')
    expect(page.status).toBe(200)
    const found = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)
    const addresses = found.filter((url) => !url?.startsWith('#'))
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) {
      expect(address).toStartWith('/')
      expect((await testApp.client.get(address ?? '')).status).toBe(200)
    }
  })
})

describe.each(ALL_NAMED)('%s', (_name, endpoint) => {
  const parametersOf = () => operation(endpoint)?.parameters ?? []

  test('has a description and a tag', () => {
    expect(operation(endpoint)?.summary).toBeString()
    expect(operation(endpoint)?.tags).toHaveLength(1)
  })

  test('has exactly the parameters of the specification, with their types', () => {
    const kinds = parametersOf().map(({ name, schema }) => [name, kindOf(schema)])
    expect(Object.fromEntries(kinds)).toEqual(endpoint.parameters)
  })

  test('requires only the required parameters', () => {
    const required = parametersOf().filter((one) => one.required)
    expect(required.map(({ name }) => name)).toEqual([...(endpoint.required ?? [])])
  })

  test('has path parameters exactly for its path, and query parameters otherwise', () => {
    const inPath = parametersOf().filter((one) => one.in === 'path')
    expect(inPath.map(({ name }) => name)).toEqual(
      [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
    )
    expect(parametersOf().every((one) => one.in === 'path' || one.in === 'query')).toBe(true)
  })

  if (takesInput(endpoint)) {
    test('bounds every number and every string', () => {
      const body = operation(endpoint)?.requestBody?.content['application/json']?.schema
      expect([
        ...parametersOf().flatMap(({ name, schema }) => unboundedIn(name, schema)),
        ...Object.entries(body?.properties ?? {}).flatMap(([name, one]) => unboundedIn(name, one)),
      ]).toEqual([])
    })

    // The schemas of responses are compiled where responses are checked by them (responses.test.ts).
    test('describes its input with valid schemas', () => {
      const { parameters, requestBody } = operation(endpoint) ?? fail()
      for (const { schema } of [...parameters, ...Object.values(requestBody?.content ?? {})]) {
        expect(() => ajv.compile(schema)).not.toThrow()
      }
    })
  }

  test('returns JSON for every status, except for files', () => {
    const json = ['application/json']
    const success = ('answers' in endpoint ? endpoint.answers : undefined) ?? json
    const expectedTypes: Record<string, readonly string[]> = { 200: success, 206: success, 304: [] }
    for (const [status, response] of Object.entries(operation(endpoint)?.responses ?? {})) {
      const types = Object.keys(response.content ?? {}).sort()
      expect([status, types]).toEqual([status, [...(expectedTypes[status] ?? json)]])
    }
  })
})

describe.each(named())('%s', (_path, endpoint) => {
  const { method, body, file, lowest } = endpoint

  test('documents every status that it can return', () => {
    const expected = [
      200,
      400,
      404,
      500,
      503,
      ...(lowest === undefined ? [] : [401, 403, 429]),
      ...(method === 'GET' ? [304] : []),
      ...(body === undefined ? [] : [413, 415]),
      ...(file === 'stored' ? [206, 416] : []),
    ]
    expect(statusesOf(endpoint)).toEqual(expected.sort((a, b) => a - b))
  })

  test('requires a key only where the contract does', () => {
    expect(operation(endpoint)?.security).toEqual(lowest === undefined ? [] : BY_KEY)
  })

  test('has exactly the request body of the specification', () => {
    const requestBody = operation(endpoint)?.requestBody
    if (body === undefined) return expect(requestBody).toBeUndefined()
    const types = Object.keys(requestBody?.content ?? {}).sort()
    expect(requestBody?.required).toBe(true)
    if (body === 'csv') return expect(types).toEqual(['multipart/form-data', 'text/csv'])
    if (body === 'list') {
      return expect(types).toEqual(['application/json', 'multipart/form-data', 'text/plain'])
    }
    const schema = requestBody?.content['application/json']?.schema
    const kinds = Object.entries(schema?.properties ?? {}).map(([name, one]) => [name, kindOf(one)])
    expect(types).toEqual(['application/json'])
    expect(Object.fromEntries(kinds)).toEqual(body)
    expect(schema?.required).toEqual(Object.keys(body))
  })
})

describe.each(namedAccount())('%s', (_name, endpoint) => {
  test('documents every status that it can return', () => {
    const { status, refusals } = endpoint
    const expected = new Set([status, ...usualRefusals(endpoint), ...refusals])
    expect(statusesOf(endpoint)).toEqual([...expected].sort((a, b) => a - b))
  })

  test('names the tier that it requires in its description', () => {
    const { lowest } = endpoint
    const description = operation(endpoint)?.description ?? ''
    if (lowest === undefined) return expect(description).not.toContain(' tier or higher')
    expect(description).toContain(`Needs the ${tierName(lowest)} tier or higher.`)
  })

  test('requires a session only where the contract does, and never a key', () => {
    const security = operation(endpoint)?.security
    expect(security).toEqual(endpoint.access === 'open' ? [] : [{ session: [] }])
  })

  test('has exactly the request body of the specification', () => {
    const { body: fields, bodyRequired = [] } = endpoint
    const requestBody = operation(endpoint)?.requestBody
    if (fields === undefined) return expect(requestBody).toBeUndefined()
    const schema = requestBody?.content['application/json']?.schema
    const kinds = Object.entries(schema?.properties ?? {}).map(([name, one]) => [name, kindOf(one)])
    expect(Object.keys(requestBody?.content ?? {})).toEqual(['application/json'])
    expect(requestBody?.required).toBe(bodyRequired.length > 0 || endpoint.needsOne === true)
    expect(schema?.minProperties).toBe(endpoint.needsOne && 1)
    expect(Object.fromEntries(kinds)).toEqual(fields)
    expect(schema?.required ?? []).toEqual([...bodyRequired])
  })
})

describe.each([...namedList(), ...namedAlert()])('%s', (_name, endpoint) => {
  test('documents every status that it can return', () => {
    const { method, status, body, refusals } = endpoint
    const expected = [
      status,
      400,
      401,
      ...(method === 'GET' ? [] : [403]),
      500,
      503,
      ...(body === undefined || body === 'photo' ? [] : [413, 415]),
      ...refusals,
    ]
    expect(statusesOf(endpoint)).toEqual(expected.sort((a, b) => a - b))
  })

  test('requires a key or a session', () => {
    expect(operation(endpoint)?.security).toEqual([...BY_KEY, { session: [] }])
  })

  test('has exactly the request body of the contract', () => {
    const { body, bodyRequired = [], needsOne } = endpoint
    const requestBody = operation(endpoint)?.requestBody
    const types = Object.keys(requestBody?.content ?? {}).sort()
    if (body === undefined) return expect(requestBody).toBeUndefined()
    if (body === 'file') {
      return expect(types).toEqual(['multipart/form-data', 'text/csv', 'text/plain'])
    }
    if (body === 'photo') {
      const images = ['image/jpeg', 'image/png', 'image/webp']
      return expect(types).toEqual(['application/json', ...images, 'multipart/form-data'])
    }
    const schema = requestBody?.content['application/json']?.schema
    const kinds = Object.entries(schema?.properties ?? {}).map(([name, one]) => [name, kindOf(one)])
    expect(types).toEqual(['application/json'])
    expect(Object.fromEntries(kinds)).toEqual(body)
    expect([schema?.required ?? [], schema?.minProperties]).toEqual([
      [...bodyRequired],
      needsOne && 1,
    ])
  })
})

describe.each(namedScan())('%s', (_name, endpoint) => {
  const bodyOf = () => operation(endpoint)?.requestBody
  const kindsIn = (schema: Schema | undefined) =>
    Object.fromEntries(
      Object.entries(schema?.properties ?? {}).map(([name, one]) => [name, kindOf(one)]),
    )

  test('documents every status that it can return', () => {
    expect(statusesOf(endpoint)).toEqual(
      [200, 400, 401, 500, 503, ...endpoint.refusals].sort((a, b) => a - b),
    )
  })

  test('requires a key, or a session or payment where one is accepted', () => {
    const security = [...BY_KEY, endpoint.access === 'key' ? { payment: [] } : { session: [] }]
    expect(operation(endpoint)?.security).toEqual(security)
  })

  test('has exactly the request body of the specification for each content type', () => {
    const { body: fields, takesPhoto } = endpoint
    if (fields === undefined) return expect(bodyOf()).toBeUndefined()
    const content = bodyOf()?.content ?? {}
    const raw = ['image/jpeg', 'image/png', 'image/webp']
    const types = takesPhoto
      ? ['application/json', ...raw, 'multipart/form-data']
      : ['application/json']
    expect([bodyOf()?.required, Object.keys(content).sort()]).toEqual([true, types])
    expect(kindsIn(content['application/json']?.schema)).toEqual(fields)
    if (!takesPhoto) return
    expect(kindsIn(content['multipart/form-data']?.schema)).toEqual(fields)
    for (const type of raw) expect(content[type]?.schema.type).toBe('string')
  })
})

describe.each(ACCESS_POLICIES)('under the policy %s', (policy) => {
  test('names the lowest tier in the description of each endpoint', async () => {
    const other = await createTestApp({ accessPolicy: policy })
    const { paths } = await documentOf(other)
    for (const { path, lowest } of ENDPOINTS) {
      const description = (paths[path]?.get ?? paths[path]?.post)?.description ?? ''
      if (lowest === undefined) expect(description).not.toContain(' tier or higher')
      else expect(description).toContain(`the ${tierName(lowest[policy])} tier or higher`)
    }
    other.close()
  })
})

function statusesOf(endpoint: Endpoint | AccountEndpoint | ScanEndpoint | OwnedEndpoint): number[] {
  const statuses = Object.keys(operation(endpoint)?.responses ?? {}).map(Number)
  return statuses.sort((a, b) => a - b)
}

function kindOf(schema: Schema): ParameterKind | undefined {
  if (schema.enum !== undefined) return schema.enum.map(String)
  if (Array.isArray(schema.type)) return schema.type
  return schema.type === 'object' ? undefined : schema.type
}

/** The names of the values in a schema that have no bound. */
function unboundedIn(name: string, schema: Schema): string[] {
  const { type, minimum, maximum, maxLength, items, properties = {} } = schema
  // The length of a list depends on the tier.
  const inner = [
    ...(items === undefined ? [] : unboundedIn(`${name}[]`, items)),
    ...Object.entries(properties).flatMap(([key, one]) => unboundedIn(`${name}.${key}`, one)),
  ]
  const [kind] = [type].flat()
  const needsBound = !['array', 'object', 'boolean', undefined].includes(kind)
  if (!needsBound || schema.enum !== undefined) return inner
  const bounds = kind === 'string' ? [maxLength] : [minimum, maximum]
  return bounds.every((bound) => typeof bound === 'number') ? inner : [name, ...inner]
}

/** Returns true if an endpoint has a parameter or body. */
function takesInput({ method, path }: { method: string; path: string }): boolean {
  const endpoint = ALL.find((one) => one.method === method && one.path === path)
  if (endpoint === undefined) return false
  const hasBody = 'body' in endpoint && endpoint.body !== undefined
  return hasBody || 'takesPhoto' in endpoint || Object.keys(endpoint.parameters).length > 0
}

function fail(): never {
  throw new Error('operation not found')
}

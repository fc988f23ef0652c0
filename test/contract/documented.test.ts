/** The API document describes every endpoint of the access table completely. */
import { describe, expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { Auth } from '#http/endpoint/declaration.ts'
import { ACCESS_POLICIES, tierName } from '#rules/accounts/tiers.ts'
import { createTestApp } from '../support/test-app.ts'
import { DOCUMENT, ENDPOINTS, isCatalog, isFile, isStored, named } from './endpoints.ts'
import { documentOf, operationOf, type Schema } from './openapi.ts'

const testApp = await createTestApp()

const ajv = addFormats(new Ajv2020({ strict: true }))

/** Authentication of requests, by who may send them. */
const SECURITY: Record<Auth, readonly string[]> = {
  anyone: [],
  key: ['key', 'bearer'],
  'optional session': [],
  session: ['session'],
  operator: ['session'],
  account: ['key', 'bearer', 'session'],
  payer: ['key', 'bearer', 'payment'],
}

describe('the API document', () => {
  test('is OpenAPI 3.1 and contains the URL of the service', () => {
    expect(DOCUMENT.openapi).toBe('3.1.0')
    expect(DOCUMENT.servers).toEqual([{ url: 'https://cards.example' }])
  })

  test('has a unique name of a method for each operation', () => {
    const ids = ENDPOINTS.map(({ operation }) => operation.operationId)
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)*$/)
    expect(new Set(ids).size).toBe(ENDPOINTS.length)
  })

  test('declares how a key, a session and a payment are sent', () => {
    expect(DOCUMENT.components.securitySchemes).toMatchObject({
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

describe.each(named())('%s', (_, endpoint) => {
  const { method, path, auth, operation, status } = endpoint
  const { parameters, requestBody, responses } = operation
  const content = requestBody?.content ?? {}

  test('has a description and a tag', () => {
    expect(operation.summary).toBeString()
    expect(operation.tags).toHaveLength(1)
  })

  test('has path parameters exactly for its path, and query parameters otherwise', () => {
    const inPath = parameters.filter((one) => one.in === 'path')
    expect(inPath.map(({ name }) => name)).toEqual(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''),
    )
    expect(inPath.every(({ required }) => required)).toBe(true)
    expect(parameters.every((one) => one.in === 'path' || one.in === 'query')).toBe(true)
  })

  if (parameters.length > 0 || requestBody !== undefined) {
    test('bounds every number and every string', () => {
      const members = content['application/json']?.schema.properties ?? {}
      expect([
        ...parameters.flatMap(({ name, schema }) => unboundedIn(name, schema)),
        ...Object.entries(members).flatMap(([name, one]) => unboundedIn(name, one)),
      ]).toEqual([])
    })

    // The schemas of responses are compiled by the tests that check responses.
    test('describes its input with valid schemas', () => {
      for (const { schema } of [...parameters, ...Object.values(content)]) {
        expect(() => ajv.compile(schema)).not.toThrow()
      }
    })
  }

  test('returns JSON for every status, except for files', () => {
    for (const [code, response] of Object.entries(responses)) {
      const types = Object.keys(response.content ?? {})
      if (code === '304') expect(types).toEqual([])
      else if (isFile(endpoint) && Number(code) < 300) expect(types).not.toEqual([])
      else expect([code, types]).toEqual([code, expect.arrayContaining(['application/json'])])
    }
  })

  test('documents the statuses of its kind', () => {
    const isOpen = auth === 'anyone' || auth === 'optional session'
    const isPhoto = 'image/jpeg' in content
    expect(Object.keys(responses).map(Number)).toEqual(
      expect.arrayContaining([
        status,
        400,
        ...(isOpen ? [] : [401]),
        ...(auth === 'key' ? [403, 404, 429] : []),
        ...(auth === 'operator' || (method !== 'GET' && !isCatalog(endpoint) && auth !== 'payer')
          ? [403]
          : []),
        ...(path.includes('{') && !isPhoto ? [404] : []),
        ...(requestBody === undefined || isPhoto ? [] : [413, 415]),
        ...(isStored(endpoint) ? [416] : []),
        ...(method === 'GET' && isCatalog(endpoint) ? [304] : []),
        500,
        503,
      ]),
    )
  })

  test('requires credentials only where the table of access does', () => {
    expect(operation.security).toEqual(SECURITY[auth].map((scheme) => ({ [scheme]: [] })))
  })
})

test.each(ACCESS_POLICIES)(
  'names the lowest tier of each endpoint under the policy %s',
  async (policy) => {
    const other = await createTestApp({ accessPolicy: policy })
    const document = await documentOf(other)
    for (const endpoint of ENDPOINTS) {
      const description = operationOf(document, endpoint)?.description ?? ''
      if (endpoint.lowest === undefined) expect(description).not.toContain(' tier or higher')
      else {
        const tier = tierName(endpoint.lowest[policy])
        expect(description).toContain(`Needs the ${tier} tier or higher.`)
      }
    }
  },
)

/** Returns the names of values in a schema that have no limit. */
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

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ACCESS_POLICIES, tierName } from '#rules/tiers.ts'
import { type House, openHouse } from '../support/house.ts'
import { ENDPOINTS, type Endpoint, named, type ParameterKind } from './endpoints.ts'
import { documentOf, type OpenApi, type Operation, type Parameter } from './openapi.ts'

let house: House
let document: OpenApi

beforeAll(async () => {
  house = await openHouse()
  document = await documentOf(house)
})
afterAll(() => house.close())

const operationOf = ({ path }: Endpoint): Operation | undefined => document.paths[path]?.get

describe('the API document', () => {
  test('is OpenAPI 3.1 and says where the service is', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: 'https://cards.example' }])
  })

  test('tells of each endpoint of the contract and of no other', () => {
    const told = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(told.sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort())
  })

  test('gives each operation an id of its own', () => {
    const ids = ENDPOINTS.map((endpoint) => operationOf(endpoint)?.operationId)
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(ENDPOINTS.length)
  })

  test('says how a key is sent', () => {
    expect(Object.values(document.components.securitySchemes)).toEqual([
      { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    ])
  })

  test('is open to all, and no page of another host is needed to read it', async () => {
    const page = await house.visitor.get('/docs')
    expect(page.status).toBe(200)
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) {
      expect(address).toStartWith('/')
      expect((await house.visitor.get(address ?? '')).status).toBe(200)
    }
  })
})

describe.each(named())('%s', (_path, endpoint) => {
  test('is described in words, under a tag', () => {
    const operation = operationOf(endpoint)
    expect(operation?.summary).toBeString()
    expect(operation?.tags).toHaveLength(1)
  })

  test('has exactly the parameters of the specification, with their types', () => {
    const parameters = operationOf(endpoint)?.parameters ?? []
    const kinds = Object.fromEntries(parameters.map((one) => [one.name, kindOf(one)]))
    expect(kinds).toEqual(endpoint.parameters)
  })

  test('requires only what it cannot do without', () => {
    const parameters = operationOf(endpoint)?.parameters ?? []
    const required = parameters.filter((one) => one.required).map((one) => one.name)
    expect(required).toEqual([...(endpoint.required ?? [])])
  })

  test('has in its path what its address names, all else in the query', () => {
    const parameters = operationOf(endpoint)?.parameters ?? []
    const inPath = parameters.filter((one) => one.in === 'path').map((one) => one.name)
    expect(inPath).toEqual([...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))
    expect(parameters.every((one) => one.in === 'path' || one.in === 'query')).toBe(true)
  })

  test('bounds every number and every text', () => {
    for (const { name, schema } of operationOf(endpoint)?.parameters ?? []) {
      if (schema.type === 'string')
        expect([name, schema.maxLength]).toEqual([name, expect.any(Number)])
      if (schema.type === 'integer' || schema.type === 'number') {
        expect([name, schema.minimum, schema.maximum]).toEqual([
          name,
          expect.any(Number),
          expect.any(Number),
        ])
      }
    }
  })

  test('tells every status that it may answer', () => {
    const statuses = Object.keys(operationOf(endpoint)?.responses ?? {}).map(Number)
    const keyed = [200, 304, 400, 401, 403, 404, 429, 500, 503]
    const open = [200, 304, 400, 404, 500, 503]
    expect(statuses.sort((a, b) => a - b)).toEqual(endpoint.lowest === undefined ? open : keyed)
  })

  test('answers JSON, whatever the status', () => {
    for (const [status, response] of Object.entries(operationOf(endpoint)?.responses ?? {})) {
      const types = Object.keys(response.content ?? {})
      expect([status, types]).toEqual([status, status === '304' ? [] : ['application/json']])
    }
  })

  test('asks for a key only where one is needed', () => {
    const security = operationOf(endpoint)?.security
    expect(security).toEqual(endpoint.lowest === undefined ? [] : [{ key: [] }])
  })
})

describe.each(ACCESS_POLICIES)('under the policy %s', (policy) => {
  test('the description of each endpoint names the lowest tier', async () => {
    const other = await openHouse({ accessPolicy: policy })
    const { paths } = await documentOf(other)
    for (const { path, lowest } of ENDPOINTS) {
      const description = paths[path]?.get?.description ?? ''
      if (lowest === undefined) expect(description).not.toContain(' tier or higher')
      else expect(description).toContain(`the ${tierName(lowest[policy])} tier or higher`)
    }
    other.close()
  })
})

function kindOf({ schema }: Parameter): ParameterKind | undefined {
  if (schema.anyOf === undefined) return schema.type
  return schema.anyOf.map((one) => String(one.const))
}

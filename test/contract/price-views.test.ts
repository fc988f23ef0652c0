/** Every endpoint with prices, in each view of them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ORIGIN_FIELDS } from '#rules/pricing/price-view.ts'
import { addPriceSources } from '../support/pricing/price-sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { callCatalog, inView } from './catalog-calls.ts'
import { type Endpoint, named, PRICED } from './endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'

let testApp: TestApp
let faultOf: ReturnType<typeof openBodyCheck>

beforeAll(async () => {
  testApp = await createTestApp()
  addPriceSources(testApp)
  faultOf = openBodyCheck(await documentOf(testApp))
})
afterAll(() => testApp.close())

const VIEWS = [
  'currency=EUR',
  'currency=GBP',
  'currency=USD',
  'source=cardmarket',
  'source=cardmarket&currency=USD',
  'source=tcgplayer',
  'source=tcgplayer&currency=EUR',
]

const request = (endpoint: Endpoint, choice: string, made = endpoint.sample) =>
  callCatalog(testApp, endpoint, { made: inView(made, choice), as: 'business' })

test('the endpoints with prices are these', () => {
  expect(PRICED.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/sets/{id}/cards',
    'GET /v1/sets/{id}/summary',
    'GET /v1/sets/{id}/history',
    'GET /v1/sets/{id}/prices',
    'GET /v1/cards/{id}',
    'GET /v1/cards/marketplace/{marketplace_id}',
    'GET /v1/cards/{id}/reprints',
    'GET /v1/cards/by-id/{system}/{id}',
    'GET /v1/cards/{id}/prices',
    'GET /v1/cards/{id}/history',
    'GET /v1/cards/{id}/history/detailed',
    'GET /v1/search',
    'GET /v1/prices/top-movers',
    'GET /v1/bulk/prices',
    'GET /v1/bulk/cards',
    'GET /v1/bulk/history',
    'GET /v1/export/set/{id}',
    'POST /v1/bulk/resolve/marketplace',
    'POST /v1/bulk/resolve/name',
    'POST /v1/bulk/resolve/csv',
    'POST /v1/bulk/resolve/list',
  ])
})

describe.each(named(PRICED))('%s', (_path, endpoint) => {
  const { method, path, sample, golden, file } = endpoint

  test.each(VIEWS)('matches the API document with %s', async (choice) => {
    for (const made of [sample, golden]) {
      const reply = await request(endpoint, choice, made)
      expect(reply.status).toBe(200)
      if (file !== undefined) continue
      expect(faultOf(path, 200, reply.body, method)).toBeUndefined()
    }
  })

  test('names the currency of each price in euros', async () => {
    const { text } = await request(endpoint, 'currency=EUR', golden)
    expect(text).toContain(golden.path.includes('format=csv') ? ',EUR,' : '"currency":"EUR"')
    expect(text).not.toContain('USD')
  })

  test('has the figures of the default in US dollars', async () => {
    for (const made of [sample, golden]) {
      const plain = await callCatalog(testApp, endpoint, { made, as: 'business' })
      const { text } = await request(endpoint, 'currency=USD', made)
      if (made.path.includes('format=csv')) {
        const lines = text.split('\r\n').map((line) => line.split(',').slice(0, -5).join(','))
        expect(lines.join('\r\n')).toBe(plain.text)
      } else expect(withoutOrigins(text)).toEqual(withoutOrigins(plain.text))
    }
  })

  test('refuses unknown currencies and sources for free, and names the known ones', async () => {
    const left = async () => {
      const { headers } = await callCatalog(testApp, endpoint, { as: 'business' })
      return Number(headers.get('x-ratelimit-remaining'))
    }
    const before = await left()
    const [currency, source] = [
      await request(endpoint, 'currency=XXX'),
      await request(endpoint, 'source=ebay'),
    ]
    const costs = before - (await left())
    expect(costs).toBe(1)
    for (const [{ status, body }, name, values] of [
      [currency, 'currency', 'EUR, GBP, JPY, USD'],
      [source, 'source', 'cardmarket, tcgplayer'],
    ] as const) {
      expect(status).toBe(400)
      expect(body.error).toEqual({
        code: 'VALIDATION_ERROR',
        message: `"${name}" is not available. Choose from ${values}.`,
      })
    }
  })

  if (method === 'GET') {
    test('has another ETag in each view', async () => {
      const replies = await Promise.all(VIEWS.map((choice) => request(endpoint, choice)))
      const tags = replies.map(({ headers }) => headers.get('etag'))
      // The native currency of the mirror is that of its source.
      expect(new Set(tags).size).toBe(VIEWS.length - 1)
    })
  }
})

test('a catalog without rates has US dollars alone', async () => {
  const own = await createTestApp()
  const { body } = await own.client.get('/v1/cards/900401?currency=EUR', { as: 'free' })
  expect(body.error.message).toBe('"currency" is not available. Choose from USD.')
  expect((await own.client.get('/v1/cards/900401?currency=USD', { as: 'free' })).status).toBe(200)
  own.close()
})

const ADDED = new Set<string>([...ORIGIN_FIELDS, 'foil_origin', 'rate_limit'])

/** Parses a body without the members that views add, and the quota. */
function withoutOrigins(text: string): unknown {
  return JSON.parse(text, (member, value) => (ADDED.has(member) ? undefined : value))
}

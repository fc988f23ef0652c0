/** Every endpoint with prices, in each view of prices. */
import { describe, expect, test } from 'bun:test'
import { ORIGIN_FIELDS } from '#rules/pricing/price-view.ts'
import { addPriceSources } from '../support/pricing/price-sources.ts'
import { createTestApp } from '../support/test-app.ts'
import { call, expectReply } from './calls.ts'
import { type Endpoint, hasParameter, isCatalog, named, type Sample } from './endpoints.ts'
import { withParameter } from './malformed.ts'

const testApp = await createTestApp()
addPriceSources(testApp)

const VIEWS = [
  'currency=EUR',
  'currency=GBP',
  'currency=USD',
  'source=cardmarket',
  'source=cardmarket&currency=USD',
  'source=tcgplayer',
  'source=tcgplayer&currency=EUR',
]

/** Endpoints of the catalog whose prices a request can choose. */
const PRICED = named((one) => isCatalog(one) && hasParameter('source')(one))

const inView = (request: Sample, choice: string): Sample => ({
  ...request,
  path: `${request.path}${request.path.includes('?') ? '&' : '?'}${choice}`,
})

const send = (endpoint: Endpoint, choice: string, request = endpoint.sample) =>
  call(testApp, endpoint, { request: inView(request, choice), as: 'business' })

test('a third of the endpoints of the catalog have prices', () => {
  expect(PRICED).toHaveLength(24)
})

describe.each(PRICED)('%s', (_, endpoint) => {
  const { method, sample } = endpoint
  /** The sample requests, as CSV and as JSON if both exist. */
  const samples = hasParameter('format')(endpoint)
    ? ['csv', 'json'].map((text) => {
        return { ...sample, path: withParameter(sample.path, { name: 'format', text }) }
      })
    : [sample]

  test.each(VIEWS)('matches the API document with %s', async (choice) => {
    for (const request of samples) expectReply(endpoint, await send(endpoint, choice, request), 200)
  })

  test('names the currency of each price in euros', async () => {
    const { text } = await send(endpoint, 'currency=EUR')
    expect(text).toContain(sample.path.includes('format=csv') ? ',EUR,' : '"currency":"EUR"')
    expect(text).not.toContain('USD')
  })

  test('has the figures of the default in US dollars', async () => {
    for (const request of samples) {
      const plain = await call(testApp, endpoint, { request, as: 'business' })
      const { text } = await send(endpoint, 'currency=USD', request)
      if (request.path.includes('format=csv')) {
        const lines = text.split('\r\n').map((line) => line.split(',').slice(0, -5).join(','))
        expect(lines.join('\r\n')).toBe(plain.text)
      } else expect(withoutOrigins(text)).toEqual(withoutOrigins(plain.text))
    }
  })

  test('refuses unknown currencies and sources for free, and names the known ones', async () => {
    const left = async () => {
      const { headers } = await call(testApp, endpoint, { as: 'business' })
      return Number(headers.get('x-ratelimit-remaining'))
    }
    const first = await left()
    const before = await left()
    const [currency, source] = [
      await send(endpoint, 'currency=XXX'),
      await send(endpoint, 'source=ebay'),
    ]
    const costs = before - (await left())
    expect(costs).toBe(first - before)
    for (const [{ status, body }, name, values] of [
      [currency, 'currency', 'EUR, GBP, JPY, USD'],
      [source, 'source', 'cardmarket, tcgplayer'],
    ] as const) {
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body.error.message).toContain(`"${name}"`)
      expect(body.error.message).toContain(values)
    }
  })

  if (method === 'GET') {
    test('has another ETag in each view', async () => {
      const replies = await Promise.all(VIEWS.map((choice) => send(endpoint, choice)))
      const tags = replies.map(({ headers }) => headers.get('etag'))
      // The mirror's native currency is that of its source.
      expect(new Set(tags).size).toBe(VIEWS.length - 1)
    })
  }
})

test('a catalog without rates has US dollars alone', async () => {
  const own = await createTestApp()
  const { body } = await own.client.get('/v1/cards/900401?currency=EUR', { as: 'free' })
  expect(body.error.code).toBe('VALIDATION_ERROR')
  expect((await own.client.get('/v1/cards/900401?currency=USD', { as: 'free' })).status).toBe(200)
})

const ADDED = new Set<string>([...ORIGIN_FIELDS, 'foil_origin', 'rate_limit'])

/** Parses a body without the members that views add, and the quota. */
function withoutOrigins(text: string): unknown {
  return JSON.parse(text, (member, value) => (ADDED.has(member) ? undefined : value))
}

import { describe, expect, test } from 'bun:test'
import { ENDPOINTS, isCatalog, named, type Sample } from '../../contract/endpoints.ts'
import { withParameter } from '../../contract/malformed.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

// Every endpoint is closed to visitors, or free of cards and prices, or limited by requests and by the data that it
// sends. This test inspects what was sent, and names only the free endpoints.

const FREE_OF_CARDS = [
  '/v1/games',
  '/v1/games/{slug}',
  '/v1/games/{slug}/sets',
  '/v1/meta',
  '/v1/x402/info',
]

/** Sends the sample request of an endpoint as a visitor. */
function send(testApp: TestApp, { method, sample }: { method: string; sample: Sample }) {
  const headers = { 'x-cardstock-page': '1', host: 'cards.example' }
  // Members that are added on request would count as records.
  const path = withParameter(sample.path, { name: 'include', text: undefined })
  return testApp.client.request(method, path, { json: sample.json, headers })
}

type Contents = { records: number; cards: Set<number> }

/** Finds records and cards in a response by their shape alone. */
function readContents(value: unknown, contents: Contents): Contents {
  if (Array.isArray(value)) {
    for (const one of value) readContents(one, contents)
  } else if (typeof value === 'object' && value !== null) {
    contents.records++
    const { card_id, id, prices, custom_attributes, ...others } = value as Record<string, unknown>
    const isCard = others.set_id !== undefined || prices !== undefined
    const card = card_id ?? (isCard ? id : undefined)
    if (typeof card === 'number') contents.cards.add(card)
    for (const one of Object.values({ prices, ...others })) readContents(one, contents)
  }
  return contents
}

/** Lists without entries in the sample, whose cards have never changed. */
const EMPTY_LISTS: readonly string[] = ['/v1/migrations']

const hasCards = (text: string) => /"(market_price|card_id|clean_name)":/.test(text)

const testApp = await createTestApp()

describe('each endpoint', () => {
  test.each(named((one) => isCatalog(one) && one.method === 'GET'))(
    '%s is closed to visitors, free of cards, or limited',
    async (_, endpoint) => {
      const { path } = endpoint
      const response = await send(testApp, endpoint)
      if (response.status === 401) {
        expect(response.body.error.code).toBe('API_KEY_REQUIRED')
        return
      }
      expect(response.status).toBe(200)
      if (FREE_OF_CARDS.includes(path)) {
        expect(hasCards(response.text)).toBe(false)
        return
      }
      expect(response.body.rate_limit.daily_limit).toBe(500)
      const { records, cards } = readContents(response.body.data, { records: 0, cards: new Set() })
      // The card of a history occurs only in its path.
      const inPath = /^\/v1\/cards\/(\d+)\/history/.exec(endpoint.sample.path)?.[1]
      if (inPath !== undefined) cards.add(Number(inPath))
      if (EMPTY_LISTS.includes(path)) return expect(records).toBe(0)
      expect(records).toBeGreaterThan(0)
      await expectLimit({ VISITOR_DAILY_RECORDS: String(records) }, 200)
      if (records > 1) await expectLimit({ VISITOR_DAILY_RECORDS: String(records - 1) }, 429)
      if (cards.size > 0) await expectLimit({ VISITOR_DAILY_CARDS: String(cards.size) }, 200)
      if (cards.size > 1) await expectLimit({ VISITOR_DAILY_CARDS: String(cards.size - 1) }, 429)
      if (cards.size === 1) await expectOneMoreCard()

      async function expectLimit(env: Record<string, string>, status: number): Promise<void> {
        const limited = await createTestApp({ env })
        const response = await send(limited, endpoint)
        expect([env, response.status]).toEqual([env, status])
      }

      /** The limit is one card: after another card, this one is refused. */
      async function expectOneMoreCard(): Promise<void> {
        const limited = await createTestApp({ env: { VISITOR_DAILY_CARDS: '1' } })
        const other = { method: 'GET', sample: { path: '/v1/cards/900416' } }
        expect((await send(limited, other)).status).toBe(200)
        expect((await send(limited, endpoint)).status).toBe(429)
      }
    },
  )

  test('that visitors can use is a GET of the catalog', async () => {
    const open: string[] = []
    for (const { method, path, sample } of ENDPOINTS) {
      const response = await send(testApp, { method, sample })
      if (response.status < 400 && hasCards(response.text)) open.push(`${method} ${path}`)
    }
    expect(open.every((name) => name.startsWith('GET /v1/'))).toBe(true)
    expect(open.length).toBe(9)
  })

  test('that the server has under /v1 is in the document, or refuses its method', async () => {
    const known = new Set(ENDPOINTS.map(({ name }) => name))
    const nameOf = ({ method, path }: { method: string; path: string }) =>
      `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
    const others = testApp.app.routes.filter(
      (route) => /^(GET|POST|PUT|PATCH|DELETE)$/.test(route.method) && !known.has(nameOf(route)),
    )
    const answered: string[] = []
    for (const route of others.filter(({ path }) => path.startsWith('/v1/'))) {
      const sample = { path: route.path.replaceAll(/:\w+/g, '1') }
      const { status } = await send(testApp, { method: route.method, sample })
      if (status !== 405) answered.push(nameOf(route))
    }
    expect(answered).toEqual(['POST /v1/payments/stripe/webhook'])
  })
})

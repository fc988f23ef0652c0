import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CONFIDENCE_LEVELS, CONFIDENCE_REASONS } from '#rules/pricing/confidence.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { createTestApp, FROZEN_TIME, type TestApp } from '../../support/test-app.ts'

let testApp: TestApp

beforeAll(async () => {
  testApp = await createTestApp()
})
afterAll(() => testApp.close())

type Judged = {
  card_id: number
  printing: string
  confidence?: string
  confidence_reasons?: string[]
}

const get = <T>(path: string) => testApp.client.get<T>(path, { as: 'business' })

/** Endpoints that return prices, with what they add to each response. */
const PRICED = [
  '/v1/cards/900401?',
  '/v1/cards/900401/prices?',
  '/v1/cards/900402/prices?',
  '/v1/cards/marketplace/900401?',
  '/v1/sets/90022/cards?',
  '/v1/sets/90022/prices?',
  '/v1/search?q=marigold&',
  '/v1/prices/top-movers?limit=10&',
  '/v1/bulk/prices?ids=900401,900082,900205&',
  '/v1/bulk/cards?ids=900401,900082,900205&',
] as const

/** Removes the members that `include=confidence` adds, and counts them. */
function strip(value: unknown): { value: unknown; levels: number } {
  let levels = 0
  const stripped = JSON.parse(JSON.stringify(value), (name, member) => {
    if (name === 'confidence') {
      expect(CONFIDENCE_LEVELS).toContain(member)
      levels++
    }
    if (name === 'confidence_reasons') {
      for (const reason of member) expect(CONFIDENCE_REASONS).toContain(reason)
    }
    return name === 'confidence' || name === 'confidence_reasons' ? undefined : member
  })
  return { value: stripped, levels }
}

/** Days after the time at which the test app starts. */
const inDays = (days: number) => new Date(Date.parse(FROZEN_TIME) + days * MS_PER_DAY).toISOString()

describe('include=confidence', () => {
  test.each(PRICED)('adds a level to each price of %s and changes nothing else', async (path) => {
    const { data, meta } = (await get<unknown>(path)).body as { data: unknown; meta?: unknown }
    const { body } = await get<unknown>(`${path}include=confidence`)
    const with_ = body as { data: unknown; meta?: unknown }
    const { value, levels } = strip({ data: with_.data, meta: with_.meta })
    expect(JSON.stringify(value)).toBe(JSON.stringify({ data, meta }))
    const prices = JSON.stringify({ data, meta }).match(/"market_price":/g)?.length ?? 0
    // Cards in lists repeat the price of one of their printings.
    const cards = JSON.stringify(data).match(/"prices":/g)?.length ?? 0
    expect(levels).toBe(prices - cards)
    expect(levels).toBeGreaterThan(0)
  })

  test('is the same on every endpoint', async () => {
    const { body } = await get<Judged[]>('/v1/sets/90022/prices?include=confidence')
    const cards = Map.groupBy(body.data, ({ card_id }) => card_id)
    for (const [card, prices] of cards) {
      const { body: own } = await get<Judged | Judged[]>(
        `/v1/cards/${card}/prices?include=confidence`,
      )
      const levels = (judged: readonly Judged[]) =>
        judged.map(({ printing, confidence, confidence_reasons }) => ({
          printing,
          confidence,
          confidence_reasons,
        }))
      expect(levels([own.data].flat())).toEqual(levels(prices))
    }
  })

  test('is low for a card without prices', async () => {
    const { body } = await get<Judged[]>('/v1/bulk/prices?ids=900082&include=confidence')
    expect(body.data).toMatchObject([
      { printing: null, confidence: 'low', confidence_reasons: ['no_market_price'] },
    ])
  })

  test('can be combined with the members to keep', async () => {
    const { body } = await get<object[]>(
      '/v1/bulk/prices?ids=900401&include=confidence&fields=market_price,confidence',
    )
    expect(Object.keys(body.data[0] ?? {})).toEqual(['card_id', 'market_price', 'confidence'])
  })

  test('of another value is refused', async () => {
    const { status, body } = await get('/v1/cards/900401?include=confidence,reviews')
    expect(status).toBe(400)
    expect(body.error?.message).toContain('"include" must be')
  })

  test('falls with the age of the prices, and the entity tag changes with it', async () => {
    const own = await createTestApp()
    const path = '/v1/cards/900401/prices?include=confidence&printing=Normal'
    const read = async () => {
      const { headers, body } = await own.client.get<Judged[]>(path, { as: 'business' })
      const [price] = [body.data].flat()
      return {
        tag: headers.get('etag'),
        level: price?.confidence,
        reasons: price?.confidence_reasons,
      }
    }
    const fresh = await read()
    own.setClock(inDays(10))
    const later = await read()
    own.setClock(inDays(40))
    const old = await read()
    own.close()
    expect(fresh).toMatchObject({ level: 'high', reasons: [] })
    expect(later).toMatchObject({ level: 'medium', reasons: ['outdated'] })
    expect(old).toMatchObject({ level: 'low', reasons: ['outdated'] })
    expect(new Set([fresh.tag, later.tag, old.tag]).size).toBe(3)
  })
})

describe('min_confidence of top movers', () => {
  const movers = async (query: string) => {
    const { body } = await get<Judged[]>(
      `/v1/prices/top-movers?limit=50&include=confidence&${query}`,
    )
    return body.data
  }

  test.each(['24h', '7d', '30d'])(
    'keeps the movers of %s that reach it, in their order',
    async (period) => {
      const all = await movers(`period=${period}`)
      for (const minimum of CONFIDENCE_LEVELS) {
        const reached = CONFIDENCE_LEVELS.slice(0, CONFIDENCE_LEVELS.indexOf(minimum) + 1)
        const expected = all.filter(({ confidence }) =>
          reached.some((level) => level === confidence),
        )
        const found = await movers(`period=${period}&min_confidence=${minimum}`)
        // All movers end after fifty, where lists of the reliable ones go on.
        expect(found.slice(0, expected.length)).toEqual(expected)
        for (const { confidence } of found)
          expect(reached.some((level) => level === confidence)).toBe(true)
      }
    },
  )

  test('leaves out prices that have become too old since they were published', async () => {
    const own = await createTestApp()
    own.setClock(inDays(40))
    const { body } = await own.client.get<Judged[]>('/v1/prices/top-movers?min_confidence=medium', {
      as: 'business',
    })
    own.close()
    expect(body.data).toEqual([])
  })
})

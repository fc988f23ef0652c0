import { describe, expect, test } from 'bun:test'
import { CONFIDENCE_LEVELS, CONFIDENCE_REASONS } from '#rules/pricing/confidence.ts'
import { PERIOD_NAMES } from '#rules/pricing/price-changes.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { PHOTO } from '../../support/photos/reader-fixtures.ts'
import { openConfirmedFilter } from '../../support/pricing/confirmed-changes.ts'
import { addPriceList, LISTED_CARD } from '../../support/pricing/price-sources.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, FROZEN_TIME } from '../../support/test-app.ts'

const testApp = await createTestApp()

type Judged = {
  card_id: number
  printing: string
  confidence?: string
  confidence_reasons?: string[]
}

const get = <T>(path: string) => testApp.client.get<T>(path, { as: 'business' })

/** Endpoints that return prices, with the members added to each response. */
const PRICED = [
  '/v1/cards/900401?',
  '/v1/cards/900401/prices?',
  '/v1/cards/900402/prices?',
  '/v1/cards/marketplace/900401?',
  '/v1/cards/900208/reprints?',
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

/** Returns the time days after the start of the test app. */
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
    const refused = await get('/v1/cards/900401?include=confidence,reviews')
    expectRefusal(refused, 400, 'VALIDATION_ERROR')
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
    expect(fresh).toMatchObject({ level: 'high', reasons: [] })
    expect(later).toMatchObject({ level: 'medium', reasons: ['outdated'] })
    expect(old).toMatchObject({ level: 'low', reasons: ['outdated'] })
    expect(new Set([fresh.tag, later.tag, old.tag]).size).toBe(3)
  })
})

describe('include=confidence of matches and files', () => {
  const post = async (path: string, json: object) =>
    (await testApp.client.post<unknown>(path, json, { as: 'business' })).body.data
  const LEVEL = expect.stringMatching(/^(high|medium|low)$/)
  const judged = { confidence: LEVEL, confidence_reasons: expect.any(Array) }

  test('judges each price of resolved ids and names', async () => {
    const ids = await post('/v1/bulk/resolve/marketplace?include=confidence', { ids: [900401] })
    const { value, levels } = strip(ids)
    expect(levels).toBe(3)
    expect(value).toEqual(await post('/v1/bulk/resolve/marketplace', { ids: [900401] }))
    const items = [{ name: 'Marginwyrm' }]
    const names = await post('/v1/bulk/resolve/name?include=confidence', { items })
    expect(names).toMatchObject({
      results: [{ match: { confidence: 'exact', prices: [judged, judged] } }],
    })
  })

  test('judges the prices of each result of a repeated name in the same way', async () => {
    const items = [1, 2].map((ref) => ({ name: 'Marginwyrm', ref }))
    const names = await post('/v1/bulk/resolve/name?include=confidence', { items })
    expect(names).toMatchObject({
      results: [{ match: { prices: [judged, judged] } }, { match: { prices: [judged, judged] } }],
    })
    expect(JSON.stringify(names)).not.toContain('price_confidence')
  })

  test('judges the price of a row beside the confidence in its match', async () => {
    const list = { list: '2 Marginwyrm\n1 Nobody at All' }
    const rows = await post('/v1/bulk/resolve/list?include=confidence', list)
    expect(rows).toMatchObject({
      rows: [{ match: { confidence: 'exact', price_confidence: LEVEL } }],
    })
    const path = '/v1/bulk/resolve/list?include=confidence&format=csv'
    const refused = await testApp.client.post(path, list, { as: 'business' })
    expectRefusal(refused, 400, 'VALIDATION_ERROR')
  })

  test('is in both formats of an export as the endpoint of the set has it', async () => {
    const { body } = await get<Judged[]>('/v1/sets/90022/prices?include=confidence')
    const expected = body.data.map(({ card_id, printing, confidence, confidence_reasons }) => {
      return { card_id, printing, confidence, confidence_reasons }
    })
    const path = '/v1/export/set/90022?include=confidence&format='
    const read = async (format: string) =>
      (await testApp.client.get(path + format, { as: 'business' })).text
    const { prices } = JSON.parse(await read('json')) as { prices: Judged[] }
    const priced = prices.filter(({ printing }) => printing !== null)
    expect(priced).toMatchObject(expected)
    expect(prices.every(({ confidence }) => confidence !== undefined)).toBe(true)
    const [header, ...lines] = (await read('csv')).trim().split('\r\n')
    expect(header).toEndWith(',last_updated_at,confidence,confidence_reasons')
    expect(lines.map((line) => line.split(',').slice(-2))).toEqual(
      prices.map(({ confidence, confidence_reasons }) => [
        confidence ?? '',
        confidence_reasons?.join(' ') ?? '',
      ]),
    )
  })

  test('is that of the price list whose condition stands for a printing', async () => {
    const own = await createTestApp()
    addPriceList(own)
    const { body } = await own.client.get<Judged[]>(
      `/v1/cards/${LISTED_CARD}/prices?source=corner-shop&include=confidence`,
      { as: 'business' },
    )
    expect(body.data.map(({ confidence_reasons }) => confidence_reasons)).not.toContainEqual([
      'no_market_price',
    ])
  })

  test('of a photo judges the prices of the first candidate', async () => {
    const photo = async (include: string) =>
      (await post(`/v1/identify?include=${include}`, { image: PHOTO.jpeg.toBase64() })) as {
        candidates: { prices?: Judged[] }[]
      }
    const plain = await photo('prices')
    for (const include of ['confidence', 'prices,confidence']) {
      const prices = (await photo(include)).candidates[0]?.prices ?? []
      expect(prices.map(({ confidence }) => confidence)).toEqual(prices.map(() => LEVEL))
      expect(strip(prices).value).toEqual(plain.candidates[0]?.prices)
    }
  })
})

describe('min_confidence of top movers', () => {
  const movers = async (query: string) => {
    const { body } = await get<Judged[]>(
      `/v1/prices/top-movers?limit=50&include=confidence&${query}`,
    )
    return body.data
  }

  test.each(PERIOD_NAMES)(
    'keeps the movers of %s that reach it, in their order',
    async (period) => {
      const all = await movers(`period=${period}&min_confidence=low`)
      const isReliable = openConfirmedFilter(testApp.catalogDb, period)
      for (const minimum of CONFIDENCE_LEVELS) {
        const reached = CONFIDENCE_LEVELS.slice(0, CONFIDENCE_LEVELS.indexOf(minimum) + 1)
        // A change that may be that of one sale is only in the list of all.
        const expected = all.filter(
          (row) =>
            reached.some((level) => level === row.confidence) &&
            (minimum === 'low' || isReliable(row)),
        )
        expect(expected.length).toBeGreaterThan(0)
        const found = await movers(`period=${period}&min_confidence=${minimum}`)
        // The list of all movers ends after fifty, those of the reliable ones continue.
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
    expect(body.data).toEqual([])
  })
})

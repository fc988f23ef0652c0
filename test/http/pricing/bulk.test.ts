import { describe, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import type { CardRow, PointRow, PriceRow, Row, TestResponse } from '../../support/test-client.ts'

const testApp = await createTestApp()
const get = <Data = Row>(path: string) => testApp.client.get<Data>(path, { as: 'business' })
const lists = await Promise.all(
  [90011, 90012, 90021, 90022, 90031].map((id) =>
    get<CardRow[]>(`/v1/sets/${id}/cards?per_page=100`),
  ),
)
/** Every card of the sample, as its set's list returns it. */
const cards = lists.flatMap(({ body }) => body.data)

const left = async (of: TestApp = testApp) => {
  const { body } = await of.client.get('/v1/sets?page=0', { as: 'business' })
  return body.rate_limit.daily_remaining
}

/** Each endpoint that takes a list of ids, with the maximum. */
const LISTS = [
  ['/v1/bulk/prices', 500],
  ['/v1/bulk/cards', 100],
  ['/v1/bulk/history', 50],
] as const

/** Returns the given number of distinct ids. */
const someIds = (count: number) => Array.from({ length: count }, (_, index) => 900_001 + index)

describe.each(LISTS)('GET %s', (path, most) => {
  const send = (ids: readonly unknown[]) => get(`${path}?ids=${ids.join(',')}`)

  test(`costs one request for one id and for ${most}`, async () => {
    for (const count of [1, most]) {
      const before = await left()
      const { status, body } = await send(someIds(count))
      expect([status, body.meta.total_requested]).toEqual([200, count])
      expect(body.rate_limit.daily_remaining).toBe(before - 1)
    }
  })

  test('returns the order of the ids, and a duplicate once, charged once', async () => {
    const { body } = await send([900_205, 900_001, 900_205, 900_001, 900_401])
    expect(body.meta).toMatchObject({ total_requested: 3, not_found: [] })
    const returned = Array.isArray(body.data)
      ? body.data.map((one: Row) => one.card_id ?? one.id)
      : Object.keys(body.data).map(Number)
    // Integer-like keys of an object are in ascending order.
    const requested = [900_205, 900_001, 900_401]
    expect(returned).toEqual(
      Array.isArray(body.data) ? requested : requested.toSorted((a, b) => a - b),
    )
  })

  test('lists unknown ids and returns the known ones', async () => {
    const { status, body } = await send([1, 900_001, 2, 9_007_199_254_740_991])
    expect(status).toBe(200)
    expect(body.meta).toMatchObject({
      total_requested: 4,
      not_found: [1, 2, 9_007_199_254_740_991],
    })
    const none = await send([1])
    expect([none.status, Object.keys(none.body.data)]).toEqual([200, []])
    expect(none.body.meta.not_found).toEqual([1])
  })

  test('accepts ids of sixteen digits, as many as are allowed', async () => {
    const ids = someIds(most).map((id) => String(id).padStart(16, '0'))
    const { status, body } = await get(`${path}?ids=${ids.join(',%20')}`)
    expect([status, body.meta.total_requested]).toEqual([200, most])
  })

  test('returns a card that was removed upstream, as its own URL does', async () => {
    const own = await createTestApp()
    own.catalogDb.exec("UPDATE cards SET missing_since = '2026-11-15' WHERE id = 900201")
    const { body } = await own.client.get(`${path}?ids=900201`, { as: 'business' })
    expect(body.meta.not_found).toEqual([])
  })

  test(`returns TOO_MANY_ITEMS for ${most + 1}, with the limit, and charges nothing`, async () => {
    const before = await left()
    for (const ids of [someIds(most + 1), Array(most + 1).fill(900_001)]) {
      const { status, body } = await send(ids)
      expect([status, body.error?.code]).toEqual([400, 'TOO_MANY_ITEMS'])
      expect(body.rate_limit.daily_remaining).toBe(before)
    }
  })
})

describe('GET /v1/bulk/prices', () => {
  test('returns the price summary of each card', async () => {
    const ids = cards.map(({ id }) => id)
    const { body } = await get<Row[]>(`/v1/bulk/prices?ids=${ids.join(',')}`)
    expect(body.data).toHaveLength(ids.length)
    for (const [at, { id, prices }] of cards.entries()) {
      const base = SAMPLE_ORDER.map((name) =>
        prices.find(({ printing }) => printing === name),
      ).find((price) => price !== undefined)
      const isFirst = (row: PriceRow | undefined) => row?.printing.startsWith('1st') === true
      const foils = prices.filter(
        (row) => row !== base && /foil/i.test(row.printing) && isFirst(row) === isFirst(base),
      )
      const foil = byPrice(foils).findLast(({ market_price }) => market_price !== null)
      expect(body.data[at]).toEqual({
        card_id: id,
        printing: base?.printing ?? null,
        market_price: base?.market_price ?? null,
        low_price: base?.low_price ?? null,
        foil_market_price: foil?.market_price ?? null,
        price_change_24h: base?.price_change_24h ?? null,
        last_updated_at: base?.last_updated_at ?? expect.any(String),
      })
    }
  })

  /** Printings of the sample, the one that represents a card first. */
  const SAMPLE_ORDER = [
    'Normal',
    'Unlimited',
    'Foil',
    'Holofoil',
    'Reverse Holofoil',
    'Cold Foil',
    '1st Edition',
    '1st Edition Holofoil',
  ]

  /** Sorts prices from the lowest to the highest; unknown ones last. */
  function byPrice(prices: readonly PriceRow[]): PriceRow[] {
    const worth = ({ market_price }: PriceRow) => market_price ?? Number.POSITIVE_INFINITY
    return prices.toSorted((a, b) => (worth(a) < worth(b) ? -1 : 1))
  }
})

test('GET /v1/bulk/cards equals the entries of the set’s list', async () => {
  for (let at = 0; at < cards.length; at += 100) {
    const some = cards.slice(at, at + 100)
    const ids = some.map(({ id }) => id)
    const { body } = await get<CardRow[]>(`/v1/bulk/cards?ids=${ids.join(',')}`)
    expect(body.data).toEqual(some)
  }
})

describe('GET /v1/bulk/history', () => {
  const historyOf = (query: string, as: 'pro' | 'business' = 'business') =>
    testApp.client.get<Record<string, PointRow[]>>(`/v1/bulk/history?${query}`, { as })

  test.each(['month', 'quarter', 'year'])(
    'range=%s returns for each card the history of /v1/cards/{id}/history',
    async (range) => {
      const ids = cards.slice(0, 50).map(({ id }) => id)
      const { body } = await historyOf(`ids=${ids.join(',')}&range=${range}`)
      expect(Object.keys(body.data).map(Number)).toEqual(ids.toSorted((a, b) => a - b))
      for (const id of ids) {
        const alone = await get<PointRow[]>(`/v1/cards/${id}/history?range=${range}`)
        expect(body.data[id]).toEqual(alone.body.data)
        const { from, to } = alone.body.meta
        expect(body.meta).toMatchObject({ range, from, to })
      }
    },
  )

  test('returns one month without a range', async () => {
    const history = await historyOf('ids=900001&range=month')
    expect((await historyOf('ids=900001')).body.data).toEqual(history.body.data)
    expect(history.body.meta.from).toBe('2026-10-16')
  })

  test('returns an empty list for a card without sales', async () => {
    const { body } = await historyOf('ids=900082')
    expect(body.data).toEqual({ 900082: [] })
    expect(body.meta.not_found).toEqual([])
  })

  test('has another ETag on another day', async () => {
    const own = await createTestApp()
    const tagOf = async () => {
      const testResponse: TestResponse<Row> = await own.client.get('/v1/bulk/history?ids=900001', {
        as: 'pro',
      })
      return testResponse.headers.get('etag')
    }
    const first = await tagOf()
    own.setClock('2026-11-16T00:00:01Z')
    expect(await tagOf()).not.toBe(first)
  })
})

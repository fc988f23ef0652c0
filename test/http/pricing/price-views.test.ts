/** Figures in other currencies and of other sources, compared with plain arithmetic on the rates. */
import { describe, expect, test } from 'bun:test'
import type { PriceOrigin } from '#rules/pricing/price-view.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import type { CardSet, SetSummary, SetValue } from '../../../src/client/endpoints.ts'
import { PHOTO } from '../../support/photos/reader-fixtures.ts'
import {
  addPriceSources,
  GRADED_CARD,
  listTestRates,
  publishPrices,
  RATE_DAY,
} from '../../support/pricing/price-sources.ts'
import { expectChained } from '../../support/pricing/set-values.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, FROZEN_TIME } from '../../support/test-app.ts'
import type { CardRow, PointRow, PriceRow, Row } from '../../support/test-client.ts'

const testApp = await createTestApp()
addPriceSources(testApp)
const cardIds = testApp.catalogDb
  .prepare<[], number>('SELECT DISTINCT card_id FROM prices')
  .pluck()
  .all()

const get = async <Data>(path: string, app = testApp) =>
  (await app.client.get<Data>(path, { as: 'business' })).body.data

type Viewed<Record> = Record & PriceOrigin

const pricesOf = async <Price = Viewed<PriceRow>>(id: number, choice = '') =>
  [await get<Price | Price[]>(`/v1/cards/${id}/prices?${choice}`)].flat() as Price[]

const RATES = new Map(listTestRates().map(({ day, perEuro }) => [day, { ...perEuro, EUR: 1 }]))

/** Returns the rate per euro in millionths, without rounding. */
function perEuro(currency: string, day: number): bigint {
  const rate = Object.entries(RATES.get(day) ?? {}).find(([name]) => name === currency)?.[1]
  if (rate === undefined) throw new Error(`${currency} has no rate on day ${day}`)
  return BigInt(Math.round(rate * 1e6))
}

/** Converts an amount in integer arithmetic, and rounds halves up. */
function convert(amount: number, from: string, to: string, day: number): number {
  const cents = BigInt(Math.round(amount * 100))
  const [numerator, denominator] = [2n * cents * perEuro(to, day), perEuro(from, day)]
  return Number((numerator + denominator) / (2n * denominator)) / 100
}

test('1,000 random conversions equal the arithmetic to the cent', async () => {
  const random = randomFrom(SEED)
  let converted = 0
  while (converted < 1_000) {
    const id = pick(random, cardIds)
    const [choice, from, to] = pick(random, [
      ['currency=GBP', 'USD', 'GBP'],
      ['currency=JPY', 'USD', 'JPY'],
      ['source=tcgplayer&currency=EUR', 'USD', 'EUR'],
      ['source=cardmarket&currency=GBP', 'EUR', 'GBP'],
      ['source=cardmarket&currency=USD', 'EUR', 'USD'],
    ])
    const originals = await pricesOf(id, from === 'EUR' ? 'source=cardmarket' : '')
    const prices = await pricesOf(id, choice)
    expect(prices.map(({ printing }) => printing)).toEqual(
      originals.map(({ printing }) => printing),
    )
    for (const [at, price] of prices.entries()) {
      for (const amount of ['market_price', 'low_price', 'median_price'] as const) {
        const original = originals[at]?.[amount] ?? null
        const expected = original === null ? null : convert(original, from, to, RATE_DAY)
        expect([id, choice, price[amount]]).toEqual([id, choice, expected])
        converted++
      }
      expect(price.rate).toBeCloseTo(
        Number(perEuro(to, RATE_DAY)) / Number(perEuro(from, RATE_DAY)),
        9,
      )
      expect(price).toMatchObject({ converted: true, rate_date: formatDate(RATE_DAY) })
      expect(price.price_change_7d).toBe(originals[at]?.price_change_7d ?? null)
    }
  }
})

describe('a price in euros', () => {
  test('is that of the native source where it has one, else converted', async () => {
    const origins = await Promise.all(
      cardIds.map(async (id) => {
        const native = await pricesOf(id, 'source=cardmarket')
        const mirror = await pricesOf(id, 'source=tcgplayer&currency=EUR')
        const prices = await pricesOf(id, 'currency=EUR')
        for (const price of prices) {
          const isSame = ({ printing }: PriceRow) => printing === price.printing
          expect(price).toEqual(native.find(isSame) ?? mirror.find(isSame) ?? price)
        }
        expect(prices).toHaveLength(mirror.length)
        return prices.map(({ source }) => source)
      }),
    )
    expect(new Set(origins.flat())).toEqual(new Set(['cardmarket', 'tcgplayer']))
  })

  test('is the same on all endpoints', async () => {
    const { data: page } = (
      await testApp.client.get<Viewed<CardRow>[]>('/v1/sets/90012/cards?currency=EUR', {
        as: 'business',
      })
    ).body
    const ids = page.map(({ id }) => id)
    const bulk = await get<Viewed<PriceRow>[]>(`/v1/bulk/prices?ids=${ids}&currency=EUR`)
    const exported = await testApp.client.get('/v1/export/set/90012?currency=EUR', {
      as: 'business',
    })
    const rows = (JSON.parse(exported.text) as { prices: Viewed<PriceRow>[] }).prices
    for (const card of page) {
      const prices = await pricesOf(card.id, 'currency=EUR')
      expect(card.prices).toEqual(prices)
      const base = prices.find(({ printing }) => printing === card.printing)
      const { market_price, source, rate } = card
      expect({ market_price, source, rate }).toMatchObject({
        market_price: base?.market_price ?? null,
        source: base?.source ?? null,
      })
      expect(bulk.find(({ card_id }) => card_id === card.id)).toMatchObject({
        market_price,
        source,
      })
      for (const price of prices) {
        expect(rows).toContainEqual(expect.objectContaining(price))
      }
    }
  })

  test('adds up to the value of a set', async () => {
    const cards = await get<CardRow[]>('/v1/sets/90012/cards?currency=EUR&type=Cards&per_page=100')
    const cents = cards.reduce((sum, card) => sum + Math.round((card.market_price ?? 0) * 100), 0)
    expect(await get('/v1/sets/90012/summary?currency=EUR')).toMatchObject({
      value: cents / 100,
      currency: 'EUR',
      converted: true,
    })
  })

  test.each(['currency=EUR', 'currency=GBP', 'source=tcgplayer&currency=EUR', 'source=cardmarket'])(
    'is in lists of sets what it is in the summary, with %s',
    async (choice) => {
      const sets = await get<CardSet[]>(`/v1/sets?${choice}`)
      expect(sets).toHaveLength(5)
      for (const { id, game_slug, ...set } of sets) {
        const { cards, priced, value, low_confidence_value, ...origin } = await get<SetSummary>(
          `/v1/sets/${id}/summary?${choice}`,
        )
        const { currency, converted, rate, rate_date } = origin
        expect(set).toMatchObject({
          single_count: cards,
          priced_count: priced,
          value: priced === 0 ? null : value,
          currency,
          converted,
          ...(converted && { rate, rate_date }),
        })
        expect(low_confidence_value).toBeLessThanOrEqual(value)
        const ofGame = await get<CardSet[]>(`/v1/games/${game_slug}/sets?${choice}`)
        expect(ofGame).toContainEqual({ id, game_slug, ...set })
        expect(await get<CardSet>(`/v1/sets/${id}?${choice}`)).toEqual({ id, game_slug, ...set })
      }
    },
  )

  test.each(['', 'currency=GBP', 'currency=EUR', 'source=cardmarket'])(
    'is in the set of an export what it is in the set, with "%s"',
    async (choice) => {
      const exported = await testApp.client.get(`/v1/export/set/90012?${choice}`, {
        as: 'business',
      })
      const { set } = JSON.parse(exported.text) as { set: CardSet }
      expect(set).toEqual(await get<CardSet>(`/v1/sets/90012?${choice}`))
    },
  )

  test('of the mirror alone is the value of a set at once, not card by card', async () => {
    const { value } = await get<CardSet>('/v1/sets/90012')
    const { value: converted } = await get<CardSet>('/v1/sets/90012?currency=GBP')
    expect(converted).toBe(convert(value ?? 0, 'USD', 'GBP', RATE_DAY))
  })

  test('lists all sets in another currency as changed', async () => {
    const after = 'updated_after=2026-11-15T23:59:59Z'
    expect(await get<CardSet[]>(`/v1/sets?${after}`)).toEqual([])
    expect(await get<CardSet[]>(`/v1/sets?${after}&currency=GBP`)).toHaveLength(5)
  })

  test('bounds a search', async () => {
    const search = async (bounds: string) =>
      (
        await get<CardRow[]>(
          `/v1/search?q=wickerwild&source=tcgplayer&currency=EUR&per_page=100${bounds}`,
        )
      ).map(({ id, market_price }) => ({ id, market_price }))
    const all = (await search('')).filter(({ market_price }) => market_price !== null)
    const bounds = [...new Set(all.map(({ market_price }) => market_price ?? 0))].sort(
      (a, b) => a - b,
    )
    const [min = 0, max = 0] = [bounds[2], bounds.at(-3)]
    const within = all.filter(
      ({ market_price: price }) => (price ?? 0) >= min && (price ?? 0) <= max,
    )
    const found = await search(`&min_price=${min}&max_price=${max}`)
    expect(found.map(({ id }) => id).toSorted()).toEqual(within.map(({ id }) => id).toSorted())
    expect(within.length).toBeLessThan(all.length)
  })
})

describe('a history', () => {
  test('is converted with the rate of each day, the last one on days without', async () => {
    const plain = await get<PointRow[]>('/v1/cards/900003/history/detailed')
    const points = await get<Viewed<PointRow>[]>('/v1/cards/900003/history/detailed?currency=GBP')
    const known = plain.filter(({ date }) => date >= formatDate(RATE_DAY - 90))
    expect(points).toHaveLength(known.length)
    expect(known.length).toBeGreaterThan(3)
    for (const [at, { date, market_price, rate_date }] of points.entries()) {
      const day = Math.max(...[...RATES.keys()].filter((day) => formatDate(day) <= date))
      const original = known[at]?.market_price ?? null
      expect({ date, market_price, rate_date }).toEqual({
        date,
        market_price: original === null ? null : convert(original, 'USD', 'GBP', day),
        rate_date: formatDate(day),
      })
    }
  })

  test('is that of the source if it has one for the printing', async () => {
    const points = await get<Viewed<PointRow>[]>(
      `/v1/cards/${GRADED_CARD}/history?printing=Normal&currency=EUR&range=year`,
    )
    expect(points.map(({ date, source }) => [date, source])).toEqual(
      [RATE_DAY - 8, RATE_DAY, RATE_DAY + 2].map((day) => [formatDate(day), 'cardmarket']),
    )
  })
})

describe('GET /v1/prices/top-movers', () => {
  type Mover = Row &
    PriceOrigin & {
      previous_price: number
      market_price: number
      price_change: number
      price_change_amount: number
      game_name: string
    }

  test('has the movers of the native source where it has any, else converted ones', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    const movers = (query: string) => get<Mover[]>(`/v1/prices/top-movers?${query}`, own)
    const before = { plain: await movers(''), euros: await movers('currency=EUR') }
    expect(before.euros.map(({ source }) => source)).toContain('tcgplayer')
    expect(await movers('source=cardmarket')).toEqual([])
    // Publishes half of the market price of one printing on the next day.
    publishPrices(own, RATE_DAY + 3, (cents, card_id) =>
      card_id === GRADED_CARD ? cents / 2 : cents,
    )
    const [fallen, ...others] = await movers('currency=EUR&direction=down&min_confidence=low')
    expect(fallen).toMatchObject({ card_id: GRADED_CARD, price_change: -50, source: 'cardmarket' })
    expect(fallen).toMatchObject({ currency: 'EUR', converted: false })
    expect(new Set(others.map(({ source }) => source)).size).toBeLessThan(2)
    expect(await movers('currency=EUR&min_confidence=low')).toEqual([])
    // Half of the other market's price is of low confidence, and there is no other native mover.
    const reliable = await movers('currency=EUR&direction=down')
    expect(new Set(reliable.map(({ source }) => source))).toEqual(new Set(['tcgplayer']))
    // Another period, game and currency.
    expect((await movers('currency=EUR&period=30d')).map(({ converted }) => converted)).toContain(
      true,
    )
    const games = await get<{ slug: string; name: string }[]>('/v1/games', own)
    const other = games.find(({ name }) => name !== fallen?.game_name)?.slug
    const elsewhere = await movers(`currency=EUR&game=${other}`)
    expect(elsewhere.every(({ source }) => source === 'tcgplayer')).toBe(true)
    const pounds = await movers('source=cardmarket&currency=GBP&direction=down&min_confidence=low')
    expect(pounds[0]).toMatchObject({
      card_id: GRADED_CARD,
      price_change: -50,
      source: 'cardmarket',
      converted: true,
      market_price: convert(fallen?.market_price ?? 0, 'EUR', 'GBP', RATE_DAY),
      previous_price: convert(fallen?.previous_price ?? 0, 'EUR', 'GBP', RATE_DAY),
    })
    for (const { market_price, previous_price, price_change_amount } of pounds) {
      expect(price_change_amount).toBeCloseTo(market_price - previous_price, 6)
    }
    expect(await movers('')).toEqual(before.plain)
  })
})

describe('without a rate of the last seven days', () => {
  test('prices are unknown, movers are omitted and no price is in a range', async () => {
    const own = await createTestApp()
    openSourcePublisher(own.catalogDb).putRates(
      [{ day: RATE_DAY - 6, perEuro: { USD: 1.1 } }],
      new Date(FROZEN_TIME),
    )
    own.deps.catalog.publication.refresh()
    const [price] = [
      await get<Viewed<PriceRow>[]>('/v1/cards/900401/prices?currency=EUR', own),
    ].flat()
    expect(price).toMatchObject({
      market_price: null,
      low_price: null,
      currency: 'EUR',
      source: 'tcgplayer',
      converted: true,
      rate: null,
      rate_date: null,
    })
    expect(await get<Row[]>('/v1/prices/top-movers?currency=EUR', own)).toEqual([])
    expect(await get<Row[]>('/v1/search?q=wickerwild&currency=EUR&max_price=1000', own)).toEqual([])
    expect(await get('/v1/sets/90012/summary?currency=EUR', own)).toMatchObject({
      value: 0,
      priced: 0,
    })
  })

  test('the answer has another ETag than the day before', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    const tagOn = async (time: string) => {
      own.setClock(time)
      const { headers } = await own.client.get('/v1/cards/900401?currency=GBP', { as: 'free' })
      return headers.get('etag')
    }
    const [first, next] = [await tagOn('2026-11-16T12:00:00Z'), await tagOn('2026-11-20T12:00:00Z')]
    expect(next).toBe(first)
    expect(await tagOn('2026-11-21T12:00:00Z')).not.toBe(first)
  })
})

describe('GET /v1/cards/{id}/prices?all=true', () => {
  type Rung = Viewed<PriceRow> & {
    condition: string | null
    grade: string | null
    age_days: number
  }

  test('lists every price with its whole key and its age', async () => {
    const ladder = await get<Rung[]>(`/v1/cards/${GRADED_CARD}/prices?all=true&printing=Foil`)
    expect(
      ladder.map(({ source, currency, condition, grade, age_days }) => [
        source,
        currency,
        condition,
        grade,
        age_days,
      ]),
    ).toEqual([
      ['tcgplayer', 'USD', 'near_mint', null, 0],
      ['cardmarket', 'EUR', null, null, 0],
      ['cardmarket', 'EUR', 'damaged', null, 0],
      ['cardmarket', 'EUR', 'near_mint', 'PSA 10', 0],
    ])
  })

  test('has the amounts and changes of the mirror unchanged', async () => {
    const ladder = await get<Rung[]>(`/v1/cards/${GRADED_CARD}/prices?all=true`)
    for (const price of await pricesOf(GRADED_CARD)) {
      expect(ladder).toContainEqual(expect.objectContaining({ ...price, source: 'tcgplayer' }))
    }
  })

  test('is an array, also of one price, and empty without any', async () => {
    const counts = await Promise.all(
      cardIds.map(async (id) => (await get<Rung[]>(`/v1/cards/${id}/prices?all=true`)).length),
    )
    expect(counts).toContain(1)
    expect(await get(`/v1/cards/900082/prices?all=true`)).toEqual([])
  })

  test('is refused in a view', async () => {
    const path = `/v1/cards/${GRADED_CARD}/prices?all=true&currency=EUR`
    expectRefusal(await testApp.client.get(path, { as: 'free' }), 400, 'VALIDATION_ERROR')
  })
})

describe('GET /v1/meta', () => {
  test('lists further sources and the currencies', async () => {
    const own = await createTestApp()
    addPriceSources(own)
    openSourcePublisher(own.catalogDb).markFailed(
      'cardmarket',
      0,
      'The file is cut off.',
      new Date(FROZEN_TIME),
    )
    const { sources, currencies } = await get<Row>('/v1/meta', own)
    expect(sources).toEqual([
      {
        source: 'cardmarket',
        game: null,
        published_at: '2026-11-15T01:00:00.000Z',
        stale: true,
        reason: 'The file is cut off.',
      },
    ])
    expect(currencies).toEqual({
      available: ['EUR', 'GBP', 'JPY', 'USD'],
      rate_date: '2026-11-13',
    })
  })

  test('has neither without further sources and rates', async () => {
    const own = await createTestApp()
    expect(Object.keys(await get<Row>('/v1/meta', own))).not.toContain('currencies')
  })
})

describe('POST /v1/identify', () => {
  const identify = (choice: string) =>
    testApp.client.post<{ candidates: { prices: Viewed<PriceRow>[] }[] }>(
      `/v1/identify?include=prices&${choice}`,
      { image: PHOTO.jpeg.toBase64() },
      { as: 'pro' },
    )

  test('adds the prices of the view', async () => {
    const { body } = await identify('source=tcgplayer&currency=EUR')
    const [{ prices } = { prices: [] }] = body.data.candidates
    expect(prices.length).toBeGreaterThan(0)
    expect(prices).toEqual(await pricesOf(prices[0]?.card_id ?? 0, 'source=tcgplayer&currency=EUR'))
  })

  test('uses no scan for an unknown currency', async () => {
    const left = async () => {
      const { headers } = await testApp.client.get('/v1/identify/usage', { as: 'pro' })
      return headers.get('x-scans-remaining')
    }
    const before = await left()
    expect((await identify('currency=XXX')).status).toBe(400)
    expect(await left()).toBe(before)
  })
})

/** Reads the value of a set by day, its summary, and the histories of its cards, in a view. */
async function readSetValue(choice: string, app = testApp) {
  const set = '/v1/sets/90012'
  const cards = await get<Row[]>(`${set}/cards?type=Cards&per_page=100&${choice}`, app)
  const lines = await Promise.all(
    cards.map(({ id, printing }) =>
      get<PointRow[]>(
        `/v1/cards/${id}/history?range=all&printing=${encodeURIComponent(String(printing))}&${choice}`,
        app,
      ),
    ),
  )
  const values = await get<SetValue[]>(`${set}/history?range=all&${choice}`, app)
  return { values, lines, summary: await get<SetSummary>(`${set}/summary?${choice}`, app) }
}

test('the part of a set value of low confidence is in the currency of the value', async () => {
  const choice = 'currency=GBP'
  const prices = await get<PriceRow | PriceRow[]>(`/v1/cards/900213/prices?${choice}`)
  const [overdue] = [prices].flat()
  const summary = await get<SetSummary>(`/v1/sets/90021/summary?${choice}`)
  expect(summary).toMatchObject({
    currency: 'GBP',
    low_confidence_value: overdue?.market_price,
    low_confidence_cards: 1,
  })
})

test.each(['currency=GBP', 'currency=EUR', 'source=cardmarket&currency=USD'])(
  'the value of a set by day changes as the histories of its cards do with %s',
  async (choice) => {
    const { values, lines, summary } = await readSetValue(choice)
    expectChained(values, lines)
    const { priced, value, currency, converted, rate, rate_date } = summary
    const origin = JSON.parse(JSON.stringify({ currency, converted, rate, rate_date }))
    const date = formatDate(dayOf(new Date(FROZEN_TIME)))
    expect(values.at(-1)).toEqual({ date, value, ...origin, cards: priced, chained: false })
  },
)

test('the value of a set has no days without a rate, and is not moved by them', async () => {
  const own = await createTestApp()
  addPriceSources(own)
  // A rate is valid for a week, so that five days are without one.
  own.catalogDb
    .prepare<[number, number]>('DELETE FROM exchange_rates WHERE day BETWEEN ? AND ?')
    .run(RATE_DAY - 40, RATE_DAY - 28)
  const [some, all] = await Promise.all([
    readSetValue('currency=GBP', own),
    readSetValue('currency=GBP'),
  ])
  const days = new Set(some.values.map(({ date }) => date))
  const missing = all.values.filter(({ date }) => !days.has(date))
  expect(missing.length).toBeGreaterThan(3)
  expect(missing.length).toBeLessThan(10)
  expectChained(some.values, some.lines)
  expect(some.values.at(-1)).toEqual(all.values.at(-1))
})

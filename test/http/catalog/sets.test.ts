import { describe, expect, test } from 'bun:test'
import { MS_PER_DAY, parseDate } from '#rules/primitives/days.ts'
import { openHistoryImport } from '#store/catalog/history/history-import.ts'
import type { CardSet, SetSummary, SetValue } from '../../../src/client/endpoints.ts'
import { addPriceSources } from '../../support/pricing/price-sources.ts'
import { type CardLine, expectChained } from '../../support/pricing/set-values.ts'
import { createTestApp, PUBLIC_URL } from '../../support/test-app.ts'
import type { CardRow, PriceRow, Row } from '../../support/test-client.ts'

const testApp = await createTestApp()

const get = <Data = Row>(path: string) => testApp.client.get<Data>(path, { as: 'business' })

const SETS = [90011, 90012, 90021, 90022, 90031]

describe('GET /v1/sets', () => {
  test('returns every set of every game, newest first, ties by id', async () => {
    const { body } = await get<{ id: number; release_date: string }[]>('/v1/sets')
    expect(body.data.map((set) => set.id)).toEqual([90012, 90022, 90031, 90021, 90011])
    const dates = body.data.map((set) => set.release_date)
    expect(dates).toEqual(dates.toSorted().reverse())
  })

  test('sorts a set without a release date last', async () => {
    const own = await createTestApp()
    own.catalogDb.exec('UPDATE sets SET release_date = NULL WHERE id = 90012')
    const { body } = await own.client.get<Row[]>('/v1/sets', { as: 'free' })
    expect(body.data.at(-1)).toMatchObject({ id: 90012, release_date: null })
  })

  test.each(['wickerwild', 'vellum-and-thorn', 'perihelion-drift'])(
    'game=%s returns the sets of that game',
    async (game) => {
      const { body } = await get<Row[]>(`/v1/sets?game=${game}`)
      expect(body.data.length).toBeGreaterThan(0)
      for (const set of body.data) expect(set.game_slug).toBe(game)
    },
  )
})

describe('the value of a set in a list', () => {
  test('is that of its summary, wherever the set is returned', async () => {
    for (const id of SETS) {
      const { cards, priced, value } = (await get<SetSummary>(`/v1/sets/${id}/summary`)).body.data
      expect(priced).toBeGreaterThan(0)
      const shown = { id, single_count: cards, priced_count: priced, value }
      const { data: set } = (await get<CardSet>(`/v1/sets/${id}`)).body
      expect(set).toMatchObject(shown)
      for (const path of ['/v1/sets', `/v1/games/${set.game_slug}/sets`]) {
        const { data } = (await get<CardSet[]>(path)).body
        expect(data.find((one) => one.id === id)).toEqual(set)
      }
    }
  })

  test('is null if no price of a single card is known', async () => {
    const own = await createTestApp()
    own.publish('UPDATE sets SET priced_count = 0, value = 0 WHERE id = 90011')
    const { body } = await own.client.get<CardSet>('/v1/sets/90011', { as: 'free' })
    expect(body.data).toMatchObject({ priced_count: 0, value: null })
    for (const currency of ['USD', 'EUR']) {
      addPriceSources(own)
      const query = `source=tcgplayer&currency=${currency}`
      const viewed = await own.client.get<CardSet>(`/v1/sets/90011?${query}`, { as: 'free' })
      expect(viewed.body.data).toMatchObject({ priced_count: 0, value: null, currency })
    }
  })
})

describe('GET /v1/sets?q= and code=', () => {
  const idsOf = async (query: string) => {
    const { status, body } = await get<{ id: number }[]>(`/v1/sets?${query}`)
    expect([status, body.meta.total]).toEqual([200, body.data.length])
    return body.data.map(({ id }) => id)
  }

  test.each([
    ['q=lantern season', 90011],
    ['q=LANTERN', 90011],
    ['q=season lant', 90011],
    ['q=lantern-season', 90011],
    ['q=wickerwild lantern', 90011],
    ['q=first light', 90031],
    ['q=pd1', 90031],
    ['q=ls', 90011],
    ['code=pd1', 90031],
    ['code=PD-1', 90031],
    ['q=light&code=pd1', 90031],
    ['code=PD1&game=perihelion-drift', 90031],
  ])('%s finds %i first', async (query, id) => {
    expect((await idsOf(query))[0]).toBe(id)
  })

  test.each([
    'q=nothing-like-this',
    'q=--',
    'code=nope',
    'code=light',
    'code=PD1&game=wickerwild',
    'q=lantern&code=PD1',
  ])('%s finds none', async (query) => expect(await idsOf(query)).toEqual([]))

  test('is paged, and combined with updated_after and fields', async () => {
    const all = await idsOf('q=wickerwild')
    const { body, headers } = await get<Row[]>(
      '/v1/sets?q=wickerwild&per_page=1&page=2&fields=slug',
    )
    expect(body.data).toEqual([{ id: all[1], slug: expect.any(String) }])
    expect(body.meta).toMatchObject({ total: 2, page: 2, per_page: 1, has_more: false })
    expect(headers.get('link')).toContain('q=wickerwild')
    expect(await idsOf('q=wickerwild&updated_after=2099-01-01')).toEqual([])
  })
})

describe('GET /v1/sets/{id}', () => {
  test('its picture is that of the card with the highest price, of low confidence only without another one', async () => {
    for (const id of SETS) {
      const { body } = await get(`/v1/sets/${id}`)
      const { body: cards } = await get<CardRow[]>(
        `/v1/sets/${id}/cards?per_page=100&include=confidence`,
      )
      const worth = ({ prices }: CardRow) =>
        Math.max(
          0,
          ...prices.map((one) => (one.confidence === 'low' ? 0 : (one.market_price ?? 0))),
        )
      const dearest = cards.data.reduce((best, card) => (worth(card) > worth(best) ? card : best))
      expect([id, body.data.image_url]).toEqual([id, dearest.image_url])
    }
  })

  test('equals its entry in the list', async () => {
    const { body } = await get<Row[]>('/v1/sets')
    for (const set of body.data) expect((await get(`/v1/sets/${set.id}`)).body.data).toEqual(set)
  })
})

/** Returns a week's change of the base printing. */
function changeOf({ printing, prices }: CardRow): number | null {
  return prices.find((price) => price.printing === printing)?.price_change_7d ?? null
}

describe('GET /v1/sets/{id}/summary', () => {
  test('has the sum of the base prices of the cards, without sealed products', async () => {
    for (const id of SETS) {
      const { data } = (await get<SetSummary>(`/v1/sets/${id}/summary`)).body
      const path = `/v1/sets/${id}/cards?per_page=100&type=Cards`
      const { data: cards } = (await get<CardRow[]>(path)).body
      const prices = cards.flatMap(({ market_price }) => market_price ?? [])
      expect(data).toMatchObject({ cards: cards.length, priced: prices.length })
      expect(data.value).toBeCloseTo(
        prices.reduce((sum, price) => sum + price, 0),
        2,
      )
    }
  })
})

describe('the part of the value of a set that is of low confidence', () => {
  /** Sums the base prices of low confidence, as the lists of cards state them. */
  const sumDoubtful = async (id: number, query = '') => {
    const path = `/v1/sets/${id}/cards?per_page=100&type=Cards&include=confidence${query}`
    const { data } = (await get<(CardRow & { confidence?: string })[]>(path)).body
    const doubtful = data.flatMap(({ printing, prices }) =>
      prices.filter(
        (price) =>
          price.printing === printing && price.market_price !== null && price.confidence === 'low',
      ),
    )
    const value = doubtful.reduce((sum, price) => sum + (price.market_price ?? 0), 0)
    return {
      low_confidence_value: Math.round(value * 100) / 100,
      low_confidence_cards: doubtful.length,
    }
  }

  test('is the sum of those prices', async () => {
    const parts = []
    for (const id of SETS) {
      const { data } = (await get<SetSummary>(`/v1/sets/${id}/summary`)).body
      expect(data).toMatchObject(await sumDoubtful(id))
      expect(data.low_confidence_value).toBeLessThanOrEqual(data.value)
      parts.push(data.low_confidence_cards)
    }
    expect(Math.max(...parts)).toBeGreaterThan(0)
  })

  test('grows as the prices become old, without a new publication', async () => {
    const own = await createTestApp()
    const read = async () =>
      own.client.get<SetSummary>('/v1/sets/90021/summary', { as: 'business' })
    const before = await read()
    own.advance(40 * MS_PER_DAY)
    const after = await read()
    expect(after.body.data).toMatchObject({
      value: before.body.data.value,
      low_confidence_value: before.body.data.value,
      low_confidence_cards: before.body.data.priced,
    })
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  })
})

describe('GET /v1/sets/{id}/history', () => {
  test('changes as the cards with a price on both days do, and ends in the summary', async () => {
    for (const id of SETS) {
      const { data } = (await get<SetValue[]>(`/v1/sets/${id}/history?range=all`)).body
      const { data: cards } = (await get<CardRow[]>(`/v1/sets/${id}/cards?per_page=100&type=Cards`))
        .body
      const lines = await Promise.all(
        cards.map(async ({ id: card }) => {
          const path = `/v1/cards/${card}/history?range=all`
          return (await get<CardLine>(path)).body.data
        }),
      )
      expect(data.length).toBeGreaterThan(30)
      expect(data.map(({ date }) => date)).toEqual(data.map(({ date }) => date).toSorted())
      expectChained(data, lines)
      const { value, priced } = (await get<SetSummary>(`/v1/sets/${id}/summary`)).body.data
      expect(data.at(-1)).toMatchObject({ value, cards: priced, chained: false })
    }
  })

  test('stays as it is when the older history of a part of the cards is imported', async () => {
    const before = (await get<SetValue[]>('/v1/sets/90012/history?range=all')).body.data
    const { date, value } = before[0] ?? { date: '', value: 0 }
    const first = parseDate(date) ?? 0
    const own = await createTestApp()
    const [card_id = 0] = own.catalogDb
      .prepare<[], number>("SELECT id FROM cards WHERE set_id = 90012 AND product_type = 'Cards'")
      .pluck()
      .all()
    const printing = own.deps.catalog.prices.getBase(card_id)?.printing ?? ''
    const prices = { low_price: null, median_price: null, lowest_with_shipping: null }
    const sales = { buylist_price: null, avg_sales_price: null, sales_volume: null }
    const price = { card_id, printing, market_price: 500_000, ...prices, ...sales }
    for (const day of [first - 90, first - 89]) {
      openHistoryImport(own.catalogDb).putDays([{ day, files: [[price]] }])
    }
    const path = '/v1/sets/90012/history?range=all'
    const { data } = (await own.client.get<SetValue[]>(path, { as: 'business' })).body
    expect(data.slice(2)).toEqual(before)
    expect(data.slice(0, 2)).toMatchObject([
      { value, cards: 1 },
      { value, cards: 0 },
    ])
  })

  test('covers the range, limited to that of the tier', async () => {
    const all = (await get<SetValue[]>('/v1/sets/90012/history?range=all')).body
    const month = (await get<SetValue[]>('/v1/sets/90012/history')).body
    expect(month.data).toEqual(all.data.filter(({ date }) => date >= String(month.meta.from)))
    expect(month.data.length).toBeLessThan(all.data.length)
  })
})

describe('GET /v1/sets/{id}/cards', () => {
  test('returns every card of the set and no other, each with its prices', async () => {
    for (const id of SETS) {
      const set = await get(`/v1/sets/${id}`)
      const { body } = await get<CardRow[]>(`/v1/sets/${id}/cards?per_page=100`)
      expect(body.meta.total).toBe(Number(set.body.data.card_count))
      expect(body.data).toHaveLength(body.meta.total)
      for (const { printing, market_price, prices, ...card } of body.data) {
        expect((await get(`/v1/cards/${card.id}`)).body.data).toEqual(card)
        expect(card.set_id).toBe(id)
        const alone = await get<Row | Row[]>(`/v1/cards/${card.id}/prices`)
        expect([alone.body.data].flat()).toEqual(prices)
        const base = prices[0]
        expect([printing, market_price]).toEqual([
          base?.printing ?? null,
          base?.market_price ?? null,
        ])
      }
    }
  })

  test('sorts by collector number, sealed products last', async () => {
    const { body } = await get<CardRow[]>('/v1/sets/90021/cards')
    expect(body.data.map((card) => card.number)).toEqual(
      Array.from({ length: 21 }, (_, index) => String(index + 1)),
    )
    const { body: withBoxes } = await get<CardRow[]>('/v1/sets/90022/cards')
    expect(withBoxes.data.slice(-2).map((card) => card.product_type)).toEqual([
      'Sealed Products',
      'Sealed Products',
    ])
  })

  test.each(['Cards', 'Sealed Products'])(
    'type=%s returns only those, in the same order',
    async (type) => {
      for (const id of SETS) {
        const all = await get<CardRow[]>(`/v1/sets/${id}/cards?per_page=100`)
        const query = `type=${encodeURIComponent(type)}`
        const { body } = await get<CardRow[]>(`/v1/sets/${id}/cards?${query}&per_page=100`)
        expect(body.data).toEqual(all.body.data.filter((card) => card.product_type === type))
        expect(body.meta.total).toBe(body.data.length)
        const listed = new Set(body.data.map((card) => card.id))
        const every = await get<PriceRow[]>(`/v1/sets/${id}/prices`)
        const prices = await get<PriceRow[]>(`/v1/sets/${id}/prices?${query}`)
        expect(prices.body.data).toEqual(every.body.data.filter((row) => listed.has(row.card_id)))
      }
    },
  )

  describe('sorted and filtered', () => {
    const SORTS: [sort: string, valueOf: (card: CardRow) => number | string | null][] = [
      ['name', ({ name }) => String(name).toLowerCase()],
      ['price_asc', ({ market_price }) => market_price],
      ['price_desc', ({ market_price }) => market_price && -market_price],
      ['change_asc', changeOf],
      ['change_desc', (card) => (changeOf(card) === null ? null : -Number(changeOf(card)))],
    ]

    test.each(SORTS)('sort=%s has each card once, unknown values last', async (sort, keyOf) => {
      for (const id of SETS) {
        const { body: all } = await get<CardRow[]>(`/v1/sets/${id}/cards?per_page=100`)
        const { body } = await get<CardRow[]>(`/v1/sets/${id}/cards?per_page=100&sort=${sort}`)
        expect(body.data).toHaveLength(all.meta.total)
        expect(new Set(body.data.map((card) => card.id)).size).toBe(all.meta.total)
        const known = body.data.map(keyOf).filter((value) => value !== null)
        expect(body.data.slice(0, known.length).map(keyOf)).toEqual(known)
        expect(known).toEqual(known.toSorted((a, b) => (a < b ? -1 : Number(a > b))))
      }
    })

    test('rarity and printing select cards, with the price of the printing', async () => {
      for (const id of SETS) {
        const { body: all } = await get<CardRow[]>(`/v1/sets/${id}/cards?per_page=100`)
        const { data: summary } = (await get<SetSummary>(`/v1/sets/${id}/summary`)).body
        expect(summary.rarities.length + summary.printings.length).toBeGreaterThan(2)
        for (const { name, cards } of summary.rarities) {
          const query = new URLSearchParams({ rarity: name, type: 'Cards', per_page: '100' })
          const { body } = await get<CardRow[]>(`/v1/sets/${id}/cards?${query}`)
          expect(body.data.map(({ rarity }) => rarity)).toEqual(Array(cards).fill(name))
          expect(body.meta.total).toBe(cards)
        }
        for (const { name, cards } of summary.printings) {
          const query = new URLSearchParams({ printing: name, type: 'Cards', per_page: '100' })
          const { body } = await get<CardRow[]>(`/v1/sets/${id}/cards?${query}`)
          expect(body.meta.total).toBe(cards)
          for (const { id, printing, market_price, prices } of body.data) {
            const own = prices.find((price) => price.printing === name)
            expect([printing, market_price]).toEqual([name, own?.market_price ?? null])
            expect(all.data.find((card) => card.id === id)?.prices).toEqual(prices)
          }
        }
      }
      for (const query of ['rarity=None', 'printing=None']) {
        expect((await get(`/v1/sets/90021/cards?${query}`)).body).toMatchObject({ data: [] })
      }
    })
  })

  test('includes cards without a price, with an empty list of prices', async () => {
    const { body } = await get<CardRow[]>('/v1/sets/90011/cards')
    expect(body.data.find((card) => card.id === 900082)?.prices).toEqual([])
  })

  test('omits a card that was removed upstream, which keeps its own URL', async () => {
    const own = await createTestApp()
    own.catalogDb.exec("UPDATE cards SET missing_since = '2026-11-15' WHERE id = 900201")
    const { body } = await own.client.get<Row[]>('/v1/sets/90021/cards', { as: 'free' })
    expect(body.data.map((card) => card.id)).not.toContain(900201)
    expect(body.meta.total).toBe(20)
    expect((await own.client.get('/v1/cards/900201', { as: 'free' })).status).toBe(200)
  })
})

test('GET /v1/sets/{id}/prices has all prices of every card of the set once, nulls for a card without any', async () => {
  const briefly = ({ card_id, printing, market_price, last_updated_at }: Partial<PriceRow>) =>
    JSON.stringify([card_id, printing, market_price, last_updated_at])
  let unpriced = 0
  for (const id of SETS) {
    const { body: cards } = await get<CardRow[]>(`/v1/sets/${id}/cards?per_page=100`)
    const { body } = await get<PriceRow[]>(`/v1/sets/${id}/prices`)
    unpriced += cards.data.filter(({ prices }) => prices.length === 0).length
    expect(body.data.map(briefly)).toEqual(
      cards.data.flatMap((card) =>
        card.prices.length === 0 ? `[${card.id},null,null,null]` : card.prices.map(briefly),
      ),
    )
  }
  expect(unpriced).toBeGreaterThan(0)
})

test.each(['', '?source=tcgplayer'])(
  'GET /v1/sets/{id}/prices%s has the rows of the export, and the same members in each',
  async (query) => {
    const exported = await get<PriceRow[]>(`/v1/export/set/90011${query}`)
    const { body } = await get<PriceRow[]>(`/v1/sets/90011/prices${query}`)
    expect(body.data).toEqual((exported.body as unknown as { prices: PriceRow[] }).prices)
    const [first = {}] = body.data
    for (const row of body.data) expect(Object.keys(row).sort()).toEqual(Object.keys(first).sort())
  },
)

describe('a picture', () => {
  test('of the sample is served by this process', async () => {
    const { body } = await get<CardRow[]>('/v1/sets/90011/cards')
    for (const { image_url } of body.data.slice(0, 3)) {
      const address = String(image_url)
      expect(address).toStartWith(`${PUBLIC_URL}/pictures/`)
      const { status, headers } = await testApp.client.get(address.slice(PUBLIC_URL.length))
      expect([status, headers.get('content-type')]).toEqual([200, 'image/webp'])
    }
  })

  test.each([
    '900001.png',
    '..%2f..%2fpackage.json',
    '%2e%2e%2fREADME.md',
    '1.webp',
    '%00.webp',
    'x',
  ])('%s returns 404', async (file) => {
    expect((await testApp.client.get(`/pictures/${file}`)).status).toBe(404)
  })
})

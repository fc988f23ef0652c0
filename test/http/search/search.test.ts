import { describe, expect, spyOn, test } from 'bun:test'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'
import type { CardRow, Row } from '../../support/test-client.ts'

const testApp = await createTestApp()

const sets = await testApp.client.get<{ id: number; release_date: string }[]>(
  '/v1/sets?per_page=100',
  { as: 'business' },
)
const RELEASES = Object.fromEntries(sets.body.data.map((set) => [set.id, set.release_date]))

const search = (query: string) =>
  testApp.client.get<CardRow[]>(`/v1/search?${query}`, { as: 'business' })

/** Returns everything that matches the typed text, page by page; matches of other spellings are excluded. */
async function found(query: string): Promise<CardRow[]> {
  const items: CardRow[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await search(`${query}&per_page=100&page=${page}`)
    expect(status).toBe(200)
    if (body.meta.corrected_query !== undefined) return []
    items.push(...body.data)
    if (!body.meta.has_more) return items
  }
}

const idsOf = (items: readonly CardRow[]) => items.map((item) => item.id).sort((a, b) => a - b)

/** Words that together match most of the sample. */
const WIDE = ['ca', 'br', 'th', 'ma', 'bo', 'ch', 'li', 'pd1', 'abbey', 'season']

/**
 * A filtered result is the matching part of the unfiltered one. If that is empty, the query may be
 * interpreted differently, but the results still match the filter.
 */
async function expectFilter(filter: string, fits: (item: CardRow) => boolean): Promise<void> {
  let seen = 0
  for (const q of WIDE) {
    const wanted = (await found(`q=${q}`)).filter(fits)
    const left = await found(`q=${q}&${filter}`)
    expect([q, left.every(fits)]).toEqual([q, true])
    if (wanted.length > 0) expect([q, idsOf(left)]).toEqual([q, idsOf(wanted)])
    seen += wanted.length
  }
  expect(seen).toBeGreaterThan(0)
}

describe('GET /v1/search', () => {
  test('an item is the Card with its prices and the one it is sorted by, with its printing', async () => {
    const { body } = await search('q=marigold')
    expect(body.data.length).toBeGreaterThan(0)
    for (const { printing, market_price, prices, ...named } of body.data) {
      const { matched_printing, ...card } = { matched_printing: undefined, ...named }
      expect<unknown>(matched_printing).toBeNull()
      const alone = await testApp.client.get(`/v1/cards/${card.id}`, { as: 'pro' })
      expect<unknown>(card).toEqual(alone.body.data)
      const response = await testApp.client.get<Row>(`/v1/cards/${card.id}/prices`, { as: 'pro' })
      expect<unknown>(prices).toEqual([response.body.data].flat())
      const base = prices[0]
      expect([printing, market_price]).toEqual([base?.printing ?? null, base?.market_price ?? null])
    }
  })

  test('finds a card by its name in any case, with or without accents', async () => {
    const wanted = idsOf(await found('q=Caf%C3%A9%20Familiar'))
    expect(wanted).toEqual([900023, 900117])
    for (const q of [
      'cafe familiar',
      'CAFE FAMILIAR',
      'café fam',
      'familiar cafe',
      'cafe%CC%81 familiar',
    ]) {
      expect([q, idsOf(await found(`q=${q}`))]).toEqual([q, wanted])
    }
  })

  test('returns an empty list if nothing matches approximately', async () => {
    const { status, body } = await search('q=qxqxqxqxqx')
    expect([status, body.data, body.meta.total]).toEqual([200, [], 0])
  })

  test.each(['wickerwild', 'vellum-and-thorn', 'perihelion-drift'])(
    'game=%s returns only cards of the game',
    (game) => expectFilter(`game=${game}`, (item) => item.game_slug === game),
  )

  test.each([90011, 90012, 90021, 90022, 90031])('set_id=%i returns only cards of the set', (id) =>
    expectFilter(`set_id=${id}`, (item) => item.set_id === id),
  )

  test.each(['Common', 'Holo Rare', 'Secret Rare', 'L', 'Black Box', 'U'])(
    'rarity=%s returns only cards of exactly that rarity',
    (rarity) =>
      expectFilter(`rarity=${encodeURIComponent(rarity)}`, (item) => item.rarity === rarity),
  )

  test.each(['Cards', 'Sealed Products'])('type=%s returns only those', (type) =>
    expectFilter(`type=${encodeURIComponent(type)}`, (item) => item.product_type === type),
  )

  test.each([
    ['min_price=1', 1, Infinity],
    ['max_price=1', 0, 1],
    ['min_price=0.5&max_price=20', 0.5, 20],
    ['min_price=0', 0, Infinity],
    ['min_price=100', 100, Infinity],
  ])('%s returns cards with a price in the range, including both ends', (filter, from, to) =>
    expectFilter(
      filter,
      ({ market_price: price }) => price !== null && price >= from && price <= to,
    ),
  )

  test.each(['min_price=1000000', 'min_price=10&max_price=1', 'game=wickerwild&set_id=90021'])(
    '%s returns nothing',
    async (filter) => {
      for (const q of WIDE) {
        const { status, body } = await search(`q=${q}&${filter}`)
        expect([q, status, body.data, body.meta.total]).toEqual([q, 200, [], 0])
      }
    },
  )

  test('accepts a price as a program computes it', async () => {
    // Includes 0.1 + 0.2.
    for (const price of ['0.30000000000000004', '0.0000001', '19.990000000000002']) {
      expect([price, (await search(`q=ca&min_price=${price}`)).status]).toEqual([price, 200])
    }
  })

  test.each(['Normal', 'Holofoil', 'Cold Foil'])(
    'printing=%s keeps the cards that have it, and shows, filters and sorts by its price',
    async (printing) => {
      const ownPrice = ({ prices }: CardRow) =>
        prices.find((price) => price.printing === printing)?.market_price
      const filter = `printing=${encodeURIComponent(printing)}`
      await expectFilter(filter, (item) => ownPrice(item) !== undefined)
      for (const q of WIDE) {
        const items = await found(`q=${q}&${filter}&min_price=1&sort=price_asc`)
        for (const item of items) {
          expect(item.printing).toBe(printing)
          expect(item).toHaveProperty('matched_printing', printing)
          expect(item.market_price).toBe(ownPrice(item) ?? null)
        }
        const prices = items.map(({ market_price }) => market_price)
        expect(prices).toEqual(prices.filter((price) => Number(price) >= 1).sort(inDirection(1)))
      }
    },
  )

  test('a printing that no card has, or one in another case, finds nothing', async () => {
    expect(await found('q=ca&printing=normal')).toEqual([])
    expect(await found('q=ca&printing=Etched')).toEqual([])
  })

  test.each<[sort: string, direction: 1 | -1, keyOf: (item: CardRow) => number | string | null]>([
    ['price_asc', 1, ({ market_price }) => market_price],
    ['price_desc', -1, ({ market_price }) => market_price],
    ['change_asc', 1, changeOf],
    ['change_desc', -1, changeOf],
    ['newest', -1, ({ set_id }) => RELEASES[set_id] ?? null],
    ['name', 1, ({ clean_name }) => clean_name.toLowerCase()],
  ])('sort=%s sorts the same cards, those without a value last', async (sort, direction, keyOf) => {
    for (const q of WIDE) {
      const sorted = await found(`q=${q}&sort=${sort}`)
      expect(idsOf(sorted)).toEqual(idsOf(await found(`q=${q}`)))
      const keys = sorted.map(keyOf)
      expect(keys).toEqual(keys.toSorted(inDirection(direction)))
    }
  })

  test('returns the same result again, cached or not', async () => {
    const first = await search('q=queen&sort=price_desc')
    const again = await search('q=queen&sort=price_desc')
    expect(again.body.data).toEqual(first.body.data)
    expect(again.body.meta).toEqual(first.body.meta)
  })

  test.each([
    'q=',
    'q=a',
    'q=%20%20',
    'q=--',
    'q=ca&max_price=1,50',
    'q=ca&sort=PRICE_ASC',
    'q=ca&type=cards',
  ])('?%s, not charged', async (query) => {
    const before = await search('q=a')
    const { status, body } = await search(query)
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.rate_limit).toEqual(before.body.rate_limit)
  })

  test('counts length in characters, as the API document does', async () => {
    // U+1D400 is one letter with two UTF-16 code units.
    expect((await search(`q=${encodeURIComponent('\u{1d400}')}`)).status).toBe(400)
    expect((await search(`q=${encodeURIComponent('\u{1d400}'.repeat(200))}`)).status).toBe(200)
    expect((await search(`q=${encodeURIComponent('\u{1d400}'.repeat(201))}`)).status).toBe(400)
  })

  test.each(['set_id=1', 'game=wickerwild&set_id=1'])('%s', async (filter) => {
    expectRefusal(await search(`q=ca&${filter}`), 404, 'NOT_FOUND')
  })
})

test('a page that was found before a publication is not served after it', async () => {
  const own = await createTestApp({ onDisk: true })
  const { search, publication } = own.deps.catalog
  const { find } = search
  // The server notices a publication between the look-up of the ids and that of their cards.
  spyOn(search, 'find').mockImplementationOnce((filter) => {
    const found = find(filter)
    own.publish()
    publication.refresh()
    return { ...found, ids: found.ids.slice(0, 1), total: 1 }
  })
  const totalAndLength = async () => {
    const { body } = await own.client.get<CardRow[]>('/v1/search?q=ca', { as: 'business' })
    return [body.meta.total, body.data.length]
  }
  expect(await totalAndLength()).toEqual([1, 1])
  const [total = 0, length] = await totalAndLength()
  expect(total).toBeGreaterThan(1)
  expect(length).toBe(Math.min(total, 50))
})

/** Change in a week of the price that is shown. */
function changeOf({ prices, printing }: CardRow): number | null {
  const shown = prices.find((price) => price.printing === printing)
  return shown?.market_price == null ? null : (shown.price_change_7d ?? null)
}

/** Known values in the given direction, unknown ones after them. */
function inDirection(direction: 1 | -1) {
  return (a: number | string | null, b: number | string | null) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return a === b ? 0 : a < b ? -direction : direction
  }
}

import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { basePrinting } from '#rules/catalog/printings.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import type { CardRow, Row } from '../../support/test-client.ts'

let testApp: TestApp

beforeAll(async () => {
  testApp = await createTestApp()
})
afterAll(() => testApp.close())

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
  describe('200', () => {
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
        const base = basePrinting(prices)
        expect([printing, market_price]).toEqual([
          base?.printing ?? null,
          base?.market_price ?? null,
        ])
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

    test('finds a card by its collector number and the code of its set', async () => {
      expect(idsOf(await found('q=PD1-001'))).toContain(900401)
      expect(idsOf(await found('q=DAB%20whisht'))).toEqual([900305])
    })

    test('finds both of two equal names', async () => {
      expect(idsOf(await found('q=abbess of the ninth library'))).toEqual([900201, 900302])
    })

    test('ranks an exact match of the name first', async () => {
      const [first] = (await search('q=jellantern')).body.data
      expect(first?.name).toBe('Jellantern')
    })

    test('returns an empty list if nothing matches approximately', async () => {
      const { status, body } = await search('q=qxqxqxqxqx')
      expect([status, body.data, body.meta.total]).toEqual([200, [], 0])
    })

    test.each(['wickerwild', 'vellum-and-thorn', 'perihelion-drift'])(
      'game=%s returns only cards of the game',
      (game) => expectFilter(`game=${game}`, (item) => item.game_slug === game),
    )

    test.each([90011, 90012, 90021, 90022, 90031])(
      'set_id=%i returns only cards of the set',
      (id) => expectFilter(`set_id=${id}`, (item) => item.set_id === id),
    )

    test.each(['Common', 'Holo Rare', 'Secret Rare', 'L', 'Black Box', 'U'])(
      'rarity=%s returns only cards of exactly that rarity',
      (rarity) =>
        expectFilter(`rarity=${encodeURIComponent(rarity)}`, (item) => item.rarity === rarity),
    )

    test.each(['no such rarity', 'common', 'Holo', 'C*', '"', "' OR 1=1"])(
      'returns an empty list for an unknown rarity (%s)',
      async (rarity) => {
        const { status, body } = await search(`q=ca&rarity=${encodeURIComponent(rarity)}`)
        expect([status, body.data]).toEqual([200, []])
      },
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

    test('a price is within the range that begins and ends with it', async () => {
      for (const item of await found('q=whisht')) {
        const { market_price: price, id } = item
        expect(price).toBeNumber()
        const at = await found(`q=whisht&min_price=${price}&max_price=${price}`)
        expect(idsOf(at)).toContain(id)
        const cent = Math.round(Number(price) * 100)
        const above = await found(`q=whisht&min_price=${(cent + 1) / 100}`)
        expect(idsOf(above)).not.toContain(id)
        const below = await found(`q=whisht&max_price=${(cent - 1) / 100}`)
        expect(idsOf(below)).not.toContain(id)
      }
    })

    test('accepts a price as a program computes it', async () => {
      // Includes 0.1 + 0.2.
      for (const price of ['0.30000000000000004', '0.0000001', '19.990000000000002']) {
        expect([price, (await search(`q=ca&min_price=${price}`)).status]).toEqual([price, 200])
      }
    })

    test.each(WIDE)(
      'price_asc and price_desc of "%s" are reversed, except for unknown prices',
      async (q) => {
        const up = await found(`q=${q}&sort=price_asc`)
        const down = await found(`q=${q}&sort=price_desc`)
        expect(idsOf(up)).toEqual(idsOf(await found(`q=${q}`)))
        expect(idsOf(down)).toEqual(idsOf(up))
        expect(up.map(({ market_price }) => market_price)).toEqual(
          up.map(({ market_price }) => market_price).sort(byPrice(1)),
        )
        expect(down.map(({ market_price }) => market_price)).toEqual(
          down.map(({ market_price }) => market_price).sort(byPrice(-1)),
        )
      },
    )

    test('an unknown price sorts last in both directions', async () => {
      const q = 'lantern season booster box'
      for (const sort of ['price_asc', 'price_desc']) {
        const items = await found(`q=${q}&sort=${sort}`)
        expect(items.length).toBeGreaterThan(1)
        expect(items.at(-1)).toMatchObject({ id: 900082, market_price: null, prices: [] })
      }
    })

    test('equal prices sort by id in both directions', async () => {
      const own = await createTestApp()
      for (const sort of ['price_asc', 'price_desc']) {
        const { body } = await own.client.get<CardRow[]>(
          `/v1/search?q=th&sort=${sort}&per_page=100`,
          {
            as: 'pro',
          },
        )
        const misplaced = body.data.filter((item, index) => {
          const next = body.data[index + 1]
          return next?.market_price === item.market_price && next.id <= item.id
        })
        expect(misplaced).toEqual([])
      }
      own.close()
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
          expect(prices).toEqual(prices.filter((price) => Number(price) >= 1).sort(byPrice(1)))
        }
      },
    )

    test('a printing that no card has, or one in another case, finds nothing', async () => {
      expect(await found('q=ca&printing=normal')).toEqual([])
      expect(await found('q=ca&printing=Etched')).toEqual([])
    })

    test.each(['change_desc', 'change_asc'] as const)(
      'sort=%s sorts by change in a week',
      async (sort) => {
        const direction = sort === 'change_asc' ? 1 : -1
        let known = 0
        for (const q of WIDE) {
          const changes = (await found(`q=${q}&sort=${sort}`)).map(({ prices, printing }) => {
            const shown = prices.find((price) => price.printing === printing)
            return shown?.market_price == null ? null : (shown.price_change_7d ?? null)
          })
          known += changes.filter((change) => change !== null).length
          expect(changes).toEqual(changes.toSorted(byPrice(direction)))
        }
        expect(known).toBeGreaterThan(0)
      },
    )

    test('sort=newest sorts by the release of the set', async () => {
      const sets = await testApp.client.get<{ id: number; release_date: string | null }[]>(
        '/v1/sets?per_page=100',
        { as: 'business' },
      )
      const dates = new Map(sets.body.data.map(({ id, release_date }) => [id, release_date]))
      for (const q of WIDE) {
        const released = (await found(`q=${q}&sort=newest`)).map(({ set_id }) => dates.get(set_id))
        const days = released.map((date) => (date == null ? null : Date.parse(date)))
        expect(days).toEqual(days.toSorted(byPrice(-1)))
      }
    })

    test.each(WIDE)('sort=name sorts "%s" by name', async (q) => {
      const names = (await found(`q=${q}&sort=name`)).map(({ clean_name }) =>
        clean_name.toLowerCase(),
      )
      expect(names).toEqual(names.toSorted())
    })

    test.each([
      [
        'FTS operators',
        ['AND', 'OR', 'NOT', 'NEAR(a b)', 'NEAR(a, 10)', 'words:ca', '{words}:ca', '^ca', 'ca*'],
      ],
      [
        'quotes and brackets',
        ['"ca', 'ca"', '""ca""', '(ca', 'ca)', "o'ca", '((ca))', 'ca;', 'ca--'],
      ],
      ['words of SQL', ["ca' OR 1=1 --", 'ca; DROP TABLE cards', 'ca%', 'c_a', 'ca/*']],
      ['long ones', ['ca '.repeat(60).trim(), 'x'.repeat(200), '9'.repeat(200), 'ab-'.repeat(60)]],
      ['of other scripts', ['カード', 'карта', '카드', 'بطاقة', '🃏🃏a', 'İİ', 'ﬁn', '½½']],
    ])('treats %s as ordinary words', async (_kind, queries) => {
      for (const q of queries) {
        const { status, body } = await search(`q=${encodeURIComponent(q)}`)
        expect([q, status]).toEqual([q, 200])
        expect(body.data).toBeArray()
      }
    })

    test('returns the same result again, cached or not', async () => {
      const first = await search('q=queen&sort=price_desc')
      const again = await search('q=queen&sort=price_desc')
      expect(again.body.data).toEqual(first.body.data)
      expect(again.body.meta).toEqual(first.body.meta)
    })
  })

  describe('400', () => {
    test.each([
      ['q', ''],
      ['q', 'q='],
      ['q', 'q=a'],
      ['q', 'q=%00%00'],
      ['q', 'q=a%00b'],
      ['q', 'q=aa&q=bb'],
      ['q', `q=${'x'.repeat(201)}`],
      ['q', 'q=%20%20'],
      ['q', 'q=--'],
      ['set_id', 'q=ca&set_id=abc'],
      ['set_id', 'q=ca&set_id=0'],
      ['set_id', 'q=ca&set_id=1.5'],
      ['min_price', 'q=ca&min_price=cheap'],
      ['min_price', 'q=ca&min_price=-1'],
      ['min_price', 'q=ca&min_price=NaN'],
      ['max_price', 'q=ca&max_price=Infinity'],
      ['max_price', 'q=ca&max_price=1,50'],
      ['max_price', 'q=ca&max_price=1&max_price=2'],
      ['sort', 'q=ca&sort=price'],
      ['sort', 'q=ca&sort=PRICE_ASC'],
      ['type', 'q=ca&type=cards'],
      ['type', 'q=ca&type=Sealed'],
      ['rarity', 'q=ca&rarity=%0A'],
      ['game', 'q=ca&game=%0A'],
      ['page', 'q=ca&page=0'],
    ])('%s: ?%s, not charged', async (field, query) => {
      const before = await search('q=a')
      const { status, body } = await search(query)
      expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body.error.message).toStartWith(`"${field}" `)
      expect(body.rate_limit).toEqual(before.body.rate_limit)
    })

    test('the message lists the valid sort orders', async () => {
      const { body } = await search('q=ca&sort=x')
      for (const sort of ['relevance', 'price_asc', 'name', 'change_desc', 'newest']) {
        expect(body.error.message).toContain(sort)
      }
    })

    test('counts length in characters, as the API document does', async () => {
      // U+1D400 is one letter with two UTF-16 code units.
      expect((await search(`q=${encodeURIComponent('\u{1d400}')}`)).status).toBe(400)
      expect((await search(`q=${encodeURIComponent('\u{1d400}'.repeat(200))}`)).status).toBe(200)
      expect((await search(`q=${encodeURIComponent('\u{1d400}'.repeat(201))}`)).status).toBe(400)
    })
  })

  describe('404', () => {
    test.each(['game=no-such-game', 'set_id=1', 'game=wickerwild&set_id=1'])(
      '%s',
      async (filter) => {
        const { status, body } = await search(`q=ca&${filter}`)
        expect([status, body.error?.code]).toEqual([404, 'NOT_FOUND'])
      },
    )
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
  own.close()
})

/** Known prices in the given direction, unknown ones after them. */
function byPrice(direction: 1 | -1) {
  return (a: number | null, b: number | null) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return (a - b) * direction
  }
}

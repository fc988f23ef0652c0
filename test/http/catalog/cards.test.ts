import { describe, expect, test } from 'bun:test'
import { createTestApp, type TestUser } from '../../support/test-app.ts'
import type { PointRow, PriceRow, Row } from '../../support/test-client.ts'

const testApp = await createTestApp()

const get = <Data = Row>(path: string, as: TestUser = 'business') =>
  testApp.client.get<Data>(path, { as })

/** Three printings; only foil; a sealed product; a single printing. */
const MARIGOLD = 900401
const REFIT = 900402
const BOX = 900081
const HIGH_TIDE = 900121
/** This card has no known price. */
const BOX_CASE = 900082

const PUBLISHED = '2026-11-15T20:05:50.000Z'
const TODAY = '2026-11-15'
const FIRST_DAY = '2026-08-18'

describe('GET /v1/cards/{id}/reprints', () => {
  const WHISHT = 900208

  test('lists the other cards of the name in the game, each with its prices', async () => {
    const { body } = await get<(Row & { id: number })[]>(`/v1/cards/${WHISHT}/reprints`)
    expect(body.data.map(({ id }) => id)).toEqual([900305])
    expect(body.meta).toMatchObject({ total: 1, page: 1, has_more: false })
    const alone = await get(`/v1/cards/marketplace/900305`)
    expect(body.data[0]).toEqual(alone.body.data as (typeof body.data)[number])
    const back = await get<{ id: number }[]>('/v1/cards/900305/reprints')
    expect(back.body.data.map(({ id }) => id)).toEqual([WHISHT])
  })

  test('is empty for a card that has no other, also for a product of the name', async () => {
    for (const id of [MARIGOLD, BOX]) {
      expect((await get(`/v1/cards/${id}/reprints`)).body.data).toEqual([] as never)
    }
  })
})

describe('GET /v1/cards/{id}', () => {
  test('hp is present only for a card with hit points', async () => {
    for (const id of [MARIGOLD, 900201, BOX, 900024]) {
      const { body } = await get<Row>(`/v1/cards/${id}`)
      expect(Object.keys(body.data)).not.toContain('hp')
    }
  })

  test('foil_only is the number 1 if each printing is a foil', async () => {
    for (const [id, foilOnly] of [
      [REFIT, 1],
      [HIGH_TIDE, 1],
      [MARIGOLD, 0],
      [BOX, 0],
      [BOX_CASE, 0],
    ]) {
      expect((await get(`/v1/cards/${id}`)).body.data.foil_only).toBe(foilOnly)
    }
  })

  test('a sealed product has its type and shipping, no number and no rarity', async () => {
    expect((await get(`/v1/cards/${BOX}`)).body.data).toMatchObject({
      product_type: 'Sealed Products',
      shipping_category_id: 3,
      number: null,
      rarity: null,
      custom_attributes: {},
    })
    expect((await get(`/v1/cards/${BOX_CASE}`)).body.data.shipping_category_id).toBe(4)
  })

  test('a presale has the status 20', async () => {
    expect((await get('/v1/cards/900122')).body.data.product_status_id).toBe(20)
  })

  test('names keep their accents; clean names have none', async () => {
    expect((await get('/v1/cards/900023')).body.data).toMatchObject({
      name: 'Café Familiar',
      clean_name: 'Cafe Familiar',
    })
  })

  test('a picture of the marketplace keeps its own URL', async () => {
    const own = await createTestApp()
    own.catalogDb.exec(
      "UPDATE cards SET image_url = 'https://pictures.example/1.jpg' WHERE id = 900001",
    )
    own.catalogDb.exec('UPDATE cards SET image_url = NULL WHERE id = 900002')
    const first = await own.client.get('/v1/cards/900001', { as: 'free' })
    expect(first.body.data.image_url).toBe('https://pictures.example/1.jpg')
    const second = await own.client.get('/v1/cards/900002', { as: 'free' })
    expect(second.body.data.image_url).toBeNull()
  })
})

describe('GET /v1/cards/marketplace/{marketplace_id}', () => {
  test('is the whole card with every price', async () => {
    for (const id of [MARIGOLD, REFIT, BOX, HIGH_TIDE]) {
      const { body } = await get(`/v1/cards/marketplace/${id}`)
      const card = (await get(`/v1/cards/${id}`)).body.data
      const prices = (await get<Row | Row[]>(`/v1/cards/${id}/prices`)).body.data
      const { printing, market_price } = body.data
      const base = [prices].flat().find((price) => price.printing === printing)
      expect(market_price).toEqual(base?.market_price)
      expect(body.data).toEqual({
        ...card,
        printing,
        market_price,
        // Here always an array, also for a single printing.
        prices: [prices].flat(),
      })
    }
  })

  test('a card without prices has an empty list', async () => {
    expect((await get(`/v1/cards/marketplace/${BOX_CASE}`)).body.data.prices).toEqual([])
  })
})

describe('GET /v1/cards/{id}/prices', () => {
  test('is an array for a card with several printings', async () => {
    const { body } = await get<PriceRow[]>(`/v1/cards/${MARIGOLD}/prices`)
    expect(body.data.map((price) => price.printing).sort()).toEqual(['Cold Foil', 'Foil', 'Normal'])
  })

  test('is one price, without an array, for a card with one printing', async () => {
    for (const [id, printing] of [
      [BOX, 'Normal'],
      [HIGH_TIDE, 'Holofoil'],
      [900423, 'Cold Foil'],
    ] as const) {
      const { body } = await get<PriceRow>(`/v1/cards/${id}/prices`)
      expect(body.data).toMatchObject({ card_id: id, printing })
    }
  })

  test('is an empty array for a card without prices', async () => {
    expect((await get<Row[]>(`/v1/cards/${BOX_CASE}/prices`)).body.data).toEqual([])
  })

  test('the first response of a process has the time of the publication', async () => {
    const own = await createTestApp()
    const { body } = await own.client.get<PriceRow[]>(`/v1/cards/${MARIGOLD}/prices`, {
      as: 'free',
    })
    expect(body.data.map((price) => price.last_updated_at)).toEqual([
      PUBLISHED,
      PUBLISHED,
      PUBLISHED,
    ])
  })

  test('amounts have at most two decimals, and an unknown one is null, never 0', async () => {
    const { body: sets } = await get<{ id: number }[]>('/v1/sets')
    const seen: (number | null)[] = []
    for (const { id } of sets.data) {
      const { body } = await get<PriceRow[]>(`/v1/sets/${id}/prices`)
      for (const price of body.data) {
        seen.push(price.market_price, price.low_price, price.median_price)
      }
    }
    for (const amount of seen) {
      if (amount === null) continue
      expect(amount).toBeGreaterThan(0)
      expect(String(amount)).toMatch(/^\d+(\.\d{1,2})?$/)
    }
    expect(seen).toContain(null)
  })

  test('a change is computed from the history of the same printing', async () => {
    const { body } = await get<PriceRow[]>(`/v1/cards/${MARIGOLD}/prices`)
    for (const price of body.data) {
      const { printing, market_price } = price
      const history = await get<PointRow[]>(
        `/v1/cards/${MARIGOLD}/history/detailed?printing=${printing}`,
      )
      const on = (date: string) =>
        history.body.data.find((point) => point.date === date)?.market_price
      for (const [field, date] of [
        ['price_change_24h', '2026-11-14'],
        ['price_change_7d', '2026-11-08'],
        ['price_change_30d', '2026-10-16'],
      ] as const) {
        const change = (Number(market_price) / Number(on(date)) - 1) * 100
        expect([printing, field, price[field]]).toEqual([
          printing,
          field,
          expect.closeTo(change, 2),
        ])
      }
    }
  })

  test('a printing that never reached a dollar has no changes', async () => {
    const { body } = await get<PriceRow[]>('/v1/cards/900001/prices?printing=Unlimited')
    expect(body.data[0]).toMatchObject({
      market_price: expect.any(Number),
      price_change_24h: null,
      price_change_7d: null,
      price_change_30d: null,
    })
  })

  test('printing=… returns the printing of exactly that name, in an array', async () => {
    const { body } = await get<PriceRow[]>(`/v1/cards/${MARIGOLD}/prices?printing=Cold+Foil`)
    expect(body.data.map((price) => price.printing)).toEqual(['Cold Foil'])
    const encoded = await get<PriceRow[]>(`/v1/cards/${MARIGOLD}/prices?printing=Cold%20Foil`)
    expect(encoded.body.data).toEqual(body.data)
  })

  test.each(['cold foil', 'Cold', 'Foil Cold', 'Holofoil', ' Foil', '*', '%25'])(
    'an unknown printing=%s returns an empty array',
    async (printing) => {
      const query = printing.startsWith('%') ? printing : encodeURIComponent(printing)
      const { status, body } = await get<PriceRow[]>(
        `/v1/cards/${MARIGOLD}/prices?printing=${query}`,
      )
      expect([status, body.data]).toEqual([200, []])
    },
  )

  test('printing=… on a card with one printing returns that price without an array, or an empty array', async () => {
    const { body } = await get<PriceRow>(`/v1/cards/${HIGH_TIDE}/prices?printing=Holofoil`)
    expect(body.data).toMatchObject({ card_id: HIGH_TIDE, printing: 'Holofoil' })
    const other = await get<PriceRow[]>(`/v1/cards/${HIGH_TIDE}/prices?printing=Normal`)
    expect(other.body.data).toEqual([])
  })

  test('a printing may have any name that the upstream uses', async () => {
    const name = 'Foil "}, {"card_id": 1'
    const own = await createTestApp()
    const row = own.catalogDb
      .prepare<[number], string>('SELECT prices FROM price_texts WHERE card_id = ?')
      .pluck()
      .get(HIGH_TIDE)
    const renamed = String(row).replace('"Holofoil"', JSON.stringify(name))
    own.catalogDb
      .prepare('UPDATE price_texts SET prices = ? WHERE card_id = ?')
      .run(renamed, HIGH_TIDE)
    const { body } = await own.client.get<PriceRow>(`/v1/cards/${HIGH_TIDE}/prices`, {
      as: 'free',
    })
    expect(body.data).toMatchObject({ card_id: HIGH_TIDE, printing: name })
  })
})

describe('GET /v1/cards/{id}/history', () => {
  const path = `/v1/cards/${MARIGOLD}/history`

  test('has one entry per day in the simplified format, ascending, without gaps', async () => {
    const { body } = await get<PointRow[]>(path)
    expect(body.data.map((point) => point.date)).toEqual(daysUpTo(TODAY, 31))
    for (const point of body.data) {
      expect<unknown>(point).toEqual({
        date: expect.any(String),
        printing: 'Normal',
        market_price: expect.any(Number),
        low_price: expect.any(Number),
        foil_market_price: expect.any(Number),
      })
    }
  })

  test('has the base printing and the most expensive foil', async () => {
    const { body } = await get<PointRow[]>(path)
    const { body: prices } = await get<PriceRow[]>(`/v1/cards/${MARIGOLD}/prices`)
    const of = (printing: string) => prices.data.find((price) => price.printing === printing)
    expect<unknown>(body.data.at(-1)).toEqual({
      date: TODAY,
      printing: 'Normal',
      market_price: of('Normal')?.market_price ?? null,
      low_price: of('Normal')?.low_price ?? null,
      foil_market_price: of('Cold Foil')?.market_price ?? null,
    })
  })

  test('with a printing has only that printing, in the format without sales', async () => {
    const { body } = await get<PointRow[]>(`${path}?printing=Foil`)
    expect(body.data).toHaveLength(31)
    for (const point of body.data) {
      expect(point).toEqual({
        date: expect.any(String),
        printing: 'Foil',
        market_price: expect.any(Number),
        low_price: expect.any(Number),
      })
    }
  })

  test.each([
    ['hobby', 'month', '2026-11-08'],
    ['hobby', 'quarter', '2026-11-08'],
    ['hobby', 'all', '2026-11-08'],
    ['starter', 'month', '2026-10-16'],
    ['starter', 'year', '2026-10-16'],
    ['starter', 'all', '2026-10-16'],
    ['pro', 'month', '2026-10-16'],
    ['pro', 'quarter', '2026-08-17'],
    ['pro', 'year', '2025-11-15'],
    ['pro', 'all', null],
    ['business', 'month', '2026-10-16'],
    ['business', 'all', null],
  ] as const)(
    'for %s and range=%s begins on %s, which is in meta.from',
    async (as, range, from) => {
      const { body } = await get<PointRow[]>(`${path}?range=${range}`, as)
      expect(body.meta).toEqual({ range, from, to: TODAY } as typeof body.meta)
      const begin = from === null || from < FIRST_DAY ? FIRST_DAY : from
      expect(body.data[0]?.date).toBe(begin)
      expect(body.data.at(-1)?.date).toBe(TODAY)
    },
  )

  test('has one month without a range', async () => {
    const { body } = await get<PointRow[]>(path, 'pro')
    expect(body).toMatchObject({
      data: (await get<PointRow[]>(`${path}?range=month`, 'pro')).body.data,
    })
    expect(body.meta.range).toBe('month')
  })

  test('is equal for two tiers if the range is within the depth of both', async () => {
    const starter = await get<PointRow[]>(`${path}?range=month`, 'starter')
    const business = await get<PointRow[]>(`${path}?range=month`, 'business')
    expect(starter.body.data).toEqual(business.body.data)
  })

  test('begins on the day on which a printing first reached a dollar', async () => {
    const { body } = await get<PointRow[]>('/v1/cards/900416/history?range=all&printing=Normal')
    expect(body.data[0]?.market_price).toBeGreaterThanOrEqual(1)
    expect(body.data.length).toBeLessThan(25)
    const below = await get<PointRow[]>('/v1/cards/900001/history?range=all&printing=Unlimited')
    expect(below.body.data).toEqual([])
  })

  test('continues below the dollar once it has begun', async () => {
    const { body } = await get<PointRow[]>('/v1/cards/900113/history?range=all&printing=Normal')
    expect(body.data.at(-1)?.date).toBe(TODAY)
    expect(body.data.at(-1)?.market_price).toBeLessThan(1)
  })

  test.each([[BOX_CASE], [900004]])('of card %i, without stored history, is empty', async (id) => {
    const { status, body } = await get<PointRow[]>(`/v1/cards/${id}/history?range=all`)
    expect([status, body.data]).toEqual([200, []])
  })

  test('with a printing that the card lacks is empty', async () => {
    expect((await get<Row[]>(`${path}?printing=Holofoil`)).body.data).toEqual([])
    expect((await get<Row[]>(`${path}?printing=foil`)).body.data).toEqual([])
  })

  test('ends today', async () => {
    const own = await createTestApp()
    own.setClock('2026-11-20T12:00:00Z')
    const { body } = await own.client.get<PointRow[]>(`${path}?range=month`, { as: 'hobby' })
    expect(body.meta).toMatchObject({ from: '2026-11-13', to: '2026-11-20' })
    expect(body.data.map((point) => point.date)).toEqual(['2026-11-13', '2026-11-14', '2026-11-15'])
  })
})

describe('GET /v1/cards/{id}/history/detailed', () => {
  const path = `/v1/cards/${MARIGOLD}/history/detailed`

  test('has the full stored history of every printing', async () => {
    const { body } = await get<PointRow[]>(path)
    const byPrinting = Map.groupBy(body.data, (point) => point.printing)
    expect([...byPrinting.keys()].sort()).toEqual(['Cold Foil', 'Foil', 'Normal'])
    for (const points of byPrinting.values()) {
      expect(points.map((point) => point.date)).toEqual(daysUpTo(TODAY, 90))
    }
  })

  test('with a printing has only that printing', async () => {
    const { body } = await get<PointRow[]>(`${path}?printing=Foil`)
    const { body: all } = await get<PointRow[]>(path)
    expect(body.data).toEqual(all.data.filter((point) => point.printing === 'Foil'))
    expect(body.data).toHaveLength(90)
  })

  test('has the prices of /history', async () => {
    const { body } = await get<PointRow[]>(`/v1/cards/${MARIGOLD}/history?range=all&printing=Foil`)
    const { body: detailed } = await get<PointRow[]>(`${path}?printing=Foil`)
    expect(
      detailed.data.map(({ date, printing, market_price, low_price }) => {
        return { date, printing, market_price, low_price }
      }),
    ).toEqual(body.data)
  })

  test('ignores a range', async () => {
    expect((await get<Row[]>(`${path}?range=month&printing=Foil`)).body.data).toHaveLength(90)
  })
})

/** Returns the given number of days, ending with `last`. */
function daysUpTo(last: string, count: number): string[] {
  const end = Date.parse(last)
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  )
}

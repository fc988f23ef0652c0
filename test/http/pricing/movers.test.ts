import { describe, expect, test } from 'bun:test'
import type { Static } from '@sinclair/typebox'
import type { DetailedPointSchema, MoverSchema, PriceSchema } from '#http/schemas/prices.ts'
import { openConfirmedFilter } from '../../support/pricing/confirmed-changes.ts'
import { createTestApp } from '../../support/test-app.ts'

type MoverRow = Static<typeof MoverSchema>

const DIRECTIONS = ['up', 'down'] as const
const PERIODS = ['24h', '7d', '30d'] as const
const DAY_BEFORE = { '24h': '2026-11-14', '7d': '2026-11-08', '30d': '2026-10-16' } as const

const testApp = await createTestApp()

const movers = (query = '') =>
  testApp.client.get<MoverRow[]>(`/v1/prices/top-movers?${query}`, { as: 'business' })

/** Every printing of the sample that has a price, with its card. */
async function everyPrice() {
  const { body: sets } = await testApp.client.get<{ id: number; game_slug: string }[]>('/v1/sets', {
    as: 'business',
  })
  const rows: (Static<typeof PriceSchema> & { product_type: string; game: string })[] = []
  for (const set of sets.data) {
    const { body } = await testApp.client.get<typeof rows>(`/v1/sets/${set.id}/prices`, {
      as: 'business',
    })
    rows.push(...body.data.map((row) => ({ ...row, game: set.game_slug })))
  }
  return rows
}

/** Price of a printing on a day, in cents. */
async function centsOn(
  cardId: number,
  printing: string,
  date: string,
): Promise<number | undefined> {
  const { body } = await testApp.client.get<Static<typeof DetailedPointSchema>[]>(
    `/v1/cards/${cardId}/history/detailed?printing=${encodeURIComponent(printing)}`,
    { as: 'business' },
  )
  const price = body.data.find((point) => point.date === date)?.market_price
  return typeof price === 'number' ? Math.round(price * 100) : undefined
}

describe('GET /v1/prices/top-movers', () => {
  test('returns the top 20 gainers of 24 hours with at least medium confidence by default', async () => {
    const plain = await movers()
    const explicit = await movers('direction=up&period=24h&limit=20&min_confidence=medium')
    expect(plain.body.data).toEqual(explicit.body.data)
    expect(plain.body.data.length).toBeLessThanOrEqual(20)
  })

  test.each(PERIODS.flatMap((period) => DIRECTIONS.map((way) => [period, way] as const)))(
    '%s, %s: leaves out prices of low confidence and changes by one sale unless they are asked for',
    async (period, direction) => {
      const query = `period=${period}&direction=${direction}&limit=50&include=confidence`
      const levels = (rows: readonly MoverRow[]) =>
        new Set(rows.map(({ confidence }) => confidence))
      const { body: reliable } = await movers(query)
      expect(levels(reliable.data)).not.toContain('low')
      const { body: all } = await movers(`${query}&min_confidence=low`)
      const isReliable = openConfirmedFilter(testApp.catalogDb, period)
      const expected = all.data.filter((row) => row.confidence !== 'low' && isReliable(row))
      expect(expected.length).toBeGreaterThan(0)
      expect(reliable.data.slice(0, expected.length)).toEqual(expected)
      expect(all.meta.excluded).toBe(reliable.meta.excluded)
    },
  )

  test('has the facts of the card and both changes', async () => {
    const { body } = await movers('limit=1')
    expect(body.data[0]).toMatchObject({
      card_id: 900208,
      marketplace_id: 900208,
      number: '8',
      rarity: 'U',
      set_id: 90021,
      game_slug: 'vellum-and-thorn',
      previous_price: 3.17,
      market_price: 4.75,
      price_change: 49.84,
      price_change_amount: 1.58,
    })
  })

  test('has the facts that the endpoint of the card has', async () => {
    const { body } = await movers('limit=50&period=30d&min_confidence=low')
    expect(body.data.length).toBeGreaterThan(20)
    for (const mover of body.data) {
      const { body: card } = await testApp.client.get<object>(`/v1/cards/${mover.card_id}`, {
        as: 'business',
      })
      const { number, rarity, set_id, game_slug, marketplace_id } = mover
      expect(card.data).toMatchObject({ number, rarity, set_id, game_slug, marketplace_id })
      const { market_price, previous_price, price_change_amount } = mover
      expect(Math.round((market_price - previous_price) * 100)).toBe(
        Math.round(price_change_amount * 100),
      )
    }
  })

  test.each(PERIODS.flatMap((period) => DIRECTIONS.map((way) => [period, way] as const)))(
    '%s, %s: agrees exactly with the history',
    async (period, direction) => {
      const fitting: { card_id: number; printing: string; ratio: number }[] = []
      let excluded = 0
      for (const { card_id, printing, market_price } of await everyPrice()) {
        if (typeof market_price !== 'number') continue
        const now = Math.round(market_price * 100)
        const before = await centsOn(card_id, printing, DAY_BEFORE[period])
        if (before === undefined || before === now) continue
        if (now > before !== (direction === 'up')) continue
        const ratio = now / before
        if (now < 100 || before < 100 || ratio > 10 || ratio < 0.1) excluded++
        else fitting.push({ card_id, printing, ratio })
      }
      const sign = direction === 'up' ? -1 : 1
      fitting.sort((a, b) => sign * (a.ratio - b.ratio) || a.card_id - b.card_id)
      const { body } = await movers(
        `period=${period}&direction=${direction}&limit=50&min_confidence=low`,
      )
      expect(body.data.map(({ card_id, printing }) => ({ card_id, printing }))).toEqual(
        fitting.slice(0, 50).map(({ card_id, printing }) => ({ card_id, printing })),
      )
      expect(body.meta.excluded).toBe(excluded)
    },
  )

  test.each(PERIODS)('has the numbers of the card (%s)', async (period) => {
    const prices = await everyPrice()
    for (const direction of DIRECTIONS) {
      const { body } = await movers(`period=${period}&direction=${direction}&limit=50`)
      for (const { card_id, printing, market_price, price_change } of body.data) {
        const price = prices.find((row) => row.card_id === card_id && row.printing === printing)
        expect(market_price).toBe(Number(price?.market_price))
        expect(price_change).toBe(Number(price?.[`price_change_${period}`]))
        expect(Math.sign(price_change)).toBe(direction === 'up' ? 1 : -1)
      }
    }
  })

  test('excludes and counts an implausible price change', async () => {
    // "Overdue" is listed at fifty times yesterday's price.
    const { body } = await movers('limit=50')
    expect(body.data.filter(({ card_id }) => card_id === 900213)).toEqual([])
    expect(body.meta.excluded).toBeGreaterThanOrEqual(1)
    const elsewhere = await movers('limit=50&game=perihelion-drift')
    expect(elsewhere.body.meta.excluded).toBe(0)
  })

  test('each filter returns its matches, in the same order', async () => {
    const prices = await everyPrice()
    const typeOf = (id: number) => prices.find((row) => row.card_id === id)
    const { body: all } = await movers('period=30d&limit=50')
    for (const [filter, fits] of [
      ['game=wickerwild', (row: MoverRow) => typeOf(row.card_id)?.game === 'wickerwild'],
      ['type=Sealed+Products', (row: MoverRow) => row.product_type === 'Sealed Products'],
      ['type=Cards', (row: MoverRow) => row.product_type === 'Cards'],
      ['printing=Foil', (row: MoverRow) => row.printing === 'Foil'],
      ['printing=Cold+Foil', (row: MoverRow) => row.printing === 'Cold Foil'],
      [
        'game=vellum-and-thorn&printing=Normal&type=Cards',
        (row: MoverRow) =>
          typeOf(row.card_id)?.game === 'vellum-and-thorn' &&
          row.printing === 'Normal' &&
          row.product_type === 'Cards',
      ],
    ] as const) {
      const { body } = await movers(`period=30d&limit=50&${filter}`)
      // The filtered list may extend beyond the first fifty of all.
      const expected = all.data.filter(fits)
      expect(body.data.every(fits)).toBe(true)
      expect(body.data.slice(0, expected.length)).toEqual(expected)
    }
  })

  test.each([1, 2, 20, 50])(
    'limit=%i returns at most that many, the first of the list',
    async (limit) => {
      const { body: longest } = await movers('limit=50')
      const { body } = await movers(`limit=${limit}`)
      expect(body.data).toEqual(longest.data.slice(0, limit))
    },
  )

  test.each(['No Such Printing', 'foil', 'Fo', '*'])(
    'an unknown printing (%s) returns an empty list',
    async (printing) => {
      const { status, body } = await movers(`printing=${printing}`)
      expect([status, body.data, body.meta.excluded]).toEqual([200, [], 0])
    },
  )

  test.each(['5', '20', '100'])(
    'min_price=%s lists only printings that cost at least that',
    async (min) => {
      const isDear = ({ market_price }: MoverRow) => market_price >= Number(min)
      for (const direction of DIRECTIONS) {
        const query = `period=30d&direction=${direction}&limit=50`
        const { body: all } = await movers(query)
        const { body } = await movers(`${query}&min_price=${min}`)
        // The list of dear ones continues where that of all ends.
        const expected = all.data.filter(isDear)
        expect(body.data.every(isDear)).toBe(true)
        expect(body.data.slice(0, expected.length)).toEqual(expected)
      }
    },
  )

  test.each(['0', '7', '-5', '1e2', 'all'])('min_price=%s is refused', async (min) => {
    const { status, body } = await movers(`min_price=${min}`)
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('game accepts the id of the game', async () => {
    const bySlug = await movers('game=wickerwild')
    expect((await movers('game=9001')).body.data).toEqual(bySlug.body.data)
  })
})

import { expect, test } from 'bun:test'
import { IN_DOLLARS, toCost } from '#rules/collections/collection-money.ts'
import { gainOf, summarizeItems, type ValuedItem } from '#rules/collections/summarize.ts'

function item(of: Partial<ValuedItem>): ValuedItem {
  return {
    id: 'i',
    card_id: 1,
    name: 'Cindle',
    set_id: 7,
    set_name: 'Tidepool Parade',
    game: 'wickerwild',
    place: null,
    printing: 'Normal',
    quantity: 1,
    cost: null,
    paid: null,
    target_price: null,
    market_price: null,
    base_7d: null,
    is_single: true,
    notes: [],
    ...of,
  }
}

const FACTS = {
  history: { held_since: null, untracked_value: 0, newest_change: null },
  singles: new Map(),
}

test('value, price paid and gain are of the same items, and the others are counted', () => {
  const { total, games, sets } = summarizeItems(
    [
      item({ quantity: 2, cost: 2_000, market_price: 1_500 }),
      item({ quantity: 3, market_price: 200 }),
      item({ quantity: 4, cost: 16_000 }),
      item({}),
    ],
    FACTS,
  )
  expect(total).toEqual({
    items: 4,
    copies: 10,
    unpriced: 2,
    unpriced_cost: 16_000,
    value: 3_600,
    without_cost: 1,
    without_cost_value: 600,
    cost: 2_000,
  })
  expect(gainOf(total)).toBe(1_000)
  expect(games).toEqual([{ game: 'wickerwild', ...total }])
  expect(sets).toMatchObject([total])
})

test('what was paid in another currency is added up as it was paid, too', () => {
  const euros = (cents: number) => ({ cents, currency: 'EUR' })
  const { total } = summarizeItems(
    [
      item({ quantity: 2, cost: 2_200, paid: euros(2_000), market_price: 1_500 }),
      item({ cost: 240, paid: euros(200), market_price: 100 }),
      item({ cost: 500, paid: { cents: 500, currency: 'USD' }, market_price: 500 }),
      item({ cost: null, paid: euros(900), market_price: 300 }),
      item({ cost: 90, paid: euros(80) }),
      item({ cost: null, paid: euros(70) }),
    ],
    FACTS,
  )
  expect(total).toMatchObject({ cost: 2_940, without_cost: 1, without_cost_value: 300 })
  expect(total.foreign).toEqual({ EUR: { paid: 2_200, cost: 2_440 } })
  expect(total.unpriced_foreign).toEqual({ EUR: { paid: 80, cost: 90 } })
  const rate = { rate: 0.5, day: 20_000 }
  expect(toCost(IN_DOLLARS, total)).toBe(29.4)
  expect(toCost({ currency: 'EUR', rate }, total)).toBe(24.5)
  expect(toCost({ currency: 'GBP', rate }, total)).toBe(14.7)
})

test('notes say how much of the value has prices that do not fit', () => {
  const { notes } = summarizeItems(
    [
      item({ quantity: 2, market_price: 1_500, notes: ['grade_not_priced'] }),
      item({ market_price: 200, notes: ['printing_not_found', 'grade_not_priced'] }),
      item({ notes: ['price_unknown'] }),
    ],
    FACTS,
  )
  expect(notes).toEqual({
    grade_not_priced: { items: 2, value: 3_200 },
    printing_not_found: { items: 1, value: 200 },
    price_unknown: { items: 1, value: 0 },
  })
})

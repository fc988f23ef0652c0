import { expect, test } from 'bun:test'
import { chooseHoldingPrice, type HoldingPrice } from '#rules/collections/choose-price.ts'

function price(of: Partial<HoldingPrice>): HoldingPrice {
  return {
    printing: 'Normal',
    source: 'tcgplayer',
    condition: 'near_mint',
    grade: null,
    currency: 'USD',
    market_price: 1_000,
    low_price: 900,
    median_price: null,
    base_24h: null,
    base_7d: null,
    base_30d: null,
    is_daily: true,
    series: 1,
    ...of,
  }
}

const PRICES = {
  mirror: [price({}), price({ printing: 'Foil', market_price: 5_000, series: 2 })],
  others: [
    price({ condition: 'lightly_played', market_price: 800, series: -1 }),
    price({ condition: null, grade: 'PSA 10', market_price: 90_000, series: -2 }),
    price({ condition: 'damaged', market_price: null, series: -3 }),
    price({ condition: null, grade: 'Grade 9', market_price: 40_000, series: -4 }),
    price({ printing: 'Gold', condition: null, market_price: 7_000, series: -5 }),
    price({ printing: 'Gold', condition: 'damaged', market_price: 2_000, series: -6 }),
    price({ printing: 'Gold', condition: null, grade: 'PSA 10', market_price: 1, series: -7 }),
  ],
}

test.each([
  ['Normal', 'near_mint', null, 1, []],
  ['Normal', 'unopened', null, 1, []],
  ['Foil', 'near_mint', null, 2, []],
  ['Normal', 'lightly_played', null, -1, []],
  ['Foil', 'lightly_played', null, 2, ['condition_not_priced']],
  ['Normal', 'damaged', null, 1, ['condition_not_priced']],
  ['Normal', 'near_mint', 'psa  10', -2, []],
  ['Normal', 'near_mint', 'PSA GEM MT 10', -2, []],
  ['Normal', 'damaged', 'BGS 9.5', 1, ['grade_not_priced']],
  ['Normal', 'near_mint', 'PSA 9', -4, ['grader_not_priced']],
  ['Normal', 'near_mint', 'Grade 9', -4, []],
  ['Foil', 'near_mint', 'PSA 10', 2, ['grade_not_priced']],
  ['Gold', 'near_mint', null, -5, []],
  ['Gold', 'damaged', null, -6, []],
  ['Gold', 'heavily_played', null, -5, ['condition_not_priced']],
  ['Gold', 'damaged', 'PSA 9', -5, ['grade_not_priced']],
  ['Silver', 'near_mint', null, 1, ['printing_not_found']],
  [null, 'near_mint', null, 1, []],
] as const)(
  '%p, %s, grade %p has the price of series %p',
  (printing, condition, grade, series, notes) => {
    const chosen = chooseHoldingPrice({ printing, condition, grade }, PRICES)
    expect([chosen.price?.series, chosen.notes]).toEqual([series, [...notes]])
  },
)

test.each([
  ['near_mint', 'near_mint', null, -1, []],
  ['near_mint', null, null, -1, []],
  ['unopened', 'unopened', null, -1, []],
  ['unopened', 'near_mint', null, -1, []],
  ['damaged', 'near_mint', null, -1, ['condition_not_priced']],
  ['near_mint', 'near_mint', 'PSA 10', -1, ['grade_not_priced']],
  ['near_mint', 'damaged', null, 1, ['price_unknown']],
] as const)(
  'copies that are %s have the price for %p of another source if the mirror has none',
  (owned, condition, grade, series, notes) => {
    const mirror = [price({ market_price: null })]
    const others = [price({ condition, series: -1 })]
    const copies = { printing: 'Normal', condition: owned, grade }
    const chosen = chooseHoldingPrice(copies, { mirror, others })
    expect([chosen.price?.series, chosen.notes]).toEqual([series, [...notes]])
    const none = chooseHoldingPrice({ ...copies, printing: null }, { mirror: [], others })
    expect(none.price?.series).toBe(condition === 'damaged' ? undefined : -1)
  },
)

test('a price that was converted has a note', () => {
  const others = [price({ currency: 'EUR', condition: null, grade: 'PSA 10', series: -1 })]
  const copies = { printing: 'Normal', condition: 'near_mint', grade: 'PSA 10' } as const
  const { price: chosen, notes } = chooseHoldingPrice(copies, { mirror: [price({})], others })
  expect([chosen?.series, notes]).toEqual([-1, ['price_converted']])
})

test('a card without a price, or no longer in the catalog, has a note', () => {
  const copies = { printing: 'Normal', condition: 'near_mint', grade: null } as const
  const none = { mirror: [price({ market_price: null })], others: [] }
  expect(chooseHoldingPrice(copies, none).notes).toEqual(['price_unknown'])
  expect(chooseHoldingPrice(copies, undefined)).toEqual({
    price: undefined,
    notes: ['card_not_found'],
  })
})

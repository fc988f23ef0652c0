import { describe, expect, test } from 'bun:test'
import type { PriceJson } from '#rules/pricing/price-json.ts'
import { rateList } from '#rules/pricing/price-view.ts'
import { type SourcePriceState, viewCard } from '#rules/pricing/viewed-prices.ts'

const DAY = 20_000

const MIRROR = rateList({ source: 'tcgplayer', currency: 'USD' }, 'EUR', { rate: 0.9, day: DAY })
const NATIVE = rateList({ source: 'cardmarket', currency: 'EUR' }, 'EUR', { rate: 1, day: DAY })
const EUROS = { currency: 'EUR', lists: [NATIVE, MIRROR] }

function dollars(printing: string, market_price: number | null): PriceJson {
  return {
    card_id: 1,
    printing,
    market_price,
    low_price: 1,
    median_price: null,
    lowest_with_shipping: 2.5,
    buylist_price: null,
    price_change_24h: null,
    price_change_7d: -3.5,
    price_change_30d: null,
    last_updated_at: '2026-11-20T20:00:00.000Z',
  }
}

function euros(printing: string, price: Partial<SourcePriceState> = {}): SourcePriceState {
  return {
    card_id: 1,
    printing,
    source: 'cardmarket',
    currency: 'EUR',
    condition: null,
    grade: null,
    market_price: 500,
    low_price: 400,
    median_price: null,
    published_at: 1_700_000_000,
    bases: { '24h': 400, '7d': null, '30d': null },
    ...price,
  }
}

const shown = (...given: Parameters<typeof viewCard>) =>
  viewCard(...given).prices.map(({ printing, source, market_price }) => [
    printing,
    source,
    market_price,
  ])

describe('a view of a card', () => {
  test('has the price of its first list with a market price, per printing', () => {
    const mirror = [dollars('Normal', 10), dollars('Foil', 20), dollars('Cold Foil', 30)]
    const others = [euros('Foil'), euros('Cold Foil', { market_price: null }), euros('Etched')]
    expect(shown(EUROS, mirror, others)).toEqual([
      ['Normal', 'tcgplayer', 9],
      ['Foil', 'cardmarket', 5],
      ['Cold Foil', 'tcgplayer', 27],
      ['Etched', 'cardmarket', 5],
    ])
  })

  test('converts all amounts, and keeps the changes in percent', () => {
    expect(viewCard(EUROS, [dollars('Normal', 10)], []).prices).toEqual([
      {
        card_id: 1,
        printing: 'Normal',
        source: 'tcgplayer',
        currency: 'EUR',
        converted: true,
        rate: 0.9,
        rate_date: '2024-10-04',
        market_price: 9,
        low_price: 0.9,
        median_price: null,
        lowest_with_shipping: 2.25,
        buylist_price: null,
        price_change_24h: null,
        price_change_7d: -3.5,
        price_change_30d: null,
        last_updated_at: '2026-11-20T20:00:00.000Z',
      },
    ])
  })

  test('has no amounts without a rate', () => {
    const list = rateList({ source: 'tcgplayer', currency: 'USD' }, 'EUR', undefined)
    const { prices } = viewCard({ currency: 'EUR', lists: [list] }, [dollars('Normal', 10)], [])
    expect(prices).toMatchObject([{ market_price: null, rate: null, rate_date: null }])
  })

  test('leaves out graded and played cards, and prefers near mint to no condition', () => {
    const others = [
      euros('Normal', { condition: 'damaged', market_price: 1 }),
      euros('Normal', { grade: 'PSA 10', market_price: 9_900 }),
      euros('Normal', { market_price: 600 }),
      euros('Normal', { condition: 'near_mint', market_price: 700 }),
      euros('Sealed', { condition: 'unopened' }),
      euros('Foil', { currency: 'GBP' }),
      euros('Foil', { source: 'my-shop' }),
    ]
    expect(shown(EUROS, [], others)).toEqual([
      ['Normal', 'cardmarket', 7],
      ['Sealed', 'cardmarket', 5],
    ])
  })

  test('has the base printing of the mirror if it has it, else its own', () => {
    const mirror = [dollars('Holofoil', 1), dollars('Reverse Holofoil', 2)]
    const cheap = euros('Reverse Holofoil', { market_price: 50 })
    const { base, foil } = viewCard(EUROS, mirror, [cheap])
    expect([base?.printing, foil?.printing]).toEqual(['Holofoil', 'Reverse Holofoil'])
    const alone = { currency: 'EUR', lists: [NATIVE] }
    expect(viewCard(alone, mirror, [cheap]).base?.printing).toBe('Reverse Holofoil')
  })
})

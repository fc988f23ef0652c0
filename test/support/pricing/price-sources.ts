import type { DayRates } from '#rules/pricing/exchange-rates.ts'
import { MS_PER_DAY, parseDate } from '#rules/primitives/days.ts'
import type { SourcePrice } from '#store/catalog/sources/source-price-writer.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import { FROZEN_TIME, type TestApp } from '../test-app.ts'

/** Last day with rates: a Friday, two days before the time of the test apps. */
export const RATE_DAY = parseDate('2026-11-13') ?? 0

const FIRST_RATE_DAY = RATE_DAY - 90

/** Rates of all weekdays up to the last one, with all digits of the European Central Bank. */
export function listTestRates(): DayRates[] {
  const days = Array.from({ length: RATE_DAY - FIRST_RATE_DAY + 1 }, (_, at) => FIRST_RATE_DAY + at)
  // 1 January 1970 was a Thursday.
  const weekdays = days.filter((day) => ![2, 3].includes(day % 7))
  return weekdays.map((day) => ({
    day,
    perEuro: {
      USD: Number((1.08 + (day % 17) / 997).toFixed(4)),
      GBP: Number((0.85 + (day % 5) / 1009).toFixed(5)),
      JPY: Number((161 + (day % 11) / 7).toFixed(2)),
    },
  }))
}

type MirrorRow = { card_id: number; printing: string; market_price: number | null }

/** Returns prices in euros for half of all printings, and some by condition and grade. */
function listTestPrices({ catalogDb }: Pick<TestApp, 'catalogDb'>): SourcePrice[] {
  const rows = catalogDb
    .prepare<[], MirrorRow>(
      `SELECT card_id, name AS printing, market_price FROM prices
         JOIN printings ON printings.id = printing_id WHERE (card_id + printing_id) % 2 = 0
        ORDER BY card_id, printing_id`,
    )
    .all()
  return rows.flatMap(({ card_id, printing, market_price }): SourcePrice[] => {
    const cents = Math.round((market_price ?? 100) * 0.83)
    const amounts = { market_price: cents, low_price: cents - 1, median_price: null }
    const price = { card_id, printing, currency: 'EUR', condition: null, grade: null, ...amounts }
    if (card_id !== GRADED_CARD) return [{ ...price, sale_count: null }]
    return [
      { ...price, sale_count: 12 },
      { ...price, condition: 'damaged' as const, market_price: 30, sale_count: 1 },
      { ...price, condition: 'near_mint' as const, grade: 'PSA 10', sale_count: 3 },
    ]
  })
}

/** A card of the sample with prices of every kind. */
export const GRADED_CARD = 900401

/** Adds reference rates and the prices of a source in euros to the catalog of an app. */
export function addPriceSources(testApp: TestApp): void {
  const publisher = openSourcePublisher(testApp.catalogDb)
  const now = new Date(FROZEN_TIME)
  const prices = listTestPrices(testApp)
  publisher.putRates(listTestRates(), now)
  for (const day of [RATE_DAY - 8, RATE_DAY, RATE_DAY + 2]) {
    const publishedAt = new Date(day * MS_PER_DAY + 3_600_000)
    publisher.publish({ source: 'cardmarket', game_id: 0, prices, publishedAt, now })
  }
  testApp.deps.catalog.publication.refresh()
}

/** Publishes the prices in euros of another day, changed by a function. */
export function publishPrices(
  testApp: TestApp,
  day: number,
  change: (cents: number, cardId: number) => number,
): void {
  const prices = listTestPrices(testApp).map((price) => ({
    ...price,
    market_price: Math.round(change(price.market_price ?? 0, price.card_id)),
  }))
  const publishedAt = new Date(day * MS_PER_DAY + 3_600_000)
  const batch = { source: 'cardmarket', game_id: 0, prices, publishedAt, now: publishedAt }
  openSourcePublisher(testApp.catalogDb).publish(batch)
  testApp.deps.catalog.publication.refresh()
}

const CONDITIONS = [
  'near_mint',
  'lightly_played',
  'moderately_played',
  'heavily_played',
  'damaged',
] as const

const PRINTINGS = ['Holofoil', '1st Edition Holofoil']

/** Adds the price list of a shop: a card of the sample in all conditions, and graded. */
export function addPriceList(testApp: TestApp): void {
  const card = { card_id: LISTED_CARD, currency: 'USD' }
  const raw = PRINTINGS.flatMap((printing) =>
    CONDITIONS.map((condition, at) => ({
      ...card,
      printing,
      condition,
      grade: null,
      sale_count: null,
      median_price: null,
      market_price: Math.round(2_300 * 0.8 ** at),
      low_price: Math.round(2_100 * 0.8 ** at),
    })),
  )
  const graded = ['PSA 10', 'PSA 9', 'BGS 9.5', 'CGC 10 Pristine', 'Grade 8'].map((grade, at) => ({
    ...card,
    printing: 'Holofoil',
    condition: null,
    grade,
    sale_count: 12 - at,
    median_price: null,
    market_price: 41_000 - at * 6_000,
    low_price: null,
  }))
  const publisher = openSourcePublisher(testApp.catalogDb)
  const [now, publishedAt] = [new Date(FROZEN_TIME), new Date('2026-11-14T09:00:00Z')]
  const prices = [...raw, ...graded]
  publisher.publish({ source: 'corner-shop', game_id: 0, prices, publishedAt, now })
  testApp.deps.catalog.publication.refresh()
}

/** A card of the sample in the price list of a shop. */
export const LISTED_CARD = 900018

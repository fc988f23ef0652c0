import type { HistoryPoint } from '../pricing/packed-history.ts'
import { toDollars } from '../primitives/money.ts'

/** Price of a printing on one day. */
export type DailyPrice = Omit<HistoryPoint, 'day'> & { card_id: number; printing: string }

/** Renders the mirror's file of the prices of a set, as `parsePricesFile` reads it. */
export function renderPricesFile(prices: readonly DailyPrice[]): string {
  const results = prices.map((price) => ({
    productId: price.card_id,
    lowPrice: toDollars(price.low_price),
    marketPrice: toDollars(price.market_price),
    averageSalesPrice: toDollars(price.avg_sales_price) ?? undefined,
    salesVolume: price.sales_volume ?? undefined,
    // The mirror's texts have HTML entities.
    subTypeName: price.printing.replaceAll('&', '&amp;'),
  }))
  return JSON.stringify({ success: true, errors: [], results })
}

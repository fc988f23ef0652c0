import { findRequestedPrinting, type PrintingWords } from '#rules/search/requested-printing.ts'
import type { Db } from '../../db.ts'
import type { PriceRow } from '../schema/pricing.ts'

export type PrintingOrderInput = {
  words: PrintingWords
  /** Cents, both inclusive. */
  min_price: number | undefined
  max_price: number | undefined
  /** Undefined keeps the order. */
  sort: 'price_asc' | 'price_desc' | undefined
}

/** Filters and sorts cards by the price of the printing that a query asks for. */
export type PrintingOrder = {
  /** Returns the ids in order. A card without that printing counts by its base printing. */
  select(ids: readonly number[], input: PrintingOrderInput): number[]
}

type PrintingPrice = Pick<PriceRow, 'card_id' | 'market_price' | 'is_base_printing'> & {
  printing: string
}

export function openPrintingOrder(db: Db): PrintingOrder {
  const prices = db.prepare<[string], PrintingPrice>(
    `SELECT card_id, market_price, is_base_printing, name AS printing
       FROM json_each(+?) AS wanted
       CROSS JOIN prices ON card_id = wanted.value
       JOIN printings ON printings.id = printing_id
      ORDER BY card_id, printing_id`,
  )
  return {
    select(ids, { words, min_price, max_price, sort }) {
      const byCard = Map.groupBy(prices.all(JSON.stringify(ids)), ({ card_id }) => card_id)
      const cards = ids.map((id) => {
        const own = byCard.get(id) ?? []
        const row =
          findRequestedPrinting(own, words) ?? own.find((one) => one.is_base_printing === 1)
        return { id, price: row?.market_price ?? null }
      })
      const isFiltered = min_price !== undefined || max_price !== undefined
      const kept = cards.filter(({ price }) => !isFiltered || isWithin(price, min_price, max_price))
      if (sort !== undefined) kept.sort((a, b) => compare(a, b, sort === 'price_asc' ? 1 : -1))
      return kept.map(({ id }) => id)
    },
  }
}

type Priced = { id: number; price: number | null }

function isWithin(price: number | null, min = 0, max = Number.POSITIVE_INFINITY): boolean {
  return price !== null && price >= min && price <= max
}

/** Compares prices in a direction; unknown ones are last, and ties are sorted by id. */
function compare(a: Priced, b: Priced, direction: 1 | -1): number {
  if (a.price === null || b.price === null) {
    return Number(a.price === null) - Number(b.price === null) || a.id - b.id
  }
  return (a.price - b.price) * direction || a.id - b.id
}

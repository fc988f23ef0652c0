import type { Deps } from '#deps.ts'
import { toHundredths } from '#rules/pricing/viewed-prices.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { SetSummary } from '#store/catalog/set-summary.ts'
import { assessPrices } from './assess-prices.ts'

/** Part of a sum of prices that cannot be relied on. */
export type LowConfidencePart = {
  /** Sum of the prices of low confidence, in the currency of the whole. */
  low_confidence_value: number
  /** Number of cards with these prices. */
  low_confidence_cards: number
}

/** Summarizes a set, and tells how much of its value is of low confidence today. */
export function summarizeSet(
  deps: Pick<Deps, 'catalog' | 'now'>,
  id: number,
): SetSummary & LowConfidencePart {
  const { catalog } = deps
  const bases = [...catalog.prices.listBySet(id)].filter(
    // The base printing comes first among the prices of a card.
    (row, at, rows) =>
      row.card_id !== rows[at - 1]?.card_id &&
      row.product_type === 'Cards' &&
      row.market_price !== null,
  )
  const confidences = assessPrices(deps, bases)
  const doubtful = bases.filter((_, at) => confidences[at]?.level === 'low')
  const cents = doubtful.reduce((sum, row) => sum + (toHundredths(row.market_price) ?? 0), 0)
  const { cards, priced, value, ...rest } = catalog.sets.summarize(id)
  return {
    cards,
    priced,
    value,
    // Rounded prices can add up to more than the whole, which is converted at once.
    low_confidence_value: Math.min(toDollars(cents), value),
    low_confidence_cards: doubtful.length,
    ...rest,
  }
}

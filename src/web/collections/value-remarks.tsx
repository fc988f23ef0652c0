import type { CollectionSummary } from '#client/endpoints.ts'
import { moneyText, plural } from '../format.ts'
import { PRICED_OTHERWISE } from './item-text.ts'

type Remarked = Pick<CollectionSummary, 'notes' | 'currency'>

/** Says how much of a value has prices that do not exactly fit the copies. */
export function pricedOtherwise({ notes, currency }: Remarked): string[] {
  return notes.flatMap(({ note, items, value }) => {
    const how = PRICED_OTHERWISE[note]
    const amount = moneyText(value, currency)
    if (note === NOT_CONVERTED && value === 0) {
      return `What was paid for ${plural(items, 'item')} is in no sum, because its day has no exchange rate.`
    }
    return how === undefined || value === 0
      ? []
      : `${amount} of the value is ${how} (${plural(items, 'item')}).`
  })
}

const NOT_CONVERTED = 'price_paid_not_converted'

/** Names the number of items that a value leaves out. */
export function unpricedText(unpriced: number | null): string[] {
  return unpriced === null || unpriced === 0
    ? []
    : [`The value leaves out ${plural(unpriced, 'item')} without a price.`]
}

type LeftOut = Remarked &
  Pick<CollectionSummary, 'unpriced' | 'unpriced_cost' | 'without_cost' | 'without_cost_value'>

/** Names the items that are not in the value, the price paid and the gain. */
export function leftOutText(summary: LeftOut): string[] {
  const { unpriced, unpriced_cost, without_cost, without_cost_value, currency, notes } = summary
  const paid = unpriced_cost > 0 ? `, for which ${moneyText(unpriced_cost, currency)} was paid` : ''
  const worth = moneyText(without_cost_value, currency)
  const isConverted = notes.every(({ note }) => note !== NOT_CONVERTED)
  const lack = isConverted ? 'a price paid' : 'a price paid, or an exchange rate for it'
  return [
    ...(unpriced === 0
      ? []
      : [
          `Value, price paid and gain leave out ${plural(unpriced, 'item')} without a price${paid}.`,
        ]),
    ...(without_cost === 0
      ? []
      : [
          `Price paid and gain leave out ${plural(without_cost, 'item')} without ${lack}, worth ${worth}.`,
        ]),
  ]
}

/** Lists remarks about a value; nothing without one. */
export function ValueRemarks({ remarks, className }: { remarks: string[]; className: string }) {
  if (remarks.length === 0) return null
  return (
    <ul className={`small stack tight ${className}`}>
      {remarks.map((remark) => (
        <li key={remark}>{remark}</li>
      ))}
    </ul>
  )
}

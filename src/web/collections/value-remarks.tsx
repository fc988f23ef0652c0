import type { CollectionSummary } from '#client/endpoints.ts'
import { moneyText, plural } from '../format.ts'
import { PRICED_OTHERWISE } from './item-text.ts'

type Remarked = Pick<CollectionSummary, 'notes' | 'currency'>

/** Says how much of a value has prices that do not exactly fit the copies. */
export function pricedOtherwise({ notes, currency }: Remarked): string[] {
  return notes.flatMap(({ note, items, value }) => {
    const how = PRICED_OTHERWISE[note]
    const amount = moneyText(value, currency)
    return how === undefined || value === 0
      ? []
      : [`${amount} of the value is ${how} (${plural(items, 'item')}).`]
  })
}

/** Names the number of items that a value leaves out. */
export function unpricedText(unpriced: number | null): string[] {
  return unpriced === null || unpriced === 0
    ? []
    : [`The value leaves out ${plural(unpriced, 'item')} without a price.`]
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

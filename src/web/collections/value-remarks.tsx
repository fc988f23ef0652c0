import type { CollectionSummary } from '#client/endpoints.ts'
import * as texts from '#texts/collections/value.ts'
import { moneyText } from '../format.ts'
import { PRICED_OTHERWISE } from './item-text.ts'

type Remarked = Pick<CollectionSummary, 'notes' | 'currency'>

/** Says how much of a value has prices that do not exactly fit the copies. */
export function pricedOtherwise({ notes, currency }: Remarked): string[] {
  return notes.flatMap(({ note, items, value }) => {
    const how = PRICED_OTHERWISE[note]
    const amount = moneyText(value, currency)
    if (note === NOT_CONVERTED && value === 0) {
      return texts.paidWithoutRate(items)
    }
    return how === undefined || value === 0 ? [] : texts.partOfTheValue({ amount, how, items })
  })
}

const NOT_CONVERTED = 'price_paid_not_converted'

/** Names the number of items that a value leaves out. */
export function unpricedText(unpriced: number | null): string[] {
  return unpriced === null || unpriced === 0 ? [] : [texts.valueLeavesOut(unpriced)]
}

type LeftOut = Remarked &
  Pick<CollectionSummary, 'unpriced' | 'unpriced_cost' | 'without_cost' | 'without_cost_value'>

/** Names the items that are not in the value, the price paid and the gain. */
export function leftOutText(summary: LeftOut): string[] {
  const { unpriced, unpriced_cost, without_cost, without_cost_value, currency, notes } = summary
  const paid = moneyText(unpriced_cost, currency)
  const worth = moneyText(without_cost_value, currency)
  const isConverted = notes.every(({ note }) => note !== NOT_CONVERTED)
  const unpaid = { withoutCost: without_cost, worth }
  return [
    ...(unpriced === 0
      ? []
      : [
          unpriced_cost > 0
            ? texts.allLeaveOutPaid({ unpriced, paid })
            : texts.allLeaveOut(unpriced),
        ]),
    ...(without_cost === 0
      ? []
      : [isConverted ? texts.gainLeavesOut(unpaid) : texts.gainLeavesOutUnconverted(unpaid)]),
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

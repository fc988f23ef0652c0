import type { SinglesTotal } from '#store/catalog/set-summary.ts'
import type { SetRecord } from '#store/catalog/sets.ts'

/** A set with its value in a view. */
export type ValuedSet = SetRecord &
  Partial<Pick<SinglesTotal, 'currency' | 'converted' | 'rate' | 'rate_date'>>

/** Shows a set with its total in a view. @param total undefined outside a view, where the set has its own */
export function showTotal(set: SetRecord, total: SinglesTotal | undefined): ValuedSet {
  if (total === undefined) return set
  const { cards: _, priced, value, ...origin } = total
  return { ...set, priced_count: priced, value: priced === 0 ? null : value, ...origin }
}

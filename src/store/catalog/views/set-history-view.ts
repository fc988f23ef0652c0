import type { PriceSeries } from '#rules/pricing/history.ts'
import { type SetValuePoint, type SumOrigin, sumHistories } from '#rules/pricing/set-value.ts'
import type { HistoryStore } from '../history/history.ts'
import type { ViewReader } from './view-reader.ts'

type SetHistoryStores = {
  /** Histories in the view. */
  history: HistoryStore
  getSetHistory(id: number): SetValuePoint[]
}

/** Shows the value of a set by day in a view: the sum of the lines that the charts of its cards have. */
export function openSetHistoryView(
  { history, getSetHistory }: SetHistoryStores,
  reader: ViewReader,
): (id: number) => SetValuePoint[] {
  const { currency } = reader.view

  function listSeries(setId: number): PriceSeries[] {
    return reader.listSet(setId).flatMap(({ card, base }) => {
      if (card.product_type !== 'Cards' || base === undefined) return []
      const lines = history.listByCard(card.card_id, 0)
      return lines.find(({ printing }) => printing === base.printing) ?? []
    })
  }

  return (id) => {
    const own: SumOrigin = { currency, converted: false }
    if (reader.isMirrorOnly) return getSetHistory(id).map((point) => ({ ...point, origin: own }))
    const series = listSeries(id)
    // All prices that are converted have the same currency, so one line tells the rates of all.
    const converted = series.find(isConverted)
    return sumHistories(series.map(({ points }) => points)).flatMap((point) => {
      const { source: _, ...origin } = converted?.originOf?.(point.day) ?? { ...own, source: null }
      // A day without a rate has no value.
      return origin.rate === null ? [] : { ...point, origin }
    })
  }
}

function isConverted({ points: [first], originOf }: PriceSeries): boolean {
  return first !== undefined && originOf?.(first.day).converted === true
}

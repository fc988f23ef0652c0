import type { PriceSeries, SimplifiedSeries } from '#rules/pricing/history.ts'
import type { HistoryPoint } from '#rules/pricing/packed-history.ts'
import {
  describeMissing,
  isMirrorList,
  type PriceList,
  type RatedList,
  rateList,
} from '#rules/pricing/price-view.ts'
import { convertKnown, listUsual } from '#rules/pricing/viewed-prices.ts'
import type { HistoryStore } from '../history/history.ts'
import type { ExchangeRateStore } from '../sources/exchange-rates.ts'
import type { SourcePriceStore } from '../sources/source-prices.ts'
import type { ViewReader } from './view-reader.ts'

type HistoryStores = {
  history: HistoryStore
  sources: { prices: SourcePriceStore; rates: ExchangeRateStore }
}

/** Shows histories in a view, in which each day has its own rate. */
export function openHistoryViewStore(
  { history, sources }: HistoryStores,
  reader: ViewReader,
): HistoryStore {
  const { currency, lists } = reader.view

  /** Converts points. Days before the first rate are skipped; later days without a rate have no amounts. */
  function convert(points: HistoryPoint[], list: PriceList): ViewedPoints {
    const rates = new Map<number, RatedList>()
    const rateOn = (day: number) => {
      const known = rates.get(day)
      if (known !== undefined) return known
      const rate = sources.rates.find({ from: list.currency, to: currency, day })
      const rated = rateList(list, currency, rate)
      rates.set(day, rated)
      return rated
    }
    const originOf = (day: number) => rateOn(day).origin
    if (list.currency === currency) return { points, originOf }
    const first = sources.rates.getFirstDay({ from: list.currency, to: currency })
    const from = first ?? Number.POSITIVE_INFINITY
    const converted = points
      .filter(({ day }) => day >= from)
      .map((point) => {
        const { rate } = rateOn(point.day)
        return {
          ...point,
          market_price: convertKnown(point.market_price, rate),
          low_price: convertKnown(point.low_price, rate),
          avg_sales_price: convertKnown(point.avg_sales_price, rate),
        }
      })
    return { points: converted, originOf }
  }

  function listOfList(cardId: number, firstDay: number, list: RatedList): PriceSeries[] {
    const own = isMirrorList(list)
      ? history.listByCard(cardId, firstDay)
      : listUsual(sources.prices.listHistories(cardId), list).map(({ printing, series }) => ({
          printing,
          points: history.getPoints(series, firstDay),
        }))
    return own.map(({ printing, points }) => ({ printing, ...convert(points, list) }))
  }

  /** Lists one series per printing, from the first list with points. */
  function listByCard(cardId: number, firstDay: number): PriceSeries[] {
    const found = lists.flatMap((list) => listOfList(cardId, firstDay, list))
    return [...Map.groupBy(found, ({ printing }) => printing).values()].flatMap(
      (among) => among.find(({ points }) => points.length > 0) ?? among[0] ?? [],
    )
  }

  function getSimplified(cardId: number, firstDay: number): SimplifiedSeries {
    if (reader.mirror !== undefined && lists.length === 1) {
      const { printing, ...both } = history.getSimplified(cardId, firstDay)
      return simplify(
        printing,
        convert(both.base, reader.mirror),
        convert(both.foil, reader.mirror),
      )
    }
    const { base, foil } = reader.getCard(cardId) ?? {}
    const series = listByCard(cardId, firstDay)
    const find = (price: { printing: string } | undefined) =>
      series.find(({ printing }) => printing === price?.printing) ?? NO_POINTS
    return simplify(base?.printing ?? null, find(base), find(foil))
  }

  function simplify(
    printing: string | null,
    base: ViewedPoints,
    foil: ViewedPoints,
  ): SimplifiedSeries {
    const known = new Set(base.points.map(({ day }) => day))
    return {
      printing,
      base: base.points,
      foil: foil.points,
      originOf: (day) => (known.has(day) && base.originOf?.(day)) || describeMissing(currency),
      foilOriginOf: (day) => foil.originOf?.(day) ?? describeMissing(currency),
    }
  }

  return { ...history, listByCard, getSimplified }
}

type ViewedPoints = Pick<PriceSeries, 'points' | 'originOf'>

const NO_POINTS: ViewedPoints = { points: [] }

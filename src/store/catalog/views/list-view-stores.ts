import { convertRange } from '#rules/pricing/exchange-rates.ts'
import type { PriceSeries } from '#rules/pricing/history.ts'
import type { PriceJson } from '#rules/pricing/price-json.ts'
import { describeMissing, isMirrorList, pickOrigin } from '#rules/pricing/price-view.ts'
import { chainHistories, type SetValuePoint, type SumOrigin } from '#rules/pricing/set-value.ts'
import {
  convertDollars,
  subtractAmounts,
  toHundredths,
  type ViewedPrice,
} from '#rules/pricing/viewed-prices.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { CardStore, JsonForm, RenderedCard } from '../card-store.ts'
import type { HistoryStore } from '../history/history.ts'
import type { MoverStore } from '../movers.ts'
import type { PricedCardStore, PricedPrinting } from '../priced-cards.ts'
import type { SearchStore } from '../search/search-store.ts'
import type { SetSummary, SinglesTotal } from '../set-summary.ts'
import { describeBase } from './price-view-store.ts'
import type { ViewReader } from './view-reader.ts'

/** Converts bounds of prices from the currency of a view. The catalog compares them with the mirror's prices. */
export function openSearchViewStore(search: SearchStore, { mirrorRate }: ViewReader): SearchStore {
  return {
    ...search,
    find(input) {
      const { min_price: min, max_price: max } = input
      if (min === undefined && max === undefined) return search.find(input)
      const range = mirrorRate === undefined ? NO_PRICE : convertRange({ min, max }, mirrorRate)
      return search.find({ ...input, min_price: range.min, max_price: range.max })
    },
  }
}

/** A range without prices, because no price is known without a rate. */
const NO_PRICE = { min: 1, max: 0 }

/**
 * Shows the movers of the first list in a view that has any, in the view's currency; otherwise those of the mirror.
 * Empty without a rate.
 */
export function openMoverViewStore(movers: MoverStore, { view }: ViewReader): MoverStore {
  return {
    ...movers,
    listTop(query) {
      const { lists } = view
      const list = lists.find((one) => isMirrorList(one) || movers.hasAny(one, query)) ?? lists[0]
      if (list === undefined) return { rows: [], excluded: 0 }
      const { source, currency, origin, rate } = list
      const { rows, excluded } = movers.listTop({ ...query, list: { source, currency } })
      const convert = (own: number) => (origin.converted ? convertDollars(own, rate) : own)
      const viewed = rows.flatMap(({ price_change, image_url, ...row }) => {
        const previous_price = convert(row.previous_price)
        const market_price = convert(row.market_price)
        if (previous_price === null || market_price === null) return []
        const price_change_amount = subtractAmounts(market_price, previous_price)
        return {
          ...row,
          ...origin,
          previous_price,
          market_price,
          price_change,
          price_change_amount,
          image_url,
        }
      })
      return { rows: viewed, excluded }
    },
  }
}

/** Shows the prices of named cards in a view. */
export function openPricedCardViewStore(
  pricedCards: PricedCardStore,
  reader: ViewReader,
): PricedCardStore {
  return {
    ...pricedCards,
    getByIds(ids) {
      const cards = pricedCards.listNamed(ids)
      const viewed = reader.getCards(cards.map(({ id }) => id))
      return new Map(
        cards.map((card) => {
          const printings = (viewed.get(card.id)?.prices ?? []).map(toPricedPrinting)
          return [card.id, { card, printings }]
        }),
      )
    },
  }
}

function toPricedPrinting(price: ViewedPrice): PricedPrinting {
  return {
    printing: price.printing,
    market_price: toHundredths(price.market_price),
    low_price: toHundredths(price.low_price),
    origin: pickOrigin(price),
  }
}

/** Shows the value of a set in a view: that of the mirror, converted, unless the view has other sources. */
export function openSetTotalView(
  getTotal: (id: number) => SinglesTotal,
  reader: ViewReader,
): (id: number) => SinglesTotal {
  const { view, hasOthers, mirror } = reader
  const { source: _, ...origin } = mirror?.origin ?? describeMissing(view.currency)

  function convert({ cards, priced, value }: SinglesTotal): SinglesTotal {
    const viewed = origin.converted ? convertDollars(value, mirror?.rate) : value
    return viewed === null || priced === 0
      ? { cards, priced: 0, value: 0, currency: view.currency, converted: false }
      : { cards, priced, value: viewed, ...origin }
  }

  return (id) => {
    const total = getTotal(id)
    if (!hasOthers) return convert(total)
    const bases = reader.listSet(id).flatMap(({ card, base }) => {
      return card.product_type === 'Cards' && base?.market_price != null ? base : []
    })
    const cents = bases.reduce((sum, base) => sum + (toHundredths(base.market_price) ?? 0), 0)
    const origin = sumOrigins(reader, bases)
    return { cards: total.cards, priced: bases.length, value: toDollars(cents), ...origin }
  }
}

/** Describes the currency of a sum, with the rate of its converted prices. */
function sumOrigins({ view: { currency } }: ViewReader, prices: readonly ViewedPrice[]): SumOrigin {
  const converted = prices.find((price) => price.converted)
  if (converted === undefined) return { currency, converted: false }
  const { source: _, ...origin } = pickOrigin(converted)
  return origin
}

/** Shows the prices of cards in a view. */
export function openCardViewStore(cards: CardStore, reader: ViewReader): CardStore {
  const missing = describeMissing(reader.view.currency)

  /** @param printing printing whose price is needed, even if it has none in the view */
  function viewCards(
    cards: readonly RenderedCard[],
    form: JsonForm = 'text',
    printing?: string,
  ): RenderedCard[] {
    // The card store has written this text, so its shape is known.
    const read = cards.map(({ data }) => ({ ...Object(data) }) as ReadCard)
    const viewed = reader.combine(new Map(read.map(({ id, prices }) => [id, prices])))
    return read.map((card) => {
      const { prices = [], base } = viewed.get(card.id) ?? {}
      const wanted = prices.find((price) => price.printing === card.printing)
      const price =
        printing === undefined || wanted !== undefined
          ? describeBase(wanted ?? base, missing)
          : { printing, ...missing, market_price: null }
      const { printing: _, market_price: __, prices: ___, matched_printing, ...rest } = card
      const matched = matched_printing === undefined ? {} : { matched_printing }
      const data = {
        ...rest,
        ...price,
        ...matched,
        get prices() {
          return prices.map((one) => ({ ...one }))
        },
      }
      const { id } = card
      return { id, data: form === 'text' ? JSON.stringify(data) : data, prices: prices.length }
    })
  }

  return {
    ...cards,
    listBySet({ after_version, ...filter }, window, form) {
      // Rates change daily, so all prices in other views count as changed.
      const since = reader.isMirrorOnly ? { after_version } : {}
      const { rows, total } = cards.listBySet({ ...filter, ...since }, window, 'object')
      return { rows: viewCards(rows, form, filter.printing), total }
    },
    listReprints(id, window, form) {
      const { rows, total } = cards.listReprints(id, window, 'object')
      return { rows: viewCards(rows, form), total }
    },
    listWithPrices: (ids, form) => viewCards(cards.listWithPrices(ids, 'object'), form),
    listSearchItems: (ids, printings, form) =>
      viewCards(cards.listSearchItems(ids, printings, 'object'), form),
  }
}

type ReadCard = {
  id: number
  printing: string | null
  market_price: number | null
  prices: PriceJson[]
  /** Member of search results only. */
  matched_printing?: string | null
}

type SetHistoryStores = {
  /** Histories and summaries in the view. */
  history: HistoryStore
  summarize(id: number): SetSummary
  getHistory(id: number): SetValuePoint[]
}

/** Shows the daily value of a set in a view: its summary, chained by the histories in the charts of its cards. */
export function openSetHistoryView(
  { history, summarize, getHistory }: SetHistoryStores,
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
    if (reader.isMirrorOnly) return getHistory(id).map((point) => ({ ...point, origin: own }))
    const series = listSeries(id)
    const summary = summarize(id)
    // All converted prices have the same currency, so one history has the rates of all.
    const converted = series.find(isConverted)

    function originOf({ day, chained }: SetValuePoint): SumOrigin {
      // The summary is converted at the rate of today.
      const isSummary = !chained && summary.priced > 0
      const known = isSummary ? summary : converted?.originOf?.(day)
      const { source: _, ...origin } = pickOrigin({ source: null, ...own, ...known })
      return origin
    }

    const histories = series.map(({ points }) => points)
    return chainHistories(histories, summary).flatMap((point) => {
      const origin = originOf(point)
      // A day without a rate has no value.
      return origin.rate === null ? [] : { ...point, origin }
    })
  }
}

function isConverted({ points: [first], originOf }: PriceSeries): boolean {
  return first !== undefined && originOf?.(first.day).converted === true
}

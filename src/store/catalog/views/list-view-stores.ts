import { convertRange } from '#rules/pricing/exchange-rates.ts'
import { isMirrorList, pickOrigin } from '#rules/pricing/price-view.ts'
import type { SumOrigin } from '#rules/pricing/set-value.ts'
import { convertDollars, toHundredths, type ViewedPrice } from '#rules/pricing/viewed-prices.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { MoverStore } from '../movers.ts'
import type { PricedCardStore, PricedPrinting } from '../priced-cards.ts'
import type { SearchStore } from '../search/search-store.ts'
import type { SetSummary } from '../set-summary.ts'
import type { ViewReader } from './view-reader.ts'

/** Reads bounds of prices in the currency of a view. The catalog compares them with the mirror's prices. */
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

/** A range without prices: without a rate, no price is known. */
const NO_PRICE = { min: 1, max: 0 }

/**
 * Shows the movers of the first list of a view that has any, in its currency: those of the mirror in any case. Empty
 * without a rate.
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
      const viewed = rows.flatMap(({ price_change, image_url, ...row }) => {
        const { market_price: own } = row
        const market_price = origin.converted ? convertDollars(own, rate) : own
        return market_price === null
          ? []
          : { ...row, ...origin, market_price, price_change, image_url }
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

/** Shows the value of a set in a view. */
export function openSetSummaryView(
  summarizeSet: (id: number) => SetSummary,
  reader: ViewReader,
): (id: number) => SetSummary {
  return (id) => {
    const { cards, rarities, printings } = summarizeSet(id)
    const bases = reader.listSet(id).flatMap(({ card, base }) => {
      return card.product_type === 'Cards' && base?.market_price != null ? base : []
    })
    const cents = bases.reduce((sum, base) => sum + (toHundredths(base.market_price) ?? 0), 0)
    const value = { priced: bases.length, value: toDollars(cents), ...sumOrigins(reader, bases) }
    return { cards, ...value, rarities, printings }
  }
}

/** Describes the currency of a sum; its rate is that of the prices in it that are converted. */
function sumOrigins({ view: { currency } }: ViewReader, prices: readonly ViewedPrice[]): SumOrigin {
  const converted = prices.find((price) => price.converted)
  if (converted === undefined) return { currency, converted: false }
  const { source: _, ...origin } = pickOrigin(converted)
  return origin
}

import type { ExchangeRate } from '#rules/pricing/exchange-rates.ts'
import type { PriceJson } from '#rules/pricing/price-json.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import {
  isMirrorList,
  type PriceView,
  type RatedList,
  rateView,
} from '#rules/pricing/price-view.ts'
import { type ViewedCard, viewCard } from '#rules/pricing/viewed-prices.ts'
import type { PriceStore, SetCard } from '../prices.ts'
import type { ExchangeRateStore } from '../sources/exchange-rates.ts'
import type { SourcePriceStore } from '../sources/source-prices.ts'

/** Stores with the prices of all views. */
export type ViewedStores = {
  prices: PriceStore
  sources: { prices: SourcePriceStore; rates: ExchangeRateStore }
}

/** Reads the prices of a view, with the rates of one day. */
export type ViewReader = {
  view: PriceView<RatedList>
  /** True if the view shows prices of other sources than the mirror. */
  hasOthers: boolean
  /** True if the view only shows the mirror's prices, unconverted. */
  isMirrorOnly: boolean
  /** List of the mirror in the view; undefined if the view does not contain it. */
  mirror: RatedList | undefined
  /** Rate from the mirror's currency, for ordering and filtering lists; undefined if unknown. */
  mirrorRate: ExchangeRate | undefined
  /** Returns the prices of a card; undefined if it has none. */
  getCard(cardId: number): ViewedCard | undefined
  /** Returns prices by card id; cards without prices are skipped. */
  getCards(cardIds: readonly number[]): Map<number, ViewedCard>
  /** Combines known prices of the mirror with the other prices of the view. */
  combine(mirror: ReadonlyMap<number, readonly PriceJson[]>): Map<number, ViewedCard>
  /** Lists all cards of a set with their prices, by collector number. */
  listSet(setId: number): (ViewedCard & { card: SetCard })[]
}

/** @param day day of the rates for current prices */
export function openViewReader(
  { prices, sources }: ViewedStores,
  chosen: PriceView,
  day: number,
): ViewReader {
  const findRate = (from: string) => sources.rates.find({ from, to: chosen.currency, day })
  const view = rateView(chosen, findRate)
  const mirror = view.lists.find(isMirrorList)
  const hasOthers = !view.lists.every(isMirrorList)

  function combine(known: ReadonlyMap<number, readonly PriceJson[]>): Map<number, ViewedCard> {
    const others = hasOthers ? sources.prices.listByCards(known.keys()) : undefined
    const viewed = new Map<number, ViewedCard>()
    for (const [id, prices] of known) {
      const card = viewCard(view, prices, others?.get(id) ?? [])
      if (card.prices.length > 0) viewed.set(id, card)
    }
    return viewed
  }

  return {
    view,
    hasOthers,
    isMirrorOnly: !hasOthers && mirror?.origin.converted === false,
    mirror,
    mirrorRate: findRate(MIRROR_KIND.currency),
    combine,
    getCard: (id) => combine(new Map([[id, prices.listByCard(id) ?? []]])).get(id),
    getCards(ids) {
      const known = prices.listByCards(ids)
      return combine(new Map(ids.map((id) => [id, known.get(id) ?? []])))
    },
    listSet(setId) {
      const cards = [...prices.listCardsOfSet(setId)]
      const viewed = combine(new Map(cards.map(({ card, prices }) => [card.card_id, prices])))
      return cards.map(({ card }) => ({ card, ...(viewed.get(card.card_id) ?? NO_PRICES) }))
    },
  }
}

const NO_PRICES: ViewedCard = { prices: [], base: undefined, foil: undefined }

import type { PriceJson } from '#rules/pricing/price-json.ts'
import { describeMissing } from '#rules/pricing/price-view.ts'
import type { CardStore, RenderedCard } from '../cards.ts'
import { describeBase } from './price-view-store.ts'
import type { ViewReader } from './view-reader.ts'

/**
 * Shows the prices of cards in a view. Parsing the rendered text of a page takes a third of the time of reading
 * it from the catalog, so that it need not be rendered in a second way.
 */
export function openCardViewStore(cards: CardStore, reader: ViewReader): CardStore {
  const missing = describeMissing(reader.view.currency)

  /** @param printing whose price is wanted, also if the view has none */
  function viewCards(rendered: readonly RenderedCard[], printing?: string): RenderedCard[] {
    // Rendered by the store of cards, so the shape is known.
    const parsed = rendered.map(({ text }) => JSON.parse(text) as ParsedCard)
    const viewed = reader.combine(new Map(parsed.map(({ id, prices }) => [id, prices])))
    return parsed.map((card) => {
      const { prices = [], base } = viewed.get(card.id) ?? {}
      const wanted = prices.find((price) => price.printing === card.printing)
      const price =
        printing === undefined || wanted !== undefined
          ? describeBase(wanted ?? base, missing)
          : { printing, ...missing, market_price: null }
      const { printing: _, market_price: __, prices: ___, matched_printing, ...rest } = card
      const matched = matched_printing === undefined ? {} : { matched_printing }
      const text = JSON.stringify({ ...rest, ...price, ...matched, prices })
      return { id: card.id, text, prices: prices.length }
    })
  }

  return {
    ...cards,
    listBySet({ after_version, ...filter }, window) {
      // Rates change daily, so all prices of other views count as changed.
      const since = reader.isMirrorOnly ? { after_version } : {}
      const { rows, total } = cards.listBySet({ ...filter, ...since }, window)
      return { rows: viewCards(rows, filter.printing), total }
    },
    listReprints(id, window) {
      const { rows, total } = cards.listReprints(id, window)
      return { rows: viewCards(rows), total }
    },
    listWithPrices: (ids) => viewCards(cards.listWithPrices(ids)),
    listSearchItems: (ids, printings) => viewCards(cards.listSearchItems(ids, printings)),
  }
}

type ParsedCard = {
  id: number
  printing: string | null
  market_price: number | null
  prices: PriceJson[]
  /** Member of search results alone. */
  matched_printing?: string | null
}

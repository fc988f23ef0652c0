import type { PriceView } from '#rules/pricing/price-view.ts'
import type { CardStore } from '../card-store.ts'
import type { HistoryStore } from '../history/history.ts'
import type { MoverStore } from '../movers.ts'
import type { PricedCardStore } from '../priced-cards.ts'
import type { SearchStore } from '../search/search-store.ts'
import type { SetFigures, SetSummary } from '../set-summary.ts'
import type { SetStore } from '../sets.ts'
import { openHistoryViewStore } from './history-view-store.ts'
import {
  openCardViewStore,
  openMoverViewStore,
  openPricedCardViewStore,
  openSearchViewStore,
  openSetHistoryView,
  openSetTotalView,
} from './list-view-stores.ts'
import { openPriceViewStore } from './price-view-store.ts'
import { openViewReader, type ViewedStores, type ViewReader } from './view-reader.ts'

/** A view in which prices are shown. */
export type OpenedView = PriceView & {
  /** Distinguishes responses for one version of the catalog: the lists, and the days of their rates. */
  variant: string
}

type StoresWithPrices = ViewedStores & {
  cards: CardStore
  history: HistoryStore
  movers: MoverStore
  pricedCards: PricedCardStore
  search: SearchStore
  sets: SetFigures & Pick<SetStore, 'list'>
}

/**
 * Returns the catalog with its prices in a view: the same stores, whose records state the origin of each price.
 *
 * @param day day of the rates for current prices
 */
export function viewCatalog<Stores extends StoresWithPrices>(
  catalog: Stores,
  view: PriceView,
  day: number,
): Stores & { view: OpenedView } {
  const reader = openViewReader(catalog, view, day)
  const history = openHistoryViewStore(catalog, reader)
  const getTotal = openSetTotalView(catalog.sets.getTotal, reader)
  function summarize(id: number): SetSummary {
    const { rarities, printings } = catalog.sets.summarize(id)
    return { ...getTotal(id), rarities, printings }
  }
  return {
    ...catalog,
    prices: openPriceViewStore(catalog.prices, reader),
    cards: openCardViewStore(catalog.cards, reader),
    history,
    movers: openMoverViewStore(catalog.movers, reader),
    pricedCards: openPricedCardViewStore(catalog.pricedCards, reader),
    search: openSearchViewStore(catalog.search, reader),
    sets: {
      ...catalog.sets,
      // Rates change daily, so all values in other views count as changed.
      list: (filter, window) =>
        catalog.sets.list(
          reader.isMirrorOnly ? filter : { ...filter, after_version: undefined },
          window,
        ),
      hasTotals: !reader.hasOthers,
      getTotal,
      summarize,
      getHistory: openSetHistoryView(
        { history, summarize, getHistory: catalog.sets.getHistory },
        reader,
      ),
    },
    view: { ...view, variant: formatVariant(reader) },
  }
}

function formatVariant({ view: { currency, lists } }: ViewReader): string {
  const names = lists.map(({ source, origin }) =>
    origin.converted ? `${source}-${origin.rate_date ?? 'none'}` : source,
  )
  return [currency, ...names].join('.')
}

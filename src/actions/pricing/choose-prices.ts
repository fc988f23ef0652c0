import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import { choosePriceView, type PriceChoice } from '#rules/pricing/price-view.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { viewCatalog } from '#store/catalog/views/view-catalog.ts'

/**
 * Returns the catalog with the chosen prices; without a choice, the same catalog.
 *
 * @throws ServiceError VALIDATION_ERROR for an unknown currency or source
 */
export type ChoosePrices = (choice: PriceChoice) => Deps['catalog']

/** Creates the function with which requests choose their prices. It caches views until rates can change. */
export function createPriceChooser({ catalog, now }: Pick<Deps, 'catalog' | 'now'>): ChoosePrices {
  const views = new LRUCache<string, Deps['catalog']>({ max: VIEWS_MAX })
  let viewsAreOf = ''

  return (choice) => {
    const { currency, source } = choice
    if (currency === undefined && source === undefined) return catalog
    const day = dayOf(now())
    const moment = `${catalog.publication.getCurrent().tag} ${day}`
    if (moment !== viewsAreOf) views.clear()
    viewsAreOf = moment
    const key = JSON.stringify([currency, source])
    const known = views.get(key)
    if (known !== undefined) return known
    const lists = catalog.sources.prices.listPriceLists()
    const convertible = catalog.sources.rates.listCurrencies()
    const view = viewCatalog(catalog, choosePriceView(choice, { lists, convertible }), day)
    views.set(key, view)
    return view
  }
}

/** Views of some currencies and sources. */
const VIEWS_MAX = 200

/** Returns the catalog with the chosen prices, for a single command or photo. */
export function choosePrices(
  deps: Pick<Deps, 'catalog' | 'now'>,
  choice: PriceChoice,
): Deps['catalog'] {
  return createPriceChooser(deps)(choice)
}

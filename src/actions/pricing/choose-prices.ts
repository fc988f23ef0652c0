import type { Deps } from '#deps.ts'
import { choosePriceView, type PriceChoice } from '#rules/pricing/price-view.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { viewCatalog } from '#store/catalog/views/view-catalog.ts'

/**
 * Returns the catalog with the prices that a request chooses; without a choice, as it is.
 *
 * @throws ServiceError VALIDATION_ERROR for an unknown currency or source
 */
export function choosePrices(
  { catalog, now }: Pick<Deps, 'catalog' | 'now'>,
  choice: PriceChoice,
): Deps['catalog'] {
  if (choice.currency === undefined && choice.source === undefined) return catalog
  const lists = catalog.sourcePrices.listPriceLists()
  const convertible = catalog.exchangeRates.listCurrencies()
  const view = choosePriceView(choice, { lists, convertible })
  return viewCatalog(catalog, view, dayOf(now()))
}

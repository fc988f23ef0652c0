import type { Deps } from '#deps.ts'
import type { PriceJson } from '#rules/pricing/price-json.ts'
import { type LadderPrice, listLadder } from '#rules/pricing/price-ladder.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'

/**
 * Lists the prices of a card of all sources, currencies, conditions and grades.
 *
 * @throws ServiceError NOT_FOUND, and VALIDATION_ERROR for a catalog in a view
 */
export function getPriceLadder(
  { catalog, now }: Pick<Deps, 'catalog' | 'now'>,
  { id, printing }: { id: number; printing: string | undefined },
): LadderPrice[] {
  if (catalog.view !== undefined) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      '"all" lists prices of all sources in their own currencies. Leave "currency" and "source" out.',
    )
  }
  const text = catalog.prices.getByCard(id)
  if (text === undefined && !catalog.cards.exists(id)) throw cardNotFound(id)
  // price-json.ts wrote this text, so its shape is known.
  const mirror = JSON.parse(text ?? '[]') as PriceJson[]
  const ladder = listLadder(mirror, catalog.sourcePrices.listByCard(id), dayOf(now()))
  return ladder.filter((price) => printing === undefined || price.printing === printing)
}

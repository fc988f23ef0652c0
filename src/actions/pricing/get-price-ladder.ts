import type { Deps } from '#deps.ts'
import type { PriceJson } from '#rules/pricing/price-json.ts'
import { MIRROR_KIND, type PriceKey } from '#rules/pricing/price-key.ts'
import { type SourcePriceState, toPriceJson } from '#rules/pricing/viewed-prices.ts'
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
      '"all" lists prices of all sources in their own currencies. Omit "currency" and "source".',
    )
  }
  const mirror = catalog.prices.listByCard(id)
  if (mirror === undefined && !catalog.cards.exists(id)) throw cardNotFound(id)
  const ladder = listLadder(mirror ?? [], catalog.sources.prices.listByCard(id), dayOf(now()))
  return ladder.filter((price) => printing === undefined || price.printing === printing)
}

/** A price with its complete key and its age. */
type LadderPrice = PriceJson &
  PriceKey & {
    /** Number of sales behind the market price; null if unknown. */
    sale_count: number | null
    /** Days since its source published it. */
    age_days: number
  }

/** Lists all prices of a card: those of the mirror, then those of other sources, each in its own currency. */
function listLadder(
  mirror: readonly PriceJson[],
  others: readonly (SourcePriceState & Pick<LadderPrice, 'sale_count'>)[],
  today: number,
): LadderPrice[] {
  const ofMirror = mirror.map((price) =>
    formatRung(price, MIRROR_KIND, { sale_count: null, today }),
  )
  const ofOthers = others.map((price) =>
    formatRung(toPriceJson(price), price, { sale_count: price.sale_count, today }),
  )
  return [...ofMirror, ...ofOthers]
}

function formatRung(
  { card_id, printing, last_updated_at, ...price }: PriceJson,
  { source, currency, condition, grade }: Omit<PriceKey, 'card_id' | 'printing'>,
  { sale_count, today }: { sale_count: number | null; today: number },
): LadderPrice {
  return {
    card_id,
    printing,
    source,
    currency,
    condition,
    grade,
    ...price,
    sale_count,
    last_updated_at,
    age_days: Math.max(0, today - dayOf(new Date(last_updated_at))),
  }
}

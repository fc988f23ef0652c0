import type { Deps } from '#deps.ts'
import { isConfident } from '#rules/pricing/confidence.ts'
import type { MoverStore, MoversQuery } from '#store/catalog/movers.ts'
import { assessPrices } from './assess-prices.ts'

/**
 * Lists the printings whose price changed most. With a minimum confidence, also skips prices that reached it when
 * they were published, but have become too old since.
 */
export function listMovers(
  deps: Pick<Deps, 'catalog' | 'now'>,
  query: MoversQuery,
): ReturnType<MoverStore['listTop']> {
  const { min_confidence, limit } = query
  if (min_confidence === undefined) return deps.catalog.movers.listTop(query)
  const { rows, excluded } = deps.catalog.movers.listTop({ ...query, limit: LIST_LENGTH_MAX })
  const confidences = assessPrices(deps, rows)
  const reliable = rows.filter((_, index) => {
    const level = confidences[index]?.level
    return level !== undefined && isConfident(level, min_confidence)
  })
  return { rows: reliable.slice(0, limit), excluded }
}

/** More than a list needs: the first fifty movers of three levels. */
const LIST_LENGTH_MAX = 150

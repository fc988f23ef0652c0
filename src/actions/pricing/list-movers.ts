import type { Deps } from '#deps.ts'
import { isConfident } from '#rules/pricing/confidence.ts'
import type { MoverRecord, MoverStore, MoversQuery } from '#store/catalog/movers.ts'
import { assessPrices } from './assess-prices.ts'

/**
 * Lists the printings whose price changed most. Skips prices that had the minimum confidence when they were published,
 * but have become too old since.
 */
export function listMovers(
  deps: Pick<Deps, 'catalog' | 'now'>,
  query: MoversQuery & Required<Pick<MoversQuery, 'min_confidence'>>,
): ReturnType<MoverStore['listTop']> {
  const { min_confidence, limit } = query
  const listed = deps.catalog.movers.listTop(query)
  if (min_confidence === 'low') return listed
  const keepReliable = (rows: readonly MoverRecord[]) => {
    const confidences = assessPrices(deps, rows)
    return rows.filter((_, index) => {
      const level = confidences[index]?.level
      return level !== undefined && isConfident(level, min_confidence)
    })
  }
  const reliable = keepReliable(listed.rows)
  // A full list has more to fill the gaps with.
  if (reliable.length === listed.rows.length || listed.rows.length < limit) {
    return { ...listed, rows: reliable }
  }
  const { rows, excluded } = deps.catalog.movers.listTop({ ...query, limit: LIST_LENGTH_MAX })
  return { rows: keepReliable(rows).slice(0, limit), excluded }
}

/** More than a list needs: the first fifty movers of three levels and four minimum prices. */
const LIST_LENGTH_MAX = 600

import { showTotal, type ValuedSet } from '#actions/pricing/show-total.ts'
import type { PublicationStore } from '#store/catalog/publication.ts'
import type { SinglesTotal } from '#store/catalog/set-summary.ts'
import type { SetRecord } from '#store/catalog/sets.ts'
import type { Catalog } from '#store/open-catalog.ts'
import { createResultCache } from '../../endpoint/result-cache.ts'

/** Shows sets with their values in the view of a request. Only values with other sources are sums, which are kept. */
export function createSetValues({ publication }: { publication: PublicationStore }) {
  const sums = createResultCache<SinglesTotal>(publication, SUMS_MAX)

  async function showValue({ view, sets }: Catalog, set: SetRecord): Promise<ValuedSet> {
    if (view === undefined) return set
    const getTotal = () => sets.getTotal(set.id)
    const total = sets.hasTotals
      ? getTotal()
      : await sums.getInTurn(`${set.id} ${view.variant}`, getTotal)
    return showTotal(set, total)
  }

  return {
    showValue,
    async showValues(view: Catalog, sets: readonly SetRecord[]): Promise<ValuedSet[]> {
      const shown: ValuedSet[] = []
      for (const set of sets) shown.push(await showValue(view, set))
      return shown
    },
  }
}

/** All sets in all currencies: otherwise, callers could have them summed again and again. A sum takes about 200 bytes. */
const SUMS_MAX = 40_000

import type { Deps } from '#deps.ts'
import type { CollectionSummary } from '#rules/collections/summarize.ts'
import type { ListKey } from '#store/ledger/collections/lists.ts'
import { type CollectionRecord, getCollection } from './manage-collections.ts'
import { valueCollection } from './value-collection.ts'

type ValuationReadDeps = Pick<Deps, 'catalog' | 'ledger' | 'log' | 'now' | 'triggers'>

/** The last valuation of a collection. */
export type CurrentValuation = {
  collection: CollectionRecord
  summary: CollectionSummary
  /** Epoch milliseconds. */
  computed_at: number
  /** False if items or prices have changed since; a new valuation is then running. */
  is_current: boolean
}

/**
 * Returns the valuation of a collection. A small collection that has changed is valued first. For a large one, the
 * last valuation is returned at once and a new one begins; a request waits only for the first one.
 *
 * @throws ServiceError NOT_FOUND
 */
export async function getValuation(
  deps: ValuationReadDeps,
  key: ListKey,
): Promise<CurrentValuation> {
  const collection = await getCollection(deps, key)
  const stored = await findValuation(deps, collection)
  if (stored?.is_current) return stored
  if (collection.items > ITEMS_AT_ONCE && stored !== undefined) {
    startValuation(deps, key)
    return stored
  }
  await (collection.items > ITEMS_AT_ONCE ? runValuation(deps, key) : valueCollection(deps, key))
  const valued = await findValuation(deps, await getCollection(deps, key))
  if (valued !== undefined) return valued
  throw new Error(`collection ${key.id} was not valued`)
}

/** Values a large collection after many changes, without waiting for the result. */
export function startValuation(deps: ValuationReadDeps, key: ListKey): void {
  runValuation(deps, key).catch((error) => {
    deps.log.error('collection not valued', { collection: key.id, error })
  })
}

/** Values a collection in a thread, if available. */
async function runValuation(deps: ValuationReadDeps, key: ListKey): Promise<void> {
  const run = deps.triggers.valuations.get()
  await (run === undefined ? valueCollection(deps, key) : run(key))
}

async function findValuation(
  { ledger, catalog }: Pick<Deps, 'ledger' | 'catalog'>,
  collection: CollectionRecord,
): Promise<CurrentValuation | undefined> {
  const stored = await ledger.collectionValuations.get(collection.id)
  if (stored === undefined) return undefined
  const { content, catalog_version, computed_at, summary } = stored
  // Another server of a fleet may have valued it with a newer version.
  const isPriced = catalog_version >= catalog.publication.getCurrent().version
  return {
    collection,
    // `valueCollection` has written this text, so its shape is known.
    summary: JSON.parse(summary) as CollectionSummary,
    computed_at,
    is_current: isPriced && content === collection.content,
  }
}

/** Maximum number of items of a small collection, whose valuation takes some tens of milliseconds. */
const ITEMS_AT_ONCE = 500

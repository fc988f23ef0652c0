import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tiers.ts'
import type { ItemOutcomeKind } from '#rules/collections/list-kinds.ts'
import type {
  ItemOutcome,
  ItemRevision,
  ItemTarget,
} from '#store/ledger/collections/item-batches.ts'
import type { CollectionItem } from '#store/ledger/collections/list-items.ts'
import { type CollectionOwner, getCollection } from './manage-collections.ts'
import { collectionFull } from './manage-items.ts'
import { listNotFound } from './manage-lists.ts'
import { checkDistinct, type ItemInput, parseChanges } from './parse-item.ts'

type ChangeDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/** Changes of many items of a collection. */
export type ItemsChange = {
  items: readonly (ItemInput & { id: string; revision: number })[]
  /** Collection to which they are moved; null: they are removed; undefined: they stay. */
  collection_id?: string | null | undefined
}

/** Outcome of the change of an item. */
export type ChangedItem = Omit<ItemOutcome, 'outcome'> & { outcome: ItemOutcomeKind }

/**
 * Changes, moves or removes items, each for itself: one that was changed elsewhere stays as it is.
 *
 * @returns the outcomes, in the order of the items
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR or COLLECTION_FULL
 */
export async function changeItems(
  deps: ChangeDeps,
  { collection_id: list_id, ...owner }: CollectionOwner & { collection_id: string },
  { items, collection_id }: ItemsChange,
): Promise<ChangedItem[]> {
  const { account_id } = owner
  await getCollection(deps, { id: list_id, account_id })
  const target = await findTarget(deps, owner, list_id, collection_id)
  const ids = items.map(({ id }) => id)
  checkDistinct(ids)
  const known = new Map(
    (await deps.ledger.itemBatches.list(list_id, ids)).map((item) => [item.id, item]),
  )
  const refused = new Set<string>()
  const revisions = items.flatMap(({ id, revision, ...input }): ItemRevision[] => {
    const item = known.get(id)
    if (item !== undefined && !hasPrinting(deps, item, input.printing)) {
      refused.add(id)
      return []
    }
    const changes = parseChanges(deps, item ?? NO_ITEM, input)
    return [{ id, revision, changes }]
  })
  const key = { id: list_id, account_id }
  const outcomes = await deps.ledger.itemBatches.revise(key, revisions, target, deps.now())
  if (outcomes === 'missing') throw listNotFound('owned')
  if (outcomes === 'full') throw collectionFull(target?.max ?? 0)
  const changed = new Map(outcomes.map((one) => [one.id, one]))
  return items.map(({ id }) => {
    const outcome = refused.has(id) ? ('refused' as const) : ('missing' as const)
    return changed.get(id) ?? { id, outcome, item: known.get(id) }
  })
}

/** An item that may have been moved already. */
const NO_ITEM = { card_id: null, printing: null, price_paid: null }

async function findTarget(
  deps: ChangeDeps,
  owner: CollectionOwner,
  list_id: string,
  collection_id: string | null | undefined,
): Promise<ItemTarget> {
  if (collection_id === null) return null
  if (collection_id === undefined || collection_id === list_id) return undefined
  await getCollection(deps, { id: collection_id, account_id: owner.account_id })
  return { list_id: collection_id, max: tierLimits(owner).items }
}

/** Returns true if the card of an item has a printing, or no prices yet, or if the item keeps its printing. */
function hasPrinting(
  { catalog }: ChangeDeps,
  item: CollectionItem,
  printing: string | null | undefined,
): boolean {
  if (printing === undefined || printing === null || printing === item.printing) return true
  const printings = catalog.prices.listPrintings(item.card_id)
  return printings.length === 0 || printings.includes(printing)
}

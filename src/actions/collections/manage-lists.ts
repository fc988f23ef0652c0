import type { Deps } from '#deps.ts'
import { type ItemSort, isOfKind, type ListKind } from '#rules/collections/list-kinds.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ItemFilter } from '#store/ledger/collections/item-pages.ts'
import type { CollectionItem, StoredItem } from '#store/ledger/collections/list-items.ts'
import type { ListKey, ListOf, ListRecord, Revised } from '#store/ledger/collections/lists.ts'
import type { RowPage, RowWindow } from '#store/rows.ts'
import { nextTurn } from '../cooperative-loop.ts'

type ListDeps = Pick<Deps, 'ledger' | 'now'>

/** @throws ServiceError NOT_FOUND, also for a list of another account or another kind */
export async function getList<Kind extends ListKind>(
  { ledger }: Pick<Deps, 'ledger'>,
  key: ListKey,
  kinds: readonly [Kind, ...Kind[]],
): Promise<ListOf<Kind>> {
  const list = await ledger.lists.get(key)
  if (list !== undefined && isOfKind(list, kinds)) return list
  throw listNotFound(kinds[0])
}

/** Reads a page of items. A hundred of them take some milliseconds, so many readers at once take turns. */
export async function listItemPage(
  { ledger }: Pick<Deps, 'ledger'>,
  list_id: string,
  filter: ItemFilter,
  page: RowWindow & { sort: ItemSort },
): Promise<RowPage<CollectionItem>> {
  await nextTurn()
  return ledger.listItems.list(list_id, filter, page)
}

/** Renames an existing list. @throws ServiceError NOT_FOUND, or REVISION_CONFLICT with the current list */
export async function renameList<List extends ListRecord>(
  { ledger, now }: ListDeps,
  list: List,
  change: { name: string; revision: number | undefined },
  render: (current: List) => object,
): Promise<List> {
  const { outcome, current } = await ledger.lists.rename(list, change, now())
  if (outcome === 'missing') throw listNotFound(list.kind)
  const renamed = { ...list, ...current }
  if (outcome === 'conflict') throw revisionConflict('collection', render(renamed))
  return renamed
}

/** Deletes an existing list with its items. @returns the deleted list @throws ServiceError NOT_FOUND */
export async function deleteList<List extends ListRecord>(
  { ledger, now }: ListDeps,
  list: List,
): Promise<List> {
  const deleted = await ledger.lists.delete(list, now())
  if (deleted === undefined) throw listNotFound(list.kind)
  return { ...list, ...deleted }
}

/**
 * Changes an item of a list, and tries again if the item was changed in the meantime.
 *
 * @param find throws NOT_FOUND without the item
 * @throws ServiceError REVISION_CONFLICT with the current item if it has another `revision`
 */
export async function reviseItem<Item extends StoredItem>(
  find: () => Promise<Item>,
  change: (known: Item) => Promise<Revised<StoredItem>>,
  { revision, render }: { revision: number | undefined; render: (current: Item) => object },
): Promise<Item> {
  for (;;) {
    const known = await find()
    const { outcome, current } = await change(known)
    const item = { ...known, ...current }
    if (outcome === 'changed') return item
    if (outcome === 'conflict' && revision !== undefined) {
      throw revisionConflict('item', render(item))
    }
  }
}

/** Creates the error for a change that is based on an older revision, with the current state. */
function revisionConflict(what: 'collection' | 'item', current: object): ServiceError {
  return new ServiceError(
    'REVISION_CONFLICT',
    `The ${what} has changed since you read it. Compare it with "error.current", and send the change again with its revision.`,
    { current },
  )
}

/** Creates the error for an id of the client that belongs to something else. @param problem which id it is, as a sentence */
export function idTaken(problem: string): ServiceError {
  return new ServiceError('ID_TAKEN', `${problem} Choose another id.`)
}

/** Creates the error for a list that is unknown, deleted, or of another account. */
export function listNotFound(kind: ListKind): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    kind === 'scan'
      ? 'This account has no such scan session. They are deleted 30 days after their last change.'
      : 'This account has no such collection.',
  )
}

/** Creates the error for an item that is unknown or deleted. */
export function itemNotFound(what: 'collection' | 'scan session'): ServiceError {
  return new ServiceError('NOT_FOUND', `This ${what} has no such item.`)
}

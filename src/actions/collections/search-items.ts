import { createFairQueue } from '#concurrency/fair-queue.ts'
import type { Deps } from '#deps.ts'
import type { ItemSort } from '#rules/collections/list-kinds.ts'
import {
  compareItems,
  createWordFilter,
  type ItemSearch,
  mergeFirst,
  type OrderedItem,
} from '#rules/collections/match-items.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { CollectionItem } from '#store/ledger/collections/list-items.ts'
import type { ListKey } from '#store/ledger/collections/lists.ts'
import type { RowPage, RowWindow } from '#store/rows.ts'
import { nextTurn } from '../cooperative-loop.ts'
import { listItemPage } from './manage-lists.ts'

type ItemPage = RowWindow & { sort: ItemSort }

/** Searches that read whole lists. Those of an account run one after another. */
const searches = createFairQueue<{ sender: string }>({
  turns: ({ sender }) => [sender],
  limits: ({ sender }) => [[sender, 1]],
})

/**
 * Returns a page of the items that a search finds. By game and set, indexes find them; otherwise all items are read, in
 * parts between which other requests run.
 *
 * @param signal ends the search, because its sender has gone
 * @throws ServiceError UNAVAILABLE if it has ended
 */
export async function searchItems(
  deps: Pick<Deps, 'ledger'>,
  { id, account_id }: ListKey,
  search: ItemSearch,
  page: ItemPage,
  signal: AbortSignal,
): Promise<RowPage<CollectionItem>> {
  const { game, set_id, q, place, condition, printing } = search
  if ([q, place, condition, printing].every((one) => one === undefined)) {
    return listItemPage(deps, id, { game, set_id }, page)
  }
  const sender = `${account_id}`
  try {
    return await searches.run({ sender }, () => findPage(deps, id, search, page, signal), signal)
  } catch (error) {
    if (!signal.aborted) throw error
    const message = 'The connection ended before the search did. Send it again.'
    throw new ServiceError('UNAVAILABLE', message, { retryAfter: 1 })
  }
}

/** Reads all items, and keeps those up to the end of the page. */
async function findPage(
  { ledger }: Pick<Deps, 'ledger'>,
  list_id: string,
  { q, ...exact }: ItemSearch,
  { sort, offset, limit }: ItemPage,
  signal: AbortSignal,
): Promise<RowPage<CollectionItem>> {
  const isFound = createWordFilter(q)
  const compare = compareItems(sort)
  let first: OrderedItem[] = []
  let total = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    await nextTurn()
    signal.throwIfAborted()
    const part = await ledger.itemBatches.listTraits(list_id, after, exact)
    const found = part.traits.filter(isFound).map(({ id, name, value }) => ({ id, name, value }))
    total += found.length
    first = mergeFirst(first, found.sort(compare), compare, offset + limit)
    after = part.next
  }
  const ids = first.slice(offset).map(({ id }) => id)
  return { rows: await ledger.itemBatches.list(list_id, ids), total }
}

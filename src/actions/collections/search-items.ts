import type { Deps } from '#deps.ts'
import type { ItemSort } from '#rules/collections/list-kinds.ts'
import {
  compareItems,
  createItemFilter,
  type ItemSearch,
  type ItemTraits,
} from '#rules/collections/match-items.ts'
import { TRAITS_PART } from '#store/ledger/collections/item-batches.ts'
import type { CollectionItem } from '#store/ledger/collections/list-items.ts'
import type { RowPage, RowWindow } from '#store/rows.ts'
import { nextTurn } from '../cooperative-loop.ts'
import { listItemPage } from './manage-lists.ts'

/**
 * Returns a page of the items that a search finds. By game and set, indexes find them; otherwise all items are read, in
 * parts between which other requests run.
 */
export async function searchItems(
  deps: Pick<Deps, 'ledger'>,
  list_id: string,
  search: ItemSearch,
  page: RowWindow & { sort: ItemSort },
): Promise<RowPage<CollectionItem>> {
  const { game, set_id, q, place, condition, printing } = search
  if ([q, place, condition, printing].every((one) => one === undefined)) {
    return listItemPage(deps, list_id, { game, set_id }, page)
  }
  const found = await findAll(deps, list_id, createItemFilter(search))
  found.sort(compareItems(page.sort))
  const ids = found.slice(page.offset, page.offset + page.limit).map(({ id }) => id)
  return { rows: await deps.ledger.itemBatches.list(list_id, ids), total: found.length }
}

async function findAll(
  { ledger }: Pick<Deps, 'ledger'>,
  list_id: string,
  isFound: (item: ItemTraits) => boolean,
): Promise<ItemTraits[]> {
  const found: ItemTraits[] = []
  for (let after = ''; ; ) {
    await nextTurn()
    const part = await ledger.itemBatches.listTraits(list_id, after)
    for (const item of part) if (isFound(item)) found.push(item)
    after = part.at(-1)?.id ?? ''
    if (part.length < TRAITS_PART) return found
  }
}

import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tiers.ts'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import {
  type CollectionItem,
  hasCard,
  type ItemCard,
  type RevisedItemKey,
  type StoredItem,
} from '#store/ledger/collections/list-items.ts'
import { type CollectionOwner, getCollection } from './manage-collections.ts'
import { idTaken, itemNotFound, listNotFound, reviseItem } from './manage-lists.ts'
import {
  checkDistinct,
  createItemId,
  describeCard,
  type ItemInput,
  parseChanges,
} from './parse-item.ts'

type ItemDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/** An item to add. Its `id` is a UUID that the client chose. */
export type AddedItem = ItemInput & { id?: string | undefined; card_id: number }

/**
 * Adds all items or none, without those whose ids a collection of the account has.
 *
 * @returns the items as they are stored, in their order
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR, COLLECTION_FULL, or ID_TAKEN for the id of an item with other members
 */
export async function addItems(
  deps: ItemDeps,
  { collection_id, ...owner }: CollectionOwner & { collection_id: string },
  inputs: readonly AddedItem[],
): Promise<CollectionItem[]> {
  const { ledger, catalog, now } = deps
  await getCollection(deps, { id: collection_id, account_id: owner.account_id })
  checkDistinct(inputs.flatMap(({ id }) => id ?? []))
  const cards = new Map(
    catalog.pricedCards
      .listNamed(inputs.map(({ card_id }) => card_id))
      .map((card) => [card.id, card]),
  )
  const items = inputs.map(({ id, card_id, ...input }) => {
    const card = cards.get(card_id)
    if (card === undefined) throw cardNotFound(card_id)
    const described = describeCard(deps, card)
    const given = parseChanges(deps, { card_id, printing: null, price_paid: null }, input)
    const item = { ...UNKNOWN_HOLDING, ...described, quantity: 1, ...given, id: createItemId(id) }
    return { item, given: id === undefined ? undefined : { card_id, ...given } }
  })
  const { items: max } = tierLimits(owner)
  const list = { id: collection_id, account_id: owner.account_id }
  const added = await ledger.itemBatches.addOnce(list, items, max, now())
  if (added === 'missing') throw listNotFound('owned')
  if (added === 'full') throw collectionFull(max)
  if ('taken' in added) {
    const uuid = inputs.find(({ id }) => id !== undefined && createItemId(id) === added.taken)?.id
    throw idTaken(`The id "${uuid}" is that of another item, or of this one before it was changed.`)
  }
  return added
}

/** @throws ServiceError NOT_FOUND, VALIDATION_ERROR, or REVISION_CONFLICT with the current item */
export function updateItem(
  deps: ItemDeps,
  key: RevisedItemKey,
  input: ItemInput,
  render: (current: CollectionItem) => object,
): Promise<CollectionItem> {
  const { revision } = key
  return reviseItem(
    () => getItem(deps, key),
    (known) => deps.ledger.listItems.update(key, parseChanges(deps, known, input), deps.now()),
    { revision, render },
  )
}

/** @returns the deleted item @throws ServiceError NOT_FOUND, or REVISION_CONFLICT with the current item */
export function deleteItem(
  deps: ItemDeps,
  key: RevisedItemKey,
  render: (current: CollectionItem) => object,
): Promise<CollectionItem> {
  const { revision } = key
  return reviseItem(
    () => getItem(deps, key),
    () => deps.ledger.listItems.delete(key, deps.now()),
    { revision, render },
  )
}

async function getItem(
  deps: Pick<Deps, 'ledger'>,
  key: RevisedItemKey,
): Promise<StoredItem & ItemCard> {
  await getCollection(deps, { id: key.list_id, account_id: key.account_id })
  const item = await deps.ledger.listItems.get(key)
  if (item !== undefined && hasCard(item)) return item
  throw itemNotFound('collection')
}

/** Creates the error for a collection without room, or for a wish list. */
export function collectionFull(max: number, which: 'full' | 'unowned_full' = 'full'): ServiceError {
  const what = which === 'full' ? 'collection' : 'wish list'
  const message = `A ${what} can have ${max} items with your plan. Delete some, or choose a higher plan.`
  return new ServiceError('COLLECTION_FULL', message)
}

import type { Deps } from '#deps.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import type { NamedCard } from '#store/catalog/priced-cards.ts'
import type { CollectionItem, ItemChanges } from '#store/ledger/collections/collection-items.ts'
import type { NewItem } from '#store/ledger/collections/item-writer.ts'
import {
  type CollectionOwner,
  getCollection,
  limitsOf,
  revisionConflict,
} from './manage-collections.ts'
import { createItemId, describeCard, type ItemInput, parseChanges } from './parse-item.ts'

type ItemDeps = Pick<Deps, 'catalog' | 'ledger' | 'config' | 'now'>

type ItemKey = {
  account_id: number
  collection_id: string
  id: string
  revision: number | undefined
}

/**
 * Adds all items or none.
 *
 * @returns the items, in their order
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR or COLLECTION_FULL
 */
export async function addItems(
  deps: ItemDeps,
  { collection_id, ...owner }: CollectionOwner & { collection_id: string },
  inputs: readonly (ItemInput & { card_id: number })[],
): Promise<CollectionItem[]> {
  const { ledger, catalog, now } = deps
  await getCollection(deps, { id: collection_id, account_id: owner.account_id })
  const cards = new Map(
    catalog.pricedCards
      .listNamed(inputs.map(({ card_id }) => card_id))
      .map((card) => [card.id, card]),
  )
  const items = inputs.map((input) => {
    const card = cards.get(input.card_id)
    if (card === undefined) throw cardNotFound(input.card_id)
    return toNewItem(deps, card, parseChanges(deps, card.id, input))
  })
  const { items: max } = limitsOf(deps, owner)
  const outcome = await ledger.collectionItems.add(collection_id, items, max, now())
  if (outcome === 'full') throw collectionFull(max)
  const at = now().getTime()
  return items.map((item) => {
    return { ...item, value: null, revision: 1, created_at: at, updated_at: at }
  })
}

/** @throws ServiceError NOT_FOUND, VALIDATION_ERROR, or REVISION_CONFLICT with the current item */
export async function updateItem(
  deps: ItemDeps,
  { account_id, ...key }: ItemKey,
  input: ItemInput,
  render: (current: CollectionItem) => object,
): Promise<CollectionItem> {
  const { ledger, now } = deps
  await getCollection(deps, { id: key.collection_id, account_id })
  const known = requireItem(await ledger.collectionItems.get(key.collection_id, key.id))
  const changes = parseChanges(deps, known.card_id, input)
  const { outcome, current } = await ledger.collectionItems.update(key, changes, now())
  if (outcome === 'conflict') throw revisionConflict('item', render(current))
  return requireItem(current)
}

/** @returns the deleted item @throws ServiceError NOT_FOUND, or REVISION_CONFLICT with the current item */
export async function deleteItem(
  deps: ItemDeps,
  { account_id, ...key }: ItemKey,
  render: (current: CollectionItem) => object,
): Promise<CollectionItem> {
  const { ledger, now } = deps
  await getCollection(deps, { id: key.collection_id, account_id })
  const { outcome, current } = await ledger.collectionItems.delete(key, now())
  if (outcome === 'conflict') throw revisionConflict('item', render(current))
  return requireItem(current)
}

/** Creates an item of a card; without a printing, of its base printing. */
function toNewItem(deps: Pick<Deps, 'catalog'>, card: NamedCard, given: ItemChanges): NewItem {
  const described = describeCard(deps, card)
  const { printing = described.printing, condition = described.condition, quantity = 1 } = given
  const { grade = null, language = null, place = null, note = null } = given
  const { price_paid = null, acquired_on = null, target_price = null } = given
  return {
    ...{ id: createItemId(), ...described, printing, condition, quantity, grade, language },
    ...{ place, note, price_paid, acquired_on, target_price },
  }
}

/** Creates the error for a collection without room. */
export function collectionFull(max: number): ServiceError {
  const message = `A collection can have ${max} items with your plan. Delete some, or choose a higher plan.`
  return new ServiceError('COLLECTION_FULL', message)
}

function requireItem(item: CollectionItem | undefined): CollectionItem {
  if (item !== undefined) return item
  throw new ServiceError('NOT_FOUND', 'This collection has no such item.')
}

import type { Deps } from '#deps.ts'
import type { Holding } from '#rules/collections/holding.ts'
import { isAcquisitionDay } from '#rules/collections/holding.ts'
import { dayOf, parseDate } from '#rules/primitives/days.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import { toCents } from '#rules/primitives/money.ts'
import type { NamedCard } from '#store/catalog/priced-cards.ts'
import type { CollectionItem, ItemChanges } from '#store/ledger/collections/collection-items.ts'
import type { NewItem } from '#store/ledger/collections/item-writer.ts'
import {
  type CollectionOwner,
  getCollection,
  limitsOf,
  revisionConflict,
} from './manage-collections.ts'

type ItemDeps = Pick<Deps, 'catalog' | 'ledger' | 'config' | 'now'>

type ItemKey = {
  account_id: number
  collection_id: string
  id: string
  revision: number | undefined
}

/** Members of an item as requests name them: amounts in dollars, `acquired_on` as `YYYY-MM-DD`; null: unknown. */
export type ItemInput = {
  printing?: string | null | undefined
  condition?: Holding['condition'] | undefined
  grade?: string | null | undefined
  language?: Holding['language'] | undefined
  quantity?: number | undefined
  price_paid?: number | null | undefined
  acquired_on?: string | null | undefined
  place?: string | null | undefined
  note?: string | null | undefined
  target_price?: number | null | undefined
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

/** Creates the id of an item. Ids ascend by the time of creation, which keeps lists and files in order. */
export function createItemId(): string {
  return `item_${Bun.randomUUIDv7().replaceAll('-', '')}`
}

/** Creates an item of a card; without a printing, of its base printing. */
function toNewItem(
  { catalog }: Pick<Deps, 'catalog'>,
  { id: card_id, name, number, game_slug: game, set_name }: NamedCard,
  given: ItemChanges,
): NewItem {
  const card = catalog.holdingPrices.getByIds([card_id]).get(card_id)
  const { printing = catalog.prices.getBase(card_id).printing, quantity = 1 } = given
  const { grade = null, language = null, place = null, note = null } = given
  const { price_paid = null, acquired_on = null, target_price = null } = given
  return {
    ...{ id: createItemId(), card_id, name, number, game, set_id: card?.set_id ?? 0, set_name },
    ...{ printing, quantity, grade, language, place, note, price_paid, acquired_on, target_price },
    condition: given.condition ?? (card?.is_single === false ? 'unopened' : 'near_mint'),
  }
}

/** Checks what an item is changed to. Members that are undefined stay. */
function parseChanges(deps: ItemDeps, cardId: number, input: ItemInput): ItemChanges {
  const { printing, price_paid, target_price, acquired_on } = input
  const { condition, grade, language, quantity, place, note } = input
  const changes: ItemChanges = {
    ...(condition !== undefined && { condition }),
    ...(grade !== undefined && { grade }),
    ...(language !== undefined && { language }),
    ...(quantity !== undefined && { quantity }),
    ...(place !== undefined && { place }),
    ...(note !== undefined && { note }),
  }
  if (printing !== undefined) changes.printing = parsePrinting(deps, cardId, printing)
  if (price_paid !== undefined) changes.price_paid = parseMoney('price_paid', price_paid)
  if (target_price !== undefined) changes.target_price = parseMoney('target_price', target_price)
  if (acquired_on !== undefined)
    changes.acquired_on = parseAcquisition(acquired_on, dayOf(deps.now()))
  return changes
}

function parsePrinting(
  { catalog }: Pick<Deps, 'catalog'>,
  cardId: number,
  printing: string | null,
): string | null {
  const printings = catalog.prices.listPrintings(cardId)
  // A card without prices may get any printing later.
  if (printing === null || printings.length === 0 || printings.includes(printing)) return printing
  throw new ServiceError(
    'VALIDATION_ERROR',
    `"printing" must be a printing of the card: ${printings.join(', ')}.`,
  )
}

function parseMoney(name: string, dollars: number | null): number | null {
  const cents = dollars === null ? null : toCents(dollars)
  if (cents !== undefined) return cents
  throw new ServiceError(
    'VALIDATION_ERROR',
    `"${name}" must be an amount in US dollars with at most two decimals, such as 19.99.`,
  )
}

function parseAcquisition(date: string | null, today: number): number | null {
  if (date === null) return null
  const day = parseDate(date)
  if (day !== undefined && isAcquisitionDay(day, today)) return day
  throw new ServiceError(
    'VALIDATION_ERROR',
    '"acquired_on" must be a date from 1990-01-01 to today, such as 2026-05-31.',
  )
}

function collectionFull(max: number): ServiceError {
  const message = `A collection can have ${max} items with your plan. Delete some, or choose a higher plan.`
  return new ServiceError('COLLECTION_FULL', message)
}

function requireItem(item: CollectionItem | undefined): CollectionItem {
  if (item !== undefined) return item
  throw new ServiceError('NOT_FOUND', 'This collection has no such item.')
}

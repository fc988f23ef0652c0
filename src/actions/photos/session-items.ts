import type { Deps } from '#deps.ts'
import { conditionOf, SESSION_ITEMS_MAX } from '#rules/photos/session-item.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import type { ItemChanges, ItemKey, RevisedItemKey } from '#store/ledger/collections/list-items.ts'
import type { ScanItem } from '#store/ledger/collections/scan-items.ts'
import { itemNotFound, reviseItem } from '../collections/manage-lists.ts'
import {
  createItemId,
  describeCard,
  type ItemInput,
  parseChanges,
} from '../collections/parse-item.ts'
import type { IdentifiedPhoto } from './identify-photo.ts'
import { scanSessionFull } from './session-photos.ts'

type SessionItemDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/** Members of an item that a request can change. */
export type SessionItemInput = Pick<
  ItemInput,
  'printing' | 'condition' | 'grade' | 'language' | 'quantity'
> & { card_id?: number | undefined; is_reviewed?: boolean | undefined }

/**
 * Changes an item. A chosen card counts as reviewed unless the request says otherwise.
 *
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR, or REVISION_CONFLICT with the current item
 */
export function updateSessionItem(
  deps: SessionItemDeps,
  key: RevisedItemKey,
  input: SessionItemInput,
  render: (current: ScanItem) => object,
): Promise<ScanItem> {
  const { ledger, now } = deps
  return reviseItem(
    () => getSessionItem(deps, key),
    (known) => {
      const changes = parseSessionChanges(deps, known, input)
      // Changes depend on the card, so they are validated again if it was changed in between.
      const revision = key.revision ?? known.revision
      return ledger.listItems.update({ ...key, revision }, changes, now())
    },
    { revision: key.revision, render },
  )
}

/** @returns the deleted item @throws ServiceError NOT_FOUND, or REVISION_CONFLICT with the current item */
export function deleteSessionItem(
  deps: Pick<Deps, 'ledger' | 'now'>,
  key: RevisedItemKey,
  render: (current: ScanItem) => object,
): Promise<ScanItem> {
  const { revision } = key
  return reviseItem(
    () => getSessionItem(deps, key),
    () => deps.ledger.listItems.delete(key, deps.now()),
    { revision, render },
  )
}

/**
 * Adds a duplicate of an item, or returns the existing one with this id.
 *
 * @param id undefined for a new one
 * @throws ServiceError NOT_FOUND, SCAN_SESSION_FULL, or VALIDATION_ERROR for the id of another item
 */
export async function duplicateSessionItem(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  key: ItemKey,
  id = createItemId(),
): Promise<ScanItem> {
  const copy = await ledger.scanItems.duplicate(key, id, SESSION_ITEMS_MAX, now())
  if (copy === 'full') throw scanSessionFull()
  if (copy === 'taken') {
    throw new ServiceError('VALIDATION_ERROR', '"id" belongs to another item. Choose a new one.')
  }
  if (copy === 'missing') throw itemNotFound('scan session')
  return copy
}

/** Validates changes of an item. Undefined members stay the same. */
function parseSessionChanges(
  deps: SessionItemDeps,
  known: ScanItem,
  { card_id, is_reviewed, ...input }: SessionItemInput,
): ItemChanges {
  const card = card_id === undefined ? {} : chooseCard(deps, known, card_id)
  const id = card_id ?? known.card_id
  const printing = id === known.card_id ? known.printing : null
  if (id === null && (is_reviewed === true || typeof input.printing === 'string')) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `"${is_reviewed === true ? 'is_reviewed' : 'printing'}" needs a card. Send "card_id", or delete the item.`,
    )
  }
  const isSettled = is_reviewed ?? (card_id === undefined ? undefined : true)
  return {
    ...card,
    ...parseChanges(deps, { ...known, card_id: id, printing }, input),
    ...(isSettled !== undefined && { is_reviewed: isSettled ? 1 : 0 }),
  }
}

/** Describes the card chosen for an item, with the printing that its photo suggests. */
function chooseCard(deps: SessionItemDeps, known: ScanItem, card_id: number): ItemChanges {
  const [card] = deps.catalog.pricedCards.listNamed([card_id])
  if (card === undefined) throw cardNotFound(card_id)
  if (card_id === known.card_id) return { card_id }
  const described = describeCard(deps, card)
  return {
    ...described,
    printing: suggestedPrinting(known, card_id) ?? described.printing,
    condition: conditionOf(known.condition, described.condition),
  }
}

/** Returns the printing that the photo of an item suggests for a card; undefined if it suggests none. */
function suggestedPrinting({ data }: ScanItem, card_id: number): string | undefined {
  // describeSessionCard has written this text, so its shape is known.
  const { candidates } = JSON.parse(data) as IdentifiedPhoto
  return candidates.find((one) => one.card_id === card_id)?.suggested_printing ?? undefined
}

async function getSessionItem({ ledger }: Pick<Deps, 'ledger'>, key: ItemKey): Promise<ScanItem> {
  const item = await ledger.scanItems.get(key)
  if (item !== undefined) return item
  throw itemNotFound('scan session')
}

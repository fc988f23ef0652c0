import type { CollectionItem, ItemOutcome } from '#client/endpoints.ts'
import { api } from '../../api.ts'
import type { ItemChange } from '../item-draft.ts'
import { repeated } from '../repeated.ts'
import { type ItemsChanged, removePart, sendParts } from './item-outcomes.ts'

/** A change of an item that has a revision. */
type RevisedItem = ItemChange & { id: string; revision: number }

/**
 * Changes items, part by part; with `to` moves them to another collection. What has changed already stays so if it is
 * requested again, so a request without an answer is repeated.
 */
export function reviseItems(
  id: string,
  revisions: readonly RevisedItem[],
  to?: string,
): Promise<ItemsChanged> {
  return sendParts(revisions, (items) => repeated(() => sendPart(id, items, to)))
}

/**
 * Removes items, part by part, also by repeated requests.
 *
 * @param unanswered ids of items whose removal was sent without an answer, which a later attempt finds removed
 */
export function removeItems(
  id: string,
  items: readonly CollectionItem[],
  unanswered: Set<string>,
): Promise<ItemsChanged> {
  return sendParts(items, (part) => {
    const revisions = part.map((item) => ({ id: item.id, revision: item.revision }))
    const ids = part.map((item) => item.id)
    return repeated(() => removePart(ids, () => sendPart(id, revisions, null), unanswered))
  })
}

async function sendPart(id: string, items: RevisedItem[], to: string | null | undefined) {
  const body = { items, ...(to !== undefined && { collection_id: to }) }
  return (await api.patch('/v1/collections/{id}/items', { path: { id }, body })).data
}

/** Adds removed items again, as they were. Those whose card or printing has left the catalog are refused. */
export async function restoreItems(
  id: string,
  removed: readonly CollectionItem[],
): Promise<ItemsChanged> {
  const { outcomes, error } = await sendParts(removed.filter(isRestorable), async (part) => {
    const body = { items: part.map(toNewItem) }
    const send = () => api.post('/v1/collections/{id}/items', { path: { id }, body })
    const { data } = await repeated(send)
    return data.map((item): ItemOutcome => ({ id: item.id, outcome: 'changed', item }))
  })
  const lost = removed
    .filter((item) => !isRestorable(item))
    .map((item): ItemOutcome => ({ id: item.id, outcome: 'refused', item: null }))
  return { outcomes: [...outcomes, ...lost], error }
}

/** Returns true if an item that was removed can be added again: the catalog still has its card and printing. */
export function isRestorable({ notes }: CollectionItem): boolean {
  return !notes.includes('card_not_found') && !notes.includes('printing_not_found')
}

/** Returns the members of an item that a change replaces, as they are. */
export function factsBefore(item: CollectionItem, change: ItemChange): ItemChange {
  // The members of a change are those of an item.
  const names = Object.keys(change) as (keyof ItemChange & keyof CollectionItem)[]
  return Object.fromEntries(names.map((name) => [name, item[name]])) as ItemChange
}

function toNewItem(item: CollectionItem) {
  const { card_id, printing, condition, grade, language, quantity, price_paid } = item
  const { paid_currency, acquired_on, place, note, target_price } = item
  const facts = { condition, quantity, price_paid, paid_currency, acquired_on, place, note }
  return {
    id: item.id.replace(/^item_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    card_id,
    printing,
    grade,
    // The codes of an item are those of the API.
    language: language as ItemChange['language'] & (string | null),
    target_price,
    ...facts,
  }
}

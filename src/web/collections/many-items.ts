import type { CollectionItem, ItemOutcome } from '#client/endpoints.ts'
import { api } from '../api.ts'
import type { ItemChange } from './item-draft.ts'
import { repeated } from './repeated.ts'

/** A change of an item that has a revision. */
type RevisedItem = ItemChange & { id: string; revision: number }

/** Number of items in a request. */
const PART = 100

/**
 * Changes items, part by part; with `to` moves them to a collection, or removes them (null). What has changed already
 * stays so if it is requested again, so a request without an answer is repeated.
 */
export async function reviseItems(
  id: string,
  revisions: readonly RevisedItem[],
  to?: string | null,
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = []
  for (const items of partsOf(revisions)) {
    const body = { items, ...(to !== undefined && { collection_id: to }) }
    const send = () => api.patch('/v1/collections/{id}/items', { path: { id }, body })
    outcomes.push(...(await repeated(send)).data)
  }
  return outcomes
}

/** Adds removed items again, as they were. */
export async function restoreItems(id: string, removed: readonly CollectionItem[]): Promise<void> {
  for (const part of partsOf(removed)) {
    const body = { items: part.map(toNewItem) }
    await repeated(() => api.post('/v1/collections/{id}/items', { path: { id }, body }))
  }
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

function partsOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / PART)
  return Array.from({ length: count }, (_, at) => all.slice(at * PART, (at + 1) * PART))
}

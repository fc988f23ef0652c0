import * as texts from '#texts/collections/collections.ts'
import { readStored, writeStored } from '../stored-text.ts'

/** Ways to show the items of a collection, with their names. The first one is the default. */
export const ITEM_VIEWS = [
  ['table', texts.table],
  ['tiles', texts.tiles],
] as const

export type ItemView = (typeof ITEM_VIEWS)[number][0]

const KEY = 'cardstock.items'

/** Returns the view that the address names; without one, that which this browser has chosen last. */
export function readItemView(query: URLSearchParams): ItemView {
  return findView(query.get('view')) ?? findView(readStored(KEY)) ?? 'table'
}

/** Keeps a chosen view for addresses that name none. */
export function storeItemView(view: ItemView): void {
  writeStored(KEY, view)
}

function findView(text: string | null): ItemView | undefined {
  return ITEM_VIEWS.find(([view]) => view === text)?.[0]
}

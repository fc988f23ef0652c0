import type { CollectionItem } from '#client/endpoints.ts'

/** Selected items by id, the one that was clicked last, and how often the selection was cleared. */
export type Selection = {
  items: ReadonlyMap<string, CollectionItem>
  last: string | undefined
  clears: number
}

export const EMPTY_SELECTION: Selection = { items: new Map(), last: undefined, clears: 0 }

type Items = readonly CollectionItem[]

type SelectionEvent =
  | { type: 'toggle'; item: CollectionItem; listed: Items; isRange: boolean }
  /** With `since`, the selection when the items were requested: what was deselected since stays so. */
  | { type: 'add'; items: Items; since?: Selection }
  | { type: 'refresh'; items: Items }
  | { type: 'clear' }

/** Returns the selection after an event. An item is never replaced by an older revision of it. */
export function reduceSelection(selection: Selection, event: SelectionEvent): Selection {
  switch (event.type) {
    case 'toggle':
      return toggle(selection, event)
    case 'add': {
      const { items, since = selection } = event
      if (since.clears !== selection.clears) return selection
      return put(
        selection,
        items.filter(({ id }) => selection.items.has(id) || !since.items.has(id)),
      )
    }
    case 'refresh':
      return put(
        selection,
        event.items.filter(({ id }) => selection.items.has(id)),
      )
    case 'clear':
      return { ...EMPTY_SELECTION, clears: selection.clears + 1 }
  }
}

type ToggleEvent = Extract<SelectionEvent, { type: 'toggle' }>

function toggle(selection: Selection, { item, listed, isRange }: ToggleEvent): Selection {
  const range = isRange ? rangeOf(listed, selection.last, item.id) : [item]
  const after = { ...selection, last: item.id }
  if (!selection.items.has(item.id)) return put(after, range)
  const ids = new Set(range.map(({ id }) => id))
  return { ...after, items: new Map([...selection.items].filter(([id]) => !ids.has(id))) }
}

/** Adds items, or their newer revisions. */
function put(selection: Selection, items: Items): Selection {
  const newer = items.filter(
    ({ id, revision }) => revision > (selection.items.get(id)?.revision ?? 0),
  )
  if (newer.length === 0) return selection
  const added = newer.map((one) => [one.id, one] as const)
  return { ...selection, items: new Map([...selection.items, ...added]) }
}

/** Returns the items from one to another, in either direction; the last one alone without the first. */
function rangeOf(listed: Items, from: string | undefined, to: string): Items {
  const ends = [from, to].map((id) => listed.findIndex((one) => one.id === id))
  const [start = 0, end = 0] = ends.includes(-1)
    ? [ends[1], ends[1]]
    : ends.toSorted((a, b) => a - b)
  return listed.slice(start, end + 1)
}

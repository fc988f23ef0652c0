import { useRef, useState } from 'react'
import type { CollectionItem } from '#client/endpoints.ts'

/** Items that are selected for a common change. */
export type ItemSelection = {
  items: ReadonlyMap<string, CollectionItem>
  /** Selects or deselects an item; with `isRange` also those between it and the one before. */
  toggle(item: CollectionItem, listed: readonly CollectionItem[], isRange: boolean): void
  add(items: readonly CollectionItem[]): void
  clear(): void
}

export function useSelection(): ItemSelection {
  const [items, setItems] = useState<ReadonlyMap<string, CollectionItem>>(new Map())
  const last = useRef<string>(undefined)
  return {
    items,
    toggle(item, listed, isRange) {
      const isSelected = !items.has(item.id)
      const range = isRange ? rangeOf(listed, last.current, item.id) : [item]
      const next = new Map(items)
      for (const one of range) {
        if (isSelected) next.set(one.id, one)
        else next.delete(one.id)
      }
      last.current = item.id
      setItems(next)
    },
    add: (more) => setItems(new Map([...items, ...more.map((one) => [one.id, one] as const)])),
    clear: () => setItems(new Map()),
  }
}

/** Returns the items from one to another, in either direction; the last one alone without the first. */
function rangeOf(
  listed: readonly CollectionItem[],
  from: string | undefined,
  to: string,
): readonly CollectionItem[] {
  const ends = [from, to].map((id) => listed.findIndex((one) => one.id === id))
  const [start = 0, end = 0] = ends.includes(-1)
    ? [ends[1], ends[1]]
    : ends.toSorted((a, b) => a - b)
  return listed.slice(start, end + 1)
}

import type { Condition } from '../pricing/price-key.ts'
import { foldText } from '../search/typed-words.ts'
import type { ItemSort } from './list-kinds.ts'

/** Search within a list; undefined members restrict nothing. */
export type ItemSearch = {
  /** Words that the name, the set or the number contain. */
  q: string | undefined
  game: string | undefined
  set_id: number | undefined
  place: string | undefined
  condition: Condition | undefined
  printing: string | undefined
}

/** Members of an item in which words are searched, and by which it is ordered. */
export type ItemTraits = OrderedItem & { number: string | null; set_name: string | null }

/** Members of an item by which lists are ordered. */
export type OrderedItem = { id: string; name: string | null; value: number | null }

/** Returns a function that finds the items which contain all words of a text. */
export function createWordFilter(text = ''): (item: ItemTraits) => boolean {
  const words = foldText(text)
    .split(/[\s,#]+/)
    .filter((word) => word !== '')
  return (item) => {
    if (words.length === 0) return true
    const text = foldText(`${item.name} ${item.set_name} ${item.number ?? ''}`)
    return words.every((word) => text.includes(word))
  }
}

/** Merges two lists in an order, up to a number of items. */
export function mergeFirst<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (a: Item, b: Item) => number,
  max: number,
): Item[] {
  const merged: Item[] = []
  let [at, beside] = [0, 0]
  while (merged.length < max) {
    const [a, b] = [one[at], other[beside]]
    const isFirst = b === undefined || (a !== undefined && compare(a, b) <= 0)
    const next = isFirst ? a : b
    if (next === undefined) break
    merged.push(next)
    if (isFirst) at++
    else beside++
  }
  return merged
}

/** Compares items in the order of a list. Those without a value come last. */
export function compareItems(sort: ItemSort): (a: OrderedItem, b: OrderedItem) => number {
  const byId = (a: OrderedItem, b: OrderedItem) => compareTexts(a.id, b.id)
  switch (sort) {
    case 'added_asc':
      return byId
    case 'added_desc':
      return (a, b) => byId(b, a)
    case 'name':
      return (a, b) => compareTexts(a.name ?? '', b.name ?? '') || byId(a, b)
    case 'value_asc':
      return (a, b) => compareValues(a.value, b.value, 1) || byId(a, b)
    case 'value_desc':
      return (a, b) => compareValues(a.value, b.value, -1) || byId(a, b)
  }
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function compareValues(a: number | null, b: number | null, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return sign * (a - b)
}

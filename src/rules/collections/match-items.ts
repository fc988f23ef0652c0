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

/** Members of an item by which it is found and ordered. */
export type ItemTraits = {
  id: string
  name: string | null
  number: string | null
  game: string | null
  set_id: number | null
  set_name: string | null
  place: string | null
  condition: Condition
  printing: string | null
  value: number | null
}

/** Returns a function that finds the items of a search. */
export function createItemFilter({ q, ...exact }: ItemSearch): (item: ItemTraits) => boolean {
  const words = foldText(q ?? '')
    .split(/[\s,#]+/)
    .filter((word) => word !== '')
  // The keys are those of the type, without `q`.
  const names = (Object.keys(exact) as (keyof typeof exact)[]).filter(
    (name) => exact[name] !== undefined,
  )
  return (item) => {
    if (names.some((name) => item[name] !== exact[name])) return false
    if (words.length === 0) return true
    const text = foldText(`${item.name} ${item.set_name} ${item.number ?? ''}`)
    return words.every((word) => text.includes(word))
  }
}

type Ordered = Pick<ItemTraits, 'id' | 'name' | 'value'>

/** Compares items in the order of a list. Those without a value come last. */
export function compareItems(sort: ItemSort): (a: Ordered, b: Ordered) => number {
  const byId = (a: Ordered, b: Ordered) => compareTexts(a.id, b.id)
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

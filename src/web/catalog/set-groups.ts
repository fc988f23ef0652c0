import type { CardSet } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/sets.ts'

/** Returns the sets whose name, code or date has all words. */
export function filterSets(sets: readonly CardSet[], words: string): CardSet[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return sets.filter(({ name, abbreviation, release_date }) => {
    const text = `${name} ${abbreviation ?? ''} ${release_date ?? ''}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

/** Groups sets by the year of their release, in their order; those without a date are `Undated`. */
export function groupByYear(sets: readonly CardSet[]): [year: string, sets: CardSet[]][] {
  const years = Map.groupBy(sets, ({ release_date }) => release_date?.slice(0, 4) ?? texts.undated)
  return [...years]
}

/** Orders of the sets of a game, with their names. The first one is the default. */
export const SET_LIST_ORDERS = [
  ['', texts.newestFirst],
  ['date_asc', texts.oldestFirst],
  ['name', texts.byName],
  ['value_desc', texts.mostValuableFirst],
  ['value_asc', texts.leastValuableFirst],
  ['cards_desc', texts.mostCardsFirst],
  ['cards_asc', texts.fewestCardsFirst],
] as const

export type SetListOrder = (typeof SET_LIST_ORDERS)[number][0]

/** Parses the order of a URL; returns the default if it is unknown. */
export function parseSetListOrder(text: string | null): SetListOrder {
  return SET_LIST_ORDERS.find(([value]) => value === text)?.[0] ?? ''
}

/** Returns true for the orders in which the sets of a year are together. */
export function isByDate(order: SetListOrder): boolean {
  return order === '' || order === 'date_asc'
}

/** Sorts sets, which come newest first; those without a date or value come last. */
export function sortSets(sets: readonly CardSet[], order: SetListOrder): CardSet[] {
  if (order === 'name') return sets.toSorted((a, b) => byName.compare(a.name, b.name))
  const isUp = order.endsWith('_asc')
  const keyOf = (set: CardSet): number | null => {
    if (isByDate(order)) return set.release_date === null ? null : Date.parse(set.release_date)
    return order.startsWith('value') ? set.value : set.card_count
  }
  return sets.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return isUp ? left - right : right - left
  })
}

/** Sorts `Set 2` before `Set 10`. */
const byName = new Intl.Collator('en', { numeric: true })

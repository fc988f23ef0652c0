import type { CardSet } from '#client/endpoints.ts'

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
  const years = Map.groupBy(sets, ({ release_date }) => release_date?.slice(0, 4) ?? 'Undated')
  return [...years]
}

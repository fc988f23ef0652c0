import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { listRowNames } from '#rules/matching/row-names.ts'
import { createNameIndexes, type NameIndex, type NameItem } from './name-index.ts'
import type { RowQuery } from './resolve-rows.ts'

/** A row, and the reason why it has no card. */
type MissedRow = {
  query: NameItem | RowQuery | undefined
  miss?: string
  suggestions?: readonly number[]
}

/** Suggests cards for rows whose names no card has. A line of a list matches parts of names already. */
export function suggestCards({ catalog }: Pick<Deps, 'catalog'>, rows: readonly MissedRow[]): void {
  const indexes = createNameIndexes(catalog)
  for (const row of rows) {
    const { query, miss } = row
    if (miss !== 'no_match' || query === undefined || !('set_code' in query)) continue
    const index = indexes.ofItem({ game: query.game })
    const name = listRowNames(query.name).at(-1)?.written ?? query.name
    if (!('reason' in index)) row.suggestions = findNearestNames(index, name)
  }
}

/** Finds cards with the nearest names: misspelled, longer, or of the same beginning; one for each name. */
function findNearestNames(index: NameIndex, name: string): number[] {
  const bare = normalizeName(name)
  if (bare.length < LETTERS_MIN) return []
  const ids = new Set<number>()
  const searches = [
    () => index.similar(bare, bare.length < TWO_FAULTS_MIN ? 1 : 2),
    () => index.startingWith(bare, SUGGESTIONS_MAX),
    () => index.containing(bare, SUGGESTIONS_MAX),
    () => index.startingWith(bare.slice(0, Math.ceil((bare.length * 2) / 3)), SUGGESTIONS_MAX),
  ]
  for (const search of searches) {
    for (const { topPriced } of search()) for (const id of topPriced.slice(0, 1)) ids.add(id)
    if (ids.size >= SUGGESTIONS_MAX) break
  }
  return [...ids].slice(0, SUGGESTIONS_MAX)
}

/** Maximum number of cards that are suggested for a name which no card has. */
const SUGGESTIONS_MAX = 5

/** Shorter names resemble too many. */
const LETTERS_MIN = 3
const TWO_FAULTS_MIN = 6

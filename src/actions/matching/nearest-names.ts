import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { listRowNames } from '#rules/matching/row-names.ts'
import { mapYielding } from '../cooperative-loop.ts'
import { createNameIndexes, type NameIndex, type NameItem } from './name-index.ts'
import type { RowQuery } from './resolve-rows.ts'

/** A row, and the reason why it has no card. */
type MissedRow = {
  query: NameItem | RowQuery | undefined
  miss?: string
  suggestions?: readonly number[]
}

/** How many rows of a file may still get suggestions. */
export type SuggestionBudget = { rows: number }

/** Creates the budget of a file. A row takes a millisecond, and nobody looks at more. */
export function createSuggestionBudget(): SuggestionBudget {
  return { rows: SUGGESTED_ROWS_MAX }
}

const SUGGESTED_ROWS_MAX = 1_000

/**
 * Suggests cards for rows whose names no card has. A line of a list matches parts of names already. Yields to the event
 * loop.
 */
export async function suggestCards(
  { catalog }: Pick<Deps, 'catalog'>,
  rows: readonly MissedRow[],
  budget: SuggestionBudget,
): Promise<void> {
  const indexes = createNameIndexes(catalog)
  const missed = rows.filter(({ miss }) => miss === 'no_match')
  await mapYielding(missed, (row) => {
    const { query } = row
    if (query === undefined || !('set_code' in query) || budget.rows === 0) return
    budget.rows--
    const index = indexes.ofItem({ game: query.game })
    const name = listRowNames(query.name).at(-1)?.written ?? query.name
    if (!('reason' in index)) row.suggestions = findNearestNames(index, name)
  })
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

import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { Unowned } from '#rules/collections/file-import.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import type { Preference } from '#rules/matching/preference.ts'
import { parseQuantity } from '#rules/matching/quantity-columns.ts'
import { findGame } from '../catalog/find-game.ts'
import { nextTurn } from '../cooperative-loop.ts'
import { findById } from './find-by-id.ts'
import type { NameItem, NameMatch } from './name-index.ts'
import { createSuggestionBudget, type SuggestionBudget, suggestCards } from './nearest-names.ts'
import { resolveNames } from './resolve-names.ts'
import { type RowQuery, resolveRows } from './resolve-rows.ts'
import { createResult, type ResolvedRow, type RowSearch } from './resolved-row.ts'

type CatalogDeps = Pick<Deps, 'catalog'>

type Rows = Iterable<CollectionRow> | AsyncIterable<CollectionRow>

/**
 * Finds the card and the value of each row of a collection, in order. Ignores unknown sets, games and printings,
 * which the result states in notes. Yields to the event loop every 50 rows.
 *
 * @param options game of rows that name none, the preference among cards of rows without a set, and whether cards that
 * nobody owns are sought
 * @throws ServiceError INVALID_GAME
 */
export async function* resolveCollection(
  deps: Pick<Deps, 'catalog'>,
  rows: Rows,
  { game, unowned, ...options }: MatchOptions & { unowned?: Unowned } = {},
): AsyncGenerator<ResolvedRow> {
  const searchFor = createSearchFactory(deps, { game: findGame(deps, game)?.slug, unowned })
  yield* resolveSearches(deps, rows, { searchFor, ...options })
}

/** How the rows of a table or a list are matched. */
export type MatchOptions = {
  /** Slug. */
  game?: string | undefined
  /** Which of several cards a row without a set means. */
  prefer?: Preference | undefined
  /** Rows that may get suggestions; parts of one file share it. */
  suggestions?: SuggestionBudget
}

type SearchOptions<Row> = Omit<MatchOptions, 'game'> & { searchFor: (row: Row) => RowSearch }

/** Resolves rows of any kind in batches. */
export async function* resolveSearches<Row>(
  deps: CatalogDeps,
  rows: Iterable<Row> | AsyncIterable<Row>,
  { searchFor, prefer, suggestions = createSuggestionBudget() }: SearchOptions<Row>,
): AsyncGenerator<ResolvedRow> {
  for await (const batch of splitRows(rows)) {
    yield* await resolveBatch(deps, batch.map(searchFor), { prefer, suggestions })
    await nextTurn()
  }
}

const BATCH = 50

async function* splitRows<Row>(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}

/** Creates searches from rows. Apps name games in many ways: "Magic: The Gathering" is `magic`. */
function createSearchFactory(
  { catalog }: Pick<Deps, 'catalog'>,
  {
    game: defaultGame,
    unowned = 'leave_out',
  }: { game: string | undefined; unowned?: Unowned | undefined },
) {
  const games = catalog.games.listAll()
  const byLength = games.toSorted((a, b) => b.slug.length - a.slug.length)
  const known = new Map<string, string | undefined>()
  const find = (key: string) =>
    games.find(({ slug, name }) => [slug, name].map(normalizeName).includes(key)) ??
    byLength.find(({ slug }) => key.startsWith(normalizeName(slug)))

  return (input: CollectionRow): RowSearch => {
    const key = normalizeName(input.game ?? '')
    if (!known.has(key)) known.set(key, key === '' ? defaultGame : find(key)?.slug)
    const game = known.get(key)
    return {
      input,
      section: undefined,
      game: game ?? defaultGame,
      quantity: parseQuantity(input.quantity),
      isWanted: unowned === 'wishlist' && input.left_out !== 'proxy',
      query: createQuery(input, game ?? defaultGame),
      notes: key !== '' && game === undefined ? ['game_not_found'] : [],
    }
  }
}

function createQuery(input: CollectionRow, game: string | undefined): RowQuery | undefined {
  const { name, set_code, set_name, number, printing } = input
  return name === null ? undefined : { name, game, set_code, set_name, number, printing }
}

/** Returns true for a row with copies that are owned, or wanted. */
function isCounted({ quantity = 0, input, isWanted = false }: RowSearch): boolean {
  return quantity > 0 && (input.left_out === null || isWanted)
}

async function resolveBatch(
  deps: CatalogDeps,
  searches: RowSearch[],
  {
    prefer,
    suggestions: budget,
  }: { prefer: Preference | undefined; suggestions: SuggestionBudget },
): Promise<ResolvedRow[]> {
  const counted = searches.filter(isCounted)
  findById(deps, counted)
  await findByName(deps, counted, prefer)
  await suggestCards(deps, counted, budget)
  const ids = counted.flatMap(({ match, suggestions = [] }) =>
    match === undefined ? suggestions : [match.card_id, ...match.alternatives],
  )
  const cards = deps.catalog.pricedCards.getByIds(ids)
  return searches.map((search) => createResult(search, cards))
}

async function findByName(
  deps: Pick<Deps, 'catalog'>,
  searches: readonly RowSearch[],
  prefer: Preference | undefined,
): Promise<void> {
  const lines: { search: RowSearch; query: NameItem }[] = []
  const rows: { search: RowSearch; query: RowQuery }[] = []
  for (const search of searches) {
    const { query, match } = search
    if (query === undefined || match !== undefined) continue
    if ('set_code' in query) rows.push({ search, query })
    else lines.push({ search, query })
  }
  const ofLines = await resolveNames(
    deps,
    lines.map(({ query }) => query),
    prefer,
  )
  for (const [at, { search }] of lines.entries()) {
    const answer = ofLines[at]
    if (answer === undefined) continue
    if ('reason' in answer) search.miss = answer.reason
    else adoptLine(search, answer)
  }
  const ofRows = await resolveRows(
    deps,
    rows.map(({ query }) => query),
    prefer,
  )
  for (const [at, { search }] of rows.entries()) {
    const answer = ofRows[at]
    if (answer === undefined) continue
    if ('reason' in answer) search.miss = answer.reason
    else {
      search.match = answer
      search.notes.push(...answer.notes)
    }
  }
}

/** Copies the parts of a line by which its card was found. */
function adoptLine(search: RowSearch, found: NameMatch): void {
  const { line } = found
  search.match = found
  search.input = {
    ...search.input,
    name: line.name,
    set_code: line.set ?? null,
    number: line.number ?? null,
    printing: line.printing ?? null,
    quantity: String(line.quantity),
  }
  search.quantity = parseQuantity(search.input.quantity)
  search.facts = line.facts
  search.notes.push(...line.ignored)
}

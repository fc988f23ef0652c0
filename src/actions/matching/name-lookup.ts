import type { Deps } from '#deps.ts'
import { printedNames } from '#rules/catalog/names.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { weightedEditDistance } from '#rules/search/spelling.ts'
import { type NameHit, TOP_CARDS_MAX } from '#store/catalog/names.ts'
import type { NameItem, NameMiss } from './resolve-names.ts'

/** Names of cards that may be meant. Each question takes a bare name, and how many are wanted. */
export type NameIndex = {
  /** Cards that are called exactly this, in full. */
  exact(bare: string): NameHit[]
  /** Cards on which this stands. */
  printed(bare: string): NameHit[]
  /** Cards whose name in full goes on behind this. */
  startingWith(bare: string, limit: number): NameHit[]
  /** Cards whose name in full has this in it. */
  containing(bare: string, limit: number): NameHit[]
  /** Cards whose name is this but for so many letters, the fewest faults first. */
  similar(bare: string, faults: 1 | 2): NameHit[]
}

/**
 * The pools of a request: the whole catalog, a game, or the sets that an item names. What is read of
 * sets is kept for the other items that name them.
 */
export function createNameIndexes({ games, sets, names }: Deps['catalog']) {
  const gameIds = new Map<string, number | undefined>()
  const poolsOfSets = new Map<string, NameIndex>()

  function gameIdOf(slug: string): number | undefined {
    if (!gameIds.has(slug)) gameIds.set(slug, games.getBySlugOrId(slug)?.id)
    return gameIds.get(slug)
  }

  return ({ game, set }: NameItem): NameIndex | NameMiss => {
    const gameId = game === undefined ? undefined : gameIdOf(game)
    if (game !== undefined && gameId === undefined) return { reason: 'game_not_found' }
    if (set === undefined) return gameIndex(names, gameId)
    const ids = sets.findIds(set, gameId)
    if (ids.length === 0) return { reason: 'set_not_found' }
    const known = poolsOfSets.get(ids.join())
    if (known !== undefined) return known
    const pool = setIndex(names, ids)
    if (poolsOfSets.size >= INDEXES_MAX) poolsOfSets.clear()
    poolsOfSets.set(ids.join(), pool)
    return pool
  }
}

/** A set's names are some hundred kilobytes at the most. */
const INDEXES_MAX = 100

function gameIndex(names: Deps['catalog']['names'], game: number | undefined): NameIndex {
  return {
    exact: (bare) => names.findExact(bare, game),
    printed: (bare) => names.findPrinted(bare, game),
    startingWith: (bare, limit) => names.findByPrefix(bare, limit, game),
    containing: (bare, limit) => names.findContaining(bare, limit, game),
    similar: (bare, faults) => names.findSimilar(bare, faults, game),
  }
}

/** The same of some sets, whose cards are few enough to be looked at one by one. */
function setIndex(names: Deps['catalog']['names'], sets: readonly number[]): NameIndex {
  // Only where a name is not written as it stands: most are, and to read a set takes milliseconds.
  let read: SetNames | undefined
  const shelf = () => {
    read ??= readSetNames(names.listBySets(sets))
    return read
  }
  const exactly = (bare: string, where: 'called' | 'printed') =>
    groupHits(
      names
        .findInSets(bare, where, sets)
        .map(({ id, name }) => ({ id, name: bare, spelling: name })),
    )
  return {
    exact: (bare) => exactly(bare, 'called'),
    printed: (bare) => exactly(bare, 'printed'),
    startingWith: (bare, limit) =>
      groupHits(shelf().whole.filter(({ name }) => name.startsWith(bare) && name !== bare)).slice(
        0,
        limit,
      ),
    containing: (bare, limit) =>
      groupHits(shelf().whole.filter(({ name }) => name.includes(bare))).slice(0, limit),
    similar: (bare, most) =>
      groupHits(
        [...shelf().whole, ...shelf().printed()]
          .map((one) => ({ ...one, faults: weightedEditDistance(bare, one.name, most) }))
          .filter(({ faults }) => faults < most + 1)
          .sort((a, b) => a.faults - b.faults),
      ),
  }
}

/** Names in full, and those that are printed. */
type SetNames = { whole: readonly NamedEntry[]; printed(): readonly NamedEntry[] }

function readSetNames(cards: readonly { id: number; name: string }[]): SetNames {
  const named = (id: number, spelling: string) => ({ id, name: normalizeName(spelling), spelling })
  let inPrint: NamedEntry[] | undefined
  return {
    whole: cards.map(({ id, name }) => named(id, name)),
    printed() {
      inPrint ??= cards.flatMap(({ id, name }) => printedNames(name).map((one) => named(id, one)))
      return inPrint
    },
  }
}

type NamedEntry = { id: number; name: string; spelling: string }

/** Cards that came dearest first, by their names. */
function groupHits(cards: readonly NamedEntry[]): NameHit[] {
  return [...Map.groupBy(cards, ({ spelling }) => spelling)].map(([spelling, same]) => {
    const ids = [...new Set(same.map(({ id }) => id))]
    return {
      name: same[0]?.name ?? '',
      spelling,
      topPriced: ids.slice(0, TOP_CARDS_MAX),
      listAll: () => ids,
    }
  })
}

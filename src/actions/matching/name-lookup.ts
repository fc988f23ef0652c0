import type { Deps } from '#deps.ts'
import { printedNames } from '#rules/catalog/names.ts'
import { bareName } from '#rules/catalog/trigrams.ts'
import { faultsBetween } from '#rules/search/spelling.ts'
import { type NameHit, TOLD_MAX } from '#store/catalog/names.ts'
import type { NameItem, NameMiss } from './resolve-names.ts'

/** Names of cards that may be meant. Each question takes a bare name, and how many are wanted. */
export type NamePool = {
  /** Cards that are called exactly this, in full. */
  called(bare: string): NameHit[]
  /** Cards on which this stands. */
  printed(bare: string): NameHit[]
  /** Cards whose name in full goes on behind this. */
  begun(bare: string, limit: number): NameHit[]
  /** Cards whose name in full has this in it. */
  containing(bare: string, limit: number): NameHit[]
  /** Cards whose name is this but for so many letters, the fewest faults first. */
  near(bare: string, faults: 1 | 2): NameHit[]
}

/**
 * The pools of a request: the whole catalog, a game, or the sets that an item names. What is read of
 * sets is kept for the other items that name them.
 */
export function openNamePools({ games, sets, names }: Deps['catalog']) {
  const gameIds = new Map<string, number | undefined>()
  const poolsOfSets = new Map<string, NamePool>()

  function gameIdOf(slug: string): number | undefined {
    if (!gameIds.has(slug)) gameIds.set(slug, games.bySlugOrId(slug)?.id)
    return gameIds.get(slug)
  }

  return ({ game, set }: NameItem): NamePool | NameMiss => {
    const gameId = game === undefined ? undefined : gameIdOf(game)
    if (game !== undefined && gameId === undefined) return { reason: 'game_not_found' }
    if (set === undefined) return poolOfGame(names, gameId)
    const ids = sets.called(set, gameId)
    if (ids.length === 0) return { reason: 'set_not_found' }
    const known = poolsOfSets.get(ids.join())
    if (known !== undefined) return known
    const pool = poolOfSets(names, ids)
    if (poolsOfSets.size >= POOLS_MAX) poolsOfSets.clear()
    poolsOfSets.set(ids.join(), pool)
    return pool
  }
}

/** A set's names are some hundred kilobytes at the most. */
const POOLS_MAX = 100

function poolOfGame(names: Deps['catalog']['names'], game: number | undefined): NamePool {
  return {
    called: (bare) => names.called(bare, game),
    printed: (bare) => names.printed(bare, game),
    begun: (bare, limit) => names.begun(bare, limit, game),
    containing: (bare, limit) => names.containing(bare, limit, game),
    near: (bare, faults) => names.near(bare, faults, game),
  }
}

/** The same of some sets, whose cards are few enough to be looked at one by one. */
function poolOfSets(names: Deps['catalog']['names'], sets: readonly number[]): NamePool {
  // Only where a name is not written as it stands: most are, and to read a set takes milliseconds.
  let read: Shelf | undefined
  const shelf = () => {
    read ??= shelfOf(names.ofSets(sets))
    return read
  }
  const exactly = (bare: string, where: 'called' | 'printed') =>
    hitsOf(
      names.inSets(bare, where, sets).map(({ id, name }) => ({ id, name: bare, spelling: name })),
    )
  return {
    called: (bare) => exactly(bare, 'called'),
    printed: (bare) => exactly(bare, 'printed'),
    begun: (bare, limit) =>
      hitsOf(shelf().whole.filter(({ name }) => name.startsWith(bare) && name !== bare)).slice(
        0,
        limit,
      ),
    containing: (bare, limit) =>
      hitsOf(shelf().whole.filter(({ name }) => name.includes(bare))).slice(0, limit),
    near: (bare, most) =>
      hitsOf(
        [...shelf().whole, ...shelf().printed()]
          .map((one) => ({ ...one, faults: faultsBetween(bare, one.name, most) }))
          .filter(({ faults }) => faults < most + 1)
          .sort((a, b) => a.faults - b.faults),
      ),
  }
}

/** Names in full, and those that are printed. */
type Shelf = { whole: readonly Named[]; printed(): readonly Named[] }

function shelfOf(cards: readonly { id: number; name: string }[]): Shelf {
  const named = (id: number, spelling: string) => ({ id, name: bareName(spelling), spelling })
  let inPrint: Named[] | undefined
  return {
    whole: cards.map(({ id, name }) => named(id, name)),
    printed() {
      inPrint ??= cards.flatMap(({ id, name }) => printedNames(name).map((one) => named(id, one)))
      return inPrint
    },
  }
}

type Named = { id: number; name: string; spelling: string }

/** Cards that came dearest first, by their names. */
function hitsOf(cards: readonly Named[]): NameHit[] {
  return [...Map.groupBy(cards, ({ spelling }) => spelling)].map(([spelling, same]) => {
    const ids = [...new Set(same.map(({ id }) => id))]
    return { name: same[0]?.name ?? '', spelling, dearest: ids.slice(0, TOLD_MAX), all: () => ids }
  })
}

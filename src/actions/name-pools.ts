import type { Deps } from '#deps.ts'
import { printedNames } from '#rules/names.ts'
import { faultsBetween } from '#rules/spelling.ts'
import { bareName } from '#rules/trigrams.ts'
import type { NameHit } from '#store/catalog/names.ts'
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
 * The pools of a request: the whole catalog, a game, or the sets that an item names. Sets are read
 * once for all items that name them, in steps: the largest have thousands of cards.
 */
export function openNamePools({ games, sets, names }: Deps['catalog']) {
  const gameIds = new Map<string, number | undefined>()
  const poolsOfSets = new Map<string, NamePool>()

  function gameIdOf(slug: string): number | undefined {
    if (!gameIds.has(slug)) gameIds.set(slug, games.bySlugOrId(slug)?.id)
    return gameIds.get(slug)
  }

  return function* ({ game, set }: NameItem): Generator<undefined, NamePool | NameMiss> {
    const gameId = game === undefined ? undefined : gameIdOf(game)
    if (game !== undefined && gameId === undefined) return { reason: 'game_not_found' }
    if (set === undefined) return poolOfGame(names, gameId)
    const ids = sets.called(set, gameId)
    if (ids.length === 0) return { reason: 'set_not_found' }
    const known = poolsOfSets.get(ids.join())
    if (known !== undefined) return known
    yield
    const cards = names.ofSets(ids)
    yield
    const pool = poolOfSets(cards)
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

/** The same among few cards, each looked at. */
function poolOfSets(cards: readonly { id: number; name: string }[]): NamePool {
  const named = (id: number, spelling: string): Named => ({
    id,
    name: bareName(spelling),
    spelling,
  })
  const whole = cards.map(({ id, name }) => named(id, name))
  let inPrint: Named[] | undefined
  const printed = () => {
    inPrint ??= cards.flatMap(({ id, name }) => printedNames(name).map((one) => named(id, one)))
    return inPrint
  }
  return {
    called: (bare) => hitsOf(whole.filter(({ name }) => name === bare)),
    printed: (bare) => hitsOf(printed().filter(({ name }) => name === bare)),
    begun: (bare, limit) =>
      hitsOf(whole.filter(({ name }) => name.startsWith(bare) && name !== bare)).slice(0, limit),
    containing: (bare, limit) =>
      hitsOf(whole.filter(({ name }) => name.includes(bare))).slice(0, limit),
    near: (bare, most) =>
      hitsOf(
        [...whole, ...printed()]
          .map((one) => ({ ...one, faults: faultsBetween(bare, one.name, most) }))
          .filter(({ faults }) => faults < most + 1)
          .sort((a, b) => a.faults - b.faults),
      ),
  }
}

type Named = { id: number; name: string; spelling: string }

/** Cards that came dearest first, by their names. */
function hitsOf(cards: readonly Named[]): NameHit[] {
  return [...Map.groupBy(cards, ({ spelling }) => spelling)].map(([spelling, same]) => {
    const ids = [...new Set(same.map(({ id }) => id))]
    return { name: same[0]?.name ?? '', spelling, dearest: ids.slice(0, 4), all: () => ids }
  })
}

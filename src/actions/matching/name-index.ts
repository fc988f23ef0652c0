import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import { cleanName, printedNames } from '#rules/catalog/names.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { weightedEditDistance } from '#rules/search/spelling.ts'
import { TOP_CARDS_MAX } from '#store/catalog/name-prices.ts'
import type { NameHit } from '#store/catalog/names.ts'

/** Card name to resolve. */
export type NameItem = {
  /** Name, or a line of a list with a quantity, a set, a number and a printing. */
  name: string
  /** Slug of a game. */
  game?: string | undefined
  /** Slug, code or name of a set. */
  set?: string | undefined
  number?: string | undefined
  printing?: string | undefined
}

/**
 * Quality of a match (specification, Bulk and export). `exact`: the name is the card's name. `high`: the card's name
 * starts with it. `medium`: the card's name contains it, or a corrected name matched.
 */
type Confidence = 'exact' | 'high' | 'medium'

/** A matched card, and other possible cards. */
export type CardMatch = {
  card_id: number
  confidence: Confidence
  /** Other possible cards, at most ALTERNATIVES_MAX. */
  alternatives: number[]
  /** Name that was searched instead, if the given one has no match. */
  corrected_name?: string
}

export type NameMatch = CardMatch & { line: LineParts }

/** Parts of a line. Parts that match no card are ignored and listed. */
type LineParts = {
  quantity: number
  name: string
  /** Code or name of a set, as written. */
  set: string | undefined
  number: string | undefined
  /** Finish marked on the line. */
  printing: string | undefined
  ignored: readonly IgnoredPart[]
}

/** Ignored part of a line: an unknown set, a set without the card, or another number. */
export type IgnoredPart = 'set_not_found' | 'not_in_set' | 'number_not_found'

export type NameMiss = {
  reason: 'no_match' | 'game_not_found' | 'set_not_found' | 'name_too_short'
}

/** Card names of the catalog, a game or some sets. Each method takes a normalized name. */
export type NameIndex = {
  /** Reads these names at once, if that is faster, before `exact` and `printed` look them up. */
  prepare(names: readonly string[]): void
  /** Finds cards with exactly this full name. */
  exact(bare: string): NameHit[]
  /** Finds cards with exactly this printed name. */
  printed(bare: string): NameHit[]
  /** Finds cards whose full name starts with this and continues. */
  startingWith(bare: string, limit: number): NameHit[]
  /** Finds cards whose full name contains this. */
  containing(bare: string, limit: number): NameHit[]
  /** Finds cards whose name differs by at most this many typos, fewest first. */
  similar(bare: string, faults: 1 | 2): NameHit[]
  /** Finds cards of the sets whose name shares a word with this text, which is not normalized. */
  sharingWord(text: string): NameHit[]
}

/**
 * Returns a function that selects an item's index: of the whole catalog, its game or its sets. Caches the indexes of
 * sets for the other items of the request.
 */
export function createNameIndexes({ games, sets, names }: Deps['catalog']) {
  const gameIds = new Map<string, number | undefined>()
  const indexesByGame = new Map<number | undefined, NameIndex>()
  const indexesBySet = new LRUCache<string, NameIndex>({ max: INDEXES_MAX })

  function getGameId(slug: string): number | undefined {
    if (!gameIds.has(slug)) gameIds.set(slug, games.getBySlugOrId(slug)?.id)
    return gameIds.get(slug)
  }

  return ({ game, set }: Pick<NameItem, 'game' | 'set'>): NameIndex | NameMiss => {
    const gameId = game === undefined ? undefined : getGameId(game)
    if (game !== undefined && gameId === undefined) return { reason: 'game_not_found' }
    if (set === undefined) {
      const known = indexesByGame.get(gameId) ?? gameIndex(names, gameId)
      indexesByGame.set(gameId, known)
      return known
    }
    const ids = sets.findIds(set, gameId)
    if (ids.length === 0) return { reason: 'set_not_found' }
    const known = indexesBySet.get(ids.join())
    if (known !== undefined) return known
    const index = setIndex(names, ids)
    indexesBySet.set(ids.join(), index)
    return index
  }
}

/** The names of a set take some hundred kilobytes at most. */
const INDEXES_MAX = 100

function gameIndex(names: Deps['catalog']['names'], game: number | undefined): NameIndex {
  const exact = createBatchLookup((bares) => names.findExact(bares, game))
  const printed = createBatchLookup((bares) => names.findPrinted(bares, game))
  return {
    prepare(bares) {
      exact.prepare(bares)
      // Other names have enough alternatives.
      printed.prepare(bares.filter((bare) => countTopPriced(exact.get(bare)) < TOP_CARDS_MAX))
    },
    exact: exact.get,
    printed: printed.get,
    startingWith: (bare, limit) => names.findByPrefix(bare, limit, game),
    containing: (bare, limit) => names.findContaining(bare, limit, game),
    similar: (bare, faults) => names.findSimilar(bare, faults, game),
    // A single word would find unrelated cards.
    sharingWord: () => [],
  }
}

/** Returns a lookup by name that reads the names of a batch at once, and others when they are looked up. */
function createBatchLookup(find: (names: readonly string[]) => Map<string, NameHit[]>) {
  let prepared: ReadonlySet<string> = new Set()
  let known = new Map<string, NameHit[]>()
  return {
    prepare(names: readonly string[]): void {
      prepared = new Set(names)
      // A batch may ask for many cards of one name, such as a basic land.
      known = find([...prepared])
    },
    get: (name: string): NameHit[] => (prepared.has(name) ? known : find([name])).get(name) ?? [],
  }
}

function countTopPriced(hits: readonly NameHit[]): number {
  return hits.reduce((sum, { topPriced }) => sum + topPriced.length, 0)
}

/** Compares the few cards of the sets one by one. */
function setIndex(names: Deps['catalog']['names'], sets: readonly number[]): NameIndex {
  // Read on demand: most names match exactly, and reading a set takes milliseconds.
  let setNames: SetNames | undefined
  const getNames = () => {
    setNames ??= readSetNames(names.listBySets(sets))
    return setNames
  }
  const findExact = (bare: string, where: 'called' | 'printed') => {
    const cards = names.findInSets(bare, where, sets)
    return groupHits(cards.map(({ id, name }) => ({ id, name: bare, spelling: name })))
  }
  const findWhole = (limit: number, fits: (name: string) => boolean) =>
    groupHits(getNames().whole.filter(({ name }) => fits(name))).slice(0, limit)
  return {
    prepare: () => {},
    exact: (bare) => findExact(bare, 'called'),
    printed: (bare) => findExact(bare, 'printed'),
    startingWith: (bare, limit) =>
      findWhole(limit, (name) => name.startsWith(bare) && name !== bare),
    containing: (bare, limit) => findWhole(limit, (name) => name.includes(bare)),
    similar: (bare, typos) =>
      groupHits(
        [...getNames().whole, ...getNames().printed()]
          .map((entry) => ({ ...entry, faults: weightedEditDistance(bare, entry.name, typos) }))
          .filter(({ faults }) => faults < typos + 1)
          .sort((a, b) => a.faults - b.faults),
      ),
    sharingWord(text) {
      const words = listWords(text)
      return groupHits(
        getNames().whole.filter(({ spelling }) =>
          listWords(spelling).some((word) => words.includes(word)),
        ),
      )
    },
  }
}

/** Lists the distinguishing words of a name, of three letters or more. */
function listWords(name: string): string[] {
  const words = cleanName(name).toLowerCase().split(' ')
  return words.filter((word) => word.length > 2)
}

type SetNames = { whole: readonly NamedEntry[]; printed(): readonly NamedEntry[] }

function readSetNames(cards: readonly { id: number; name: string }[]): SetNames {
  const named = (id: number, spelling: string) => ({ id, name: normalizeName(spelling), spelling })
  let printed: NamedEntry[] | undefined
  return {
    whole: cards.map(({ id, name }) => named(id, name)),
    printed() {
      printed ??= cards.flatMap(({ id, name }) =>
        printedNames(name).map((entry) => named(id, entry)),
      )
      return printed
    },
  }
}

type NamedEntry = { id: number; name: string; spelling: string }

/** Groups cards by name. The cards are sorted by price, highest first. */
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

/** Caches the lookups for one line, whose readings need the same names several times. */
export function cacheLookups(index: NameIndex): NameIndex {
  const known = new Map<string, NameHit[]>()
  const once = (key: string, find: () => NameHit[]): NameHit[] => {
    const hits = known.get(key) ?? find()
    known.set(key, hits)
    return hits
  }
  return {
    prepare: index.prepare,
    exact: (bare) => once(`exact ${bare}`, () => index.exact(bare)),
    printed: (bare) => once(`printed ${bare}`, () => index.printed(bare)),
    startingWith: (bare, limit) =>
      once(`starting ${limit} ${bare}`, () => index.startingWith(bare, limit)),
    containing: (bare, limit) =>
      once(`containing ${limit} ${bare}`, () => index.containing(bare, limit)),
    similar: (bare, faults) => once(`similar ${faults} ${bare}`, () => index.similar(bare, faults)),
    sharingWord: (text) => index.sharingWord(text),
  }
}

import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import type { Certainty } from '#rules/matching/certainty.ts'
import type { LineFacts } from '#rules/matching/trailing-words.ts'
import { weightedEditDistance } from '#rules/search/spelling.ts'
import { TOP_CARDS_MAX } from '#store/catalog/name-prices.ts'
import type { NameHit } from '#store/catalog/names.ts'
import { compareSetNames, listWords, type NamedEntry } from './set-names.ts'

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
  certainty: Certainty
  /** Other possible cards, at most ALTERNATIVES_MAX. */
  alternatives: number[]
  /** Name that was searched instead, if the given one has no match. */
  corrected_name?: string
  /** Printing that is left to choose if the card is the variant that was named. */
  printing?: string
}

/** A card found by its name, and the number of sets among which it was searched because they are named. */
export type FoundName = CardMatch & { setCount?: number }

export type NameMatch = CardMatch & { line: LineParts }

/** Parts of a line. Parts that match no card are ignored and listed. */
type LineParts = {
  quantity: number
  name: string
  /** Code or name of a set, as written. */
  set: string | undefined
  /** Sets that the line or its item names, several if they share a code. */
  setCount: number
  number: string | undefined
  /** Finish marked on the line. */
  printing: string | undefined
  /** Facts about the copies. */
  facts: LineFacts | undefined
  /** Words in brackets that the card does not have. */
  additions: readonly string[]
  ignored: readonly IgnoredPart[]
}

/** Ignored part of a line: an unknown set, a set without the card, another number or variant, or words without a meaning. */
export type IgnoredPart =
  | 'set_not_found'
  | 'not_in_set'
  | 'number_not_found'
  | 'printing_not_found'
  | 'words_ignored'

export type NameMiss = {
  reason: 'no_match' | 'game_not_found' | 'set_not_found' | 'name_too_short'
}

/** A full name or a printed one. */
export type WholeKind = 'called' | 'printed'

/** Costs of searches for parts of names and misspelled names, in comparisons (line-effort.ts). */
export type SearchCosts = {
  /** Returns the cost of reading all names, which a line that searches them pays once. */
  read(): number
  startingWith(bare: string): number
  containing(bare: string): number
  similar(bare: string, faults: 1 | 2): number
  sharingWord(): number
}

/** Card names of the catalog, a game or some sets. Each method takes a normalized name. */
export type NameIndex = {
  /** Number of the sets whose cards it has; 0 for those of a game or the catalog. */
  setCount: number
  /** Costs of lookups; undefined for whole names that even a line without effort finds. */
  costs: SearchCosts & { whole?: (bare: string, kind: WholeKind) => number }
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

/** The indexes of the items of a request, which share those of games and sets. */
export type NameIndexes = {
  /** Selects the index of an item: of the whole catalog, its game or its sets. */
  ofItem(item: Pick<NameItem, 'game' | 'set'>): NameIndex | NameMiss
  ofSets(ids: readonly number[]): NameIndex
}

export function createNameIndexes({ games, sets, names }: Deps['catalog']): NameIndexes {
  const gameIds = new Map<string, number | undefined>()
  const indexesByGame = new Map<number | undefined, NameIndex>()
  const indexesBySet = new LRUCache<string, NameIndex>({ max: INDEXES_MAX })

  function getGameId(slug: string): number | undefined {
    if (!gameIds.has(slug)) gameIds.set(slug, games.getBySlugOrId(slug)?.id)
    return gameIds.get(slug)
  }

  function ofSets(ids: readonly number[]): NameIndex {
    const index = indexesBySet.get(ids.join()) ?? setIndex({ sets, names }, ids)
    indexesBySet.set(ids.join(), index)
    return index
  }

  return {
    ofItem({ game, set }) {
      const gameId = game === undefined ? undefined : getGameId(game)
      if (game !== undefined && gameId === undefined) return { reason: 'game_not_found' }
      if (set === undefined) {
        const index = indexesByGame.get(gameId) ?? gameIndex(names, gameId)
        indexesByGame.set(gameId, index)
        return index
      }
      const ids = sets.findIds(set, gameId)
      return ids.length === 0 ? { reason: 'set_not_found' } : ofSets(ids)
    },
    ofSets,
  }
}

/** Indexes of sets keep what the store caches. */
const INDEXES_MAX = 100

function gameIndex(names: Deps['catalog']['names'], game: number | undefined): NameIndex {
  const exact = createBatchLookup((bares) => names.findExact(bares, game))
  const printed = createBatchLookup((bares) => names.findPrinted(bares, game))
  return {
    setCount: 0,
    costs: GAME_COSTS,
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

/** A search reads names by an index. All names are similar to the shortest, and many begin with them. */
const GAME_COSTS: SearchCosts = {
  read: () => 0,
  startingWith: ({ length }) => (length === 1 ? 8_000 : 1_500),
  containing: () => 2_500,
  similar: ({ length }) => (length <= 2 ? 15_000 : 1_000),
  sharingWord: () => 0,
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
function setIndex(
  { sets, names }: Pick<Deps['catalog'], 'sets' | 'names'>,
  ids: readonly number[],
): NameIndex {
  // Read on demand: most names match exactly, and reading a set takes milliseconds.
  const getNames = () => compareSetNames(names.listBySets(ids))
  const findExact = (bare: string, kind: WholeKind) => {
    const cards = names.findInSets(bare, kind, ids)
    return groupHits(cards.map(({ id, name }) => ({ id, name: bare, spelling: name })))
  }
  const findWhole = (limit: number, fits: (name: string) => boolean) =>
    groupHits(getNames().whole.filter(({ name }) => fits(name))).slice(0, limit)
  let known: number | undefined
  const countCards = () => {
    known ??= ids.reduce((sum, id) => sum + (sets.getById(id)?.card_count ?? 0), 0)
    return known
  }
  return {
    setCount: ids.length,
    costs: {
      whole: (bare, kind) => SET_LOOKUP_COST + names.countNamed(bare, kind),
      read: () => SET_NAME_COST * countCards(),
      startingWith: () => countCards() / 4,
      containing: () => countCards() / 4,
      similar: (_, faults) => countCards() * (faults === 1 ? 0.5 : 3),
      sharingWord: () => countCards() * 2,
    },
    prepare: () => {},
    exact: (bare) => findExact(bare, 'called'),
    printed: (bare) => findExact(bare, 'printed'),
    startingWith: (bare, limit) =>
      findWhole(limit, (name) => name.startsWith(bare) && name !== bare),
    containing: (bare, limit) => findWhole(limit, (name) => name.includes(bare)),
    similar(bare, typos) {
      const { whole, printed } = getNames()
      const near: (NamedEntry & { faults: number })[] = []
      for (const entry of [...whole, ...printed()]) {
        const faults = weightedEditDistance(bare, entry.name, typos)
        if (faults < typos + 1) near.push({ ...entry, faults })
      }
      return groupHits(near.sort((a, b) => a.faults - b.faults))
    },
    sharingWord(text) {
      const wanted = listWords(text)
      const { whole, words } = getNames()
      return groupHits(whole.filter((_, at) => words()[at]?.some((word) => wanted.includes(word))))
    },
  }
}

/** Finding a name among the cards of sets, in addition to a comparison with each card of the name. */
const SET_LOOKUP_COST = 150

/** Reading a name of a set and bringing it into its forms. */
const SET_NAME_COST = 16

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

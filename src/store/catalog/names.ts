import { innerTrigrams } from '#rules/catalog/trigrams.ts'
import { weightedEditDistance } from '#rules/search/spelling.ts'
import type { Db } from '../db.ts'
import {
  BASE_PRICE,
  type CardFacts,
  type CardName,
  openCardFacts,
  openSetNames,
} from './card-facts.ts'
import { type Choices, openNamePrices } from './name-prices.ts'
import type { CardNameRow } from './schema/matching.ts'
import {
  LAST_CHARACTER,
  SIMILAR_NAMES_SQL,
  type SimilarNameParameters,
  similarNameParameters,
} from './similar-names.ts'
import { openTrigramLists } from './trigram-lists.ts'

/** Cards that share a name. */
export type NameHit = {
  /** Identifies the name until the names are rebuilt; undefined within sets. */
  place?: number
  /** Normalized name. */
  name: string
  spelling: string
  /** Most expensive cards first, at most TOP_CARDS_MAX. */
  topPriced: readonly number[]
  /** Returns all cards, newest set first. */
  listAll(): readonly number[]
}

/** Finds cards by normalized names (rules/catalog/trigrams.ts), the most expensive first. */
export type NameStore = {
  /** Finds cards with exactly these full names, by name; names without cards are omitted. */
  findExact(names: readonly string[], game?: number): Map<string, NameHit[]>
  /** Finds cards with these printed names, by name: without marketplace additions, or one of two names. */
  findPrinted(names: readonly string[], game?: number): Map<string, NameHit[]>
  /** Finds cards whose full name begins with this prefix and continues. */
  findByPrefix(name: string, limit: number, game?: number): NameHit[]
  /** Finds cards whose full name contains this text; none for less than three characters. */
  findContaining(name: string, limit: number, game?: number): NameHit[]
  /**
   * Finds cards whose full or printed name differs by at most `faults` wrong, missing, extra or transposed letters:
   * fewest faults first, then full names, then the most expensive. Names with two faults are found only if one half,
   * or the first and the last quarter, is intact.
   */
  findSimilar(name: string, faults: 1 | 2, game?: number): NameHit[]
  /** Drops the cached data of an older catalog. */
  invalidate(): void
  /** Finds cards of these sets by full or by printed name, most expensive first. */
  findInSets(name: string, kind: 'called' | 'printed', sets: readonly number[]): CardName[]
  /** Returns about how many cards have this full or printed name, without reading them. */
  countNamed(name: string, kind: 'called' | 'printed'): number
  /** Lists the full names of the cards of these sets, most expensive first. */
  listBySets(ids: readonly number[]): CardName[]
  /** Returns the facts that distinguish these cards, most expensive first. */
  getFacts(ids: readonly number[]): CardFacts[]
  /** Sorts cards by the prices of their base printings, the lowest first and unknown ones last; ties by id. */
  sortByPrice(ids: readonly number[]): number[]
  /** Returns what was chosen among the cards of names, until the cached data is dropped. */
  getChoices(): Choices
}

export function openNameStore(db: Db): NameStore {
  const byName = prepareForGame<{ names: string; is_whole: number }>(
    db,
    (inGame) =>
      `SELECT ${HIT}, NULL AS cards FROM json_each(+@names) AS wanted
        CROSS JOIN card_names ON is_whole = +@is_whole AND name = wanted.value
        WHERE true ${inGame}`,
  )
  // Returns one JSON text, because tens of thousands of names may begin with a letter.
  const prepareBegun = (inGame: string) =>
    db
      .prepare<[{ name: string; end: string; game: number | undefined }], string>(
        `SELECT json_group_array(place) FROM card_names
          WHERE is_whole = 1 AND name > +@name AND name < +@end ${inGame}`,
      )
      .pluck()
  const begunInAll = prepareBegun('')
  const begunInGame = prepareBegun('AND game_id = +@game')
  const alike = db.prepare<[SimilarNameParameters], Pick<CardNameRow, 'place' | 'name'>>(
    SIMILAR_NAMES_SQL,
  )
  const atPlaces = prepareForGame<{ places: string }>(
    db,
    (inGame) =>
      `SELECT ${HIT}, cards FROM json_each(+@places) AS wanted
        CROSS JOIN card_names ON place = wanted.value
        WHERE true ${inGame}`,
  )
  // Looked up by name, because places change when names are rebuilt.
  const cardsOf = db
    .prepare<[Row], string>(
      `SELECT cards FROM card_names
        WHERE is_whole = +@is_whole AND name = +@name AND spelling = @spelling
          AND game_id = +@game_id`,
    )
    .pluck()
  // Full names follow the printed names of the last game.
  const firstWhole = db
    .prepare<[], number>(
      `SELECT first_place + length(sizes) FROM card_name_games
        ORDER BY first_place DESC LIMIT 1`,
    )
    .pluck()
  let wholeFrom: number | undefined
  const prices = openNamePrices(db)
  const lists = openTrigramLists(db)
  const facts = openCardFacts(db)

  const ofSets = openSetNames(db)

  const inSets = db.prepare<[{ name: string; is_whole: number; sets: string }], CardName>(
    `SELECT cards.id, cards.name
       FROM card_names
       CROSS JOIN json_each(card_names.cards) AS namesake
       CROSS JOIN cards ON cards.id = namesake.value
      WHERE is_whole = +@is_whole AND card_names.name = +@name
        AND set_id IN (SELECT value FROM json_each(+@sets))
      ORDER BY ${BASE_PRICE} DESC, cards.id`,
  )

  const bytesNamed = db
    .prepare<[is_whole: number, name: string], number>(
      `SELECT coalesce(sum(octet_length(cards)), 0) FROM card_names
        WHERE is_whole = +? AND name = ?`,
    )
    .pluck()

  /** Skips names that were rebuilt since the row was read, because their cards are no longer known. */
  function toHits(rows: readonly Row[]): NameHit[] {
    const hits: NameHit[] = []
    for (const row of rows) {
      const topPriced = prices.listTop(row.place)
      if (topPriced.length === 0) continue
      const { place, name, spelling } = row
      let all: readonly number[] | undefined
      const listAll = () => {
        // Stored by names-index.ts as a list of ids.
        all ??= JSON.parse(row.cards ?? cardsOf.get(row) ?? '[]') as number[]
        return all
      }
      hits.push({ place, name, spelling, topPriced, listAll })
    }
    return hits
  }

  const rankOf = ({ place }: Pick<Row, 'place'>) => prices.getRank(place)
  const byRank = (a: Row, b: Row) => rankOf(a) - rankOf(b)

  function findNamed(
    names: readonly string[],
    game: number | undefined,
    is_whole: 0 | 1,
  ): Map<string, NameHit[]> {
    const rows = byName(game).all({ names: JSON.stringify(names), game, is_whole })
    const byBareName = Map.groupBy(rows, ({ name }) => name)
    return new Map(Array.from(byBareName, ([name, same]) => [name, toHits(same.sort(byRank))]))
  }

  /** Sorts places of full names by price. Their ranks are distinct, because no two have the same card. */
  function sortPlaces(places: readonly number[]): number[] {
    // Numbers that begin with the rank and end with the index are sorted without a function, ten times as fast.
    const keys = Float64Array.from(places, (place, index) => {
      return Math.min(prices.getRank(place), RANK_MAX) * PLACES_MAX + index
    })
    return Array.from(keys.sort(), (key) => places[key % PLACES_MAX] ?? 0)
  }

  /** Reads names at places, in their order. */
  function readPlaces(places: readonly number[], game: number | undefined): Row[] {
    return atPlaces(game)
      .all({ places: JSON.stringify(places), game })
      .sort(byRank)
  }

  // Names may be rebuilt between two statements, so each row is checked again.

  /** Returns the first full names at these places that pass, read in small steps because most of them pass. */
  function firstThatPass(
    places: readonly number[],
    game: number | undefined,
    { limit, passes }: { limit: number; passes: (name: string) => boolean },
  ): NameHit[] {
    const rows: Row[] = []
    for (let at = 0, count = LOOKED_AT_FIRST; at < places.length && rows.length < limit; ) {
      for (const row of readPlaces(places.slice(at, at + count), game)) {
        if (row.is_whole === 1 && passes(row.name)) rows.push(row)
      }
      at += count
      count = Math.min(2 * count, LOOKED_AT_MAX)
    }
    return toHits(rows.slice(0, limit))
  }

  return {
    findExact: (names, game) => findNamed(names, game, 1),
    findPrinted: (names, game) => findNamed(names, game, 0),
    findByPrefix(name, limit, game) {
      const begun = game === undefined ? begunInAll : begunInGame
      const found = begun.get({ name, end: name + LAST_CHARACTER, game })
      const places = sortPlaces(JSON.parse(found ?? '[]'))
      return toHits(readPlaces(places.slice(0, limit), game))
    },
    findContaining(name, limit, game) {
      wholeFrom ??= firstWhole.get() ?? 0
      const first = prices.getFirst()
      const indexes = lists.inAll(innerTrigrams(name), wholeFrom)
      const places = sortPlaces(indexes.map((index) => first + index))
      return firstThatPass(places, game, { limit, passes: (one) => one.includes(name) })
    },
    findSimilar(name, faults, game) {
      const errorsByName = new Map<string, number>()
      const places: number[] = []
      // Reads further columns only of names that pass, because most candidates do not.
      for (const one of alike.all(similarNameParameters(name, faults))) {
        const found = weightedEditDistance(name, one.name, faults)
        if (found >= faults + 1) continue
        errorsByName.set(one.name, found)
        places.push(one.place)
      }
      const errorsOf = (row: Row) => errorsByName.get(row.name) ?? 0
      const rows = readPlaces(places, game).filter(({ name: found }) => errorsByName.has(found))
      rows.sort((a, b) => errorsOf(a) - errorsOf(b) || b.is_whole - a.is_whole)
      return toHits(rows)
    },
    invalidate() {
      lists.forget()
      prices.forget()
      facts.forget()
      ofSets.forget()
      wholeFrom = undefined
    },
    findInSets: (name, where, sets) =>
      inSets.all({ name, is_whole: where === 'called' ? 1 : 0, sets: JSON.stringify(sets) }),
    countNamed: (name, kind) =>
      Math.ceil((bytesNamed.get(kind === 'called' ? 1 : 0, name) ?? 0) / ID_BYTES),
    listBySets: ofSets.list,
    getFacts: facts.get,
    sortByPrice: prices.sortByPrice,
    getChoices: prices.getChoices,
  }
}

/** Bytes of an id in a list. */
const ID_BYTES = 8

/** Prepares a statement for all games and one for a single game (`@game`). */
function prepareForGame<Parameters extends object>(db: Db, sql: (inGame: string) => string) {
  type Bound = Parameters & { game: number | undefined }
  const all = db.prepare<[Bound], Row>(sql(''))
  const one = db.prepare<[Bound], Row>(sql('AND game_id = +@game'))
  return (game: number | undefined) => (game === undefined ? all : one)
}

type Row = Pick<CardNameRow, 'place' | 'game_id' | 'name' | 'spelling' | 'is_whole'> & {
  /** Null if they are read later. */
  cards: CardNameRow['cards'] | null
}
const HIT = 'place, game_id, name, spelling, is_whole'

const LOOKED_AT_FIRST = 16
const LOOKED_AT_MAX = 128

/** More names than a catalog has. With the 32 bits of a rank, they are exact in a double. */
const PLACES_MAX = 2 ** 20
const RANK_MAX = 2 ** 32 - 1

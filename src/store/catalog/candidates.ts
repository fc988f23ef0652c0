import { numberKey } from '#rules/catalog/names.ts'
import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import {
  computeTrigrams,
  findSimilarNames,
  type NameRange,
  normalizeName,
} from '#rules/catalog/trigrams.ts'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import { type Db, inSnapshot } from '../db.ts'
import type { CardRow } from './schema/catalog.ts'
import type { CardNameGameRow } from './schema/matching.ts'

/** Restricts a search to a game and to a number of cards. */
export type CandidateLimits = { gameId: number | undefined; limit: number }

/** Cards that a photo may show. Cards that are missing upstream are skipped. */
export type CandidateStore = {
  /** Returns cards by id; ids that are not in the catalog are skipped. */
  getByIds(ids: readonly number[]): CandidateCard[]
  /** Returns the games of cards; ids that are not in the catalog are skipped. */
  getGameIds(ids: readonly number[]): Map<number, number>
  /** Lists cards of the same art group, and unindexed ones with the same name and game. */
  listSiblings(ids: readonly number[]): number[]
  /** Returns the shapes that distinguish collector numbers of the catalog, or of one game, from other printed text. */
  getNumberShapes(gameId: number | undefined): Set<string>
  /**
   * Lists cards with one of these collector numbers, ignoring leading zeros, in the order of the numbers, then newest
   * set first. A number shared by 5,400 of 500,000 cards takes 2 ms, within one game less than 1 ms.
   */
  findByNumbers(numbers: readonly string[], limits: CandidateLimits): number[]
  /** Lists the cards of these sets whose number contains this key (rules/catalog/names.ts), by number. */
  listInSets(sets: readonly number[], key: string): NumberedCard[]
  /**
   * Lists cards whose printed name resembles one of these texts: the most similar name first, then the
   * newest set. Additions of the marketplace to a title are ignored. A text matches at most 50 names.
   *
   * Measured with 500,000 invented cards of 160,000 names: a text takes 2 ms of processor time (99
   * of 100 less than 7 ms), and the index 10 MB of the file.
   *
   * Measured with 123,000 real cards of 42,000 names: with 0, 1, 2, 3 and 4 errors in a name, the card
   * is found for 100, 100, 96, 90 and 84 of 100 names. With eight letters or more it is found for 100,
   * 100, 100, 99 and 97.
   *
   * The same trigrams in memory would take 13 MB and 4 s in each process after each publication. FTS5's
   * trigrams take 4 to 9 MB. With one error they find 98 of 100 names by rank, in 20 to 180 ms. With one
   * of the five rarest trigrams they find 92, and among the first 3,000 with any trigram 16.
   */
  findByNames(names: readonly string[], limits: CandidateLimits): number[]
  /** Lists cards with exactly this printed name, ignoring case, accents and spaces, newest set first. */
  findNamed(name: string, limits: CandidateLimits): number[]
}

/** A card with the number by which its set lists it. */
export type NumberedCard = Pick<CardRow, 'id' | 'name' | 'set_id'> & { number: string }

export function openCandidateStore(db: Db, pictureUrl: PictureUrl): CandidateStore {
  const byIds = db.prepare<[string], Row>(
    `SELECT cards.id, cards.name, clean_name, number, rarity, product_type, cards.image_url,
            set_id, sets.name AS set_name, sets.abbreviation AS set_code, sets.release_date,
            cards.game_id, games.slug AS game_slug, games.name AS game_name, art_group,
            (SELECT json_group_array(printings.name ORDER BY is_base_printing DESC, printings.id)
               FROM prices JOIN printings ON printings.id = printing_id
              WHERE prices.card_id = cards.id AND changed_at > 0) AS printings
       FROM cards
       JOIN sets ON sets.id = cards.set_id
       JOIN games ON games.id = cards.game_id
       LEFT JOIN card_pictures ON card_pictures.card_id = cards.id
      WHERE cards.id IN (SELECT value FROM json_each(+?)) AND cards.missing_since IS NULL
      ORDER BY cards.id`,
  )
  const gameOf = db.prepare<[string], Pick<CardRow, 'id' | 'game_id'>>(
    'SELECT id, game_id FROM cards WHERE id IN (SELECT value FROM json_each(?))',
  )
  const siblingsOf = db
    .prepare<[{ ids: string; limit: number }], number>(
      `WITH wanted AS (SELECT value AS id FROM json_each(@ids)),
            sameArt AS (
              SELECT other.card_id AS id FROM wanted
                JOIN card_pictures AS own ON own.card_id = wanted.id
                JOIN card_pictures AS other ON other.art_group = own.art_group),
            unseen AS (
              SELECT other.id FROM wanted
                JOIN cards AS own ON own.id = wanted.id
                JOIN cards AS other
                  ON other.game_id = own.game_id AND other.clean_name = own.clean_name
                LEFT JOIN card_pictures ON card_pictures.card_id = other.id
               WHERE art_group IS NULL AND other.missing_since IS NULL)
       SELECT id FROM sameArt UNION SELECT id FROM unseen
       EXCEPT SELECT id FROM wanted ORDER BY id LIMIT @limit`,
    )
    .pluck()
  const shapes = db
    .prepare<[number | undefined, number | undefined], string>(
      'SELECT shape FROM number_shapes WHERE +? IS NULL OR game_id = +?',
    )
    .pluck()
  // The index of sets has the keys, so that only the cards with the number are read.
  const inSets = db.prepare<[{ sets: string; key: string }], NumberedCard>(
    `SELECT cards.id, name, number, set_id
       FROM json_each(+@sets) AS wanted CROSS JOIN cards ON set_id = wanted.value
      WHERE instr(number_key, @key) > 0 AND number IS NOT NULL AND missing_since IS NULL
      ORDER BY wanted.key, number_key, cards.id`,
  )
  const named = db
    .prepare<[{ name: string; game: number | undefined; limit: number }], number>(
      `SELECT namesake.value
         FROM card_names CROSS JOIN json_each(card_names.cards) AS namesake
        WHERE is_whole = 0 AND name = +@name AND (+@game IS NULL OR game_id = +@game)
        ORDER BY game_id, namesake.key LIMIT +@limit`,
    )
    .pluck()
  const byNumber = openByNumber(db)
  const byName = openByName(db)

  return {
    getByIds: (ids) => byIds.all(JSON.stringify(ids)).map((row) => toCandidate(row, pictureUrl)),
    getGameIds: (ids) =>
      new Map(gameOf.all(JSON.stringify(ids)).map(({ id, game_id }) => [id, game_id])),
    listSiblings: (ids) => siblingsOf.all({ ids: JSON.stringify(ids), limit: SIBLINGS_MAX }),
    getNumberShapes: (gameId) => new Set(shapes.all(gameId, gameId)),
    findByNumbers: byNumber,
    listInSets: (sets, key) => inSets.all({ sets: JSON.stringify(sets), key }),
    findByNames: byName,
    findNamed: (name, { gameId, limit }) =>
      named.all({ name: normalizeName(name), game: gameId, limit }),
  }
}

function openByNumber(db: Db) {
  const prepare = (filter: string) =>
    db
      .prepare<[{ keys: string; game: number | undefined; limit: number }], number>(
        `SELECT cards.id
           FROM json_each(+@keys) AS wanted
           CROSS JOIN cards ON number_key = wanted.value ${filter}
           CROSS JOIN sets ON sets.id = set_id
          WHERE number_key <> '~' AND cards.missing_since IS NULL
          ORDER BY wanted.key, release_date DESC, cards.id LIMIT +@limit`,
      )
      .pluck()
  const inAll = prepare('')
  const inGame = prepare('AND cards.game_id = +@game')
  return (numbers: readonly string[], { gameId, limit }: CandidateLimits): number[] => {
    const keys = JSON.stringify([...new Set(numbers.map(numberKey))])
    return (gameId === undefined ? inAll : inGame).all({ keys, game: gameId, limit })
  }
}

function openByName(db: Db) {
  type Range = Pick<CardNameGameRow, 'first_place' | 'sizes'>
  const gamesOf = db.prepare<[], Range>(
    'SELECT first_place, sizes FROM card_name_games ORDER BY first_place',
  )
  const gameOf = db.prepare<[number], Range>(
    'SELECT first_place, sizes FROM card_name_games WHERE game_id = ?',
  )
  const placesOf = db
    .prepare<[string], Buffer>(
      `SELECT places FROM card_name_trigrams WHERE trigram IN (SELECT value FROM json_each(+?))`,
    )
    .pluck()
  const cardsAt = db
    .prepare<[number], string>(
      `SELECT cards FROM card_names
        WHERE place = (SELECT first_place FROM card_name_prices) + ?`,
    )
    .pluck()

  function readRange(gameId: number | undefined): NameRange {
    const rows = gameId === undefined ? gamesOf.all() : gameOf.all(gameId)
    return {
      first: rows[0]?.first_place ?? 0,
      sizes: Buffer.concat(rows.map(({ sizes }) => sizes)),
    }
  }

  /** Returns the places of the most similar names, for all texts together. */
  function findPlaces(names: readonly string[], range: NameRange): Set<number> {
    const similar = [...new Set(names.map(normalizeName))].flatMap((name) => {
      const trigrams = computeTrigrams(name)
      const places = placesOf.all(JSON.stringify(trigrams))
      return findSimilarNames(trigrams.length, places, range, NAMES_MAX)
    })
    similar.sort((a, b) => b.similarity - a.similarity || a.index - b.index)
    return new Set(similar.map(({ index }) => index))
  }

  return (names: readonly string[], { gameId, limit }: CandidateLimits): number[] =>
    inSnapshot(db, () => {
      const ids = new Set<number>()
      for (const place of findPlaces(names, readRange(gameId))) {
        // Stored by names-index.ts as a list of ids.
        const cards: number[] = JSON.parse(cardsAt.get(place) ?? '[]')
        for (const id of cards) {
          if (ids.size >= limit) return [...ids]
          ids.add(id)
        }
      }
      return [...ids]
    })
}

/** Maximum number of names that one text matches. */
const NAMES_MAX = 50

/** The most reprinted art of any game has about a hundred cards. */
const SIBLINGS_MAX = 1_000

type Row = Pick<
  CardRow,
  | 'id'
  | 'name'
  | 'clean_name'
  | 'number'
  | 'rarity'
  | 'product_type'
  | 'image_url'
  | 'set_id'
  | 'game_id'
> & {
  set_name: string
  set_code: string | null
  release_date: string | null
  game_slug: string
  game_name: string
  art_group: number | null
  printings: string
}

function toCandidate(row: Row, pictureUrl: PictureUrl): CandidateCard {
  const { set_id, set_name, set_code, game_id, game_slug, game_name, ...card } = row
  return {
    ...card,
    image_url: pictureUrl(row.image_url),
    set: { id: set_id, name: set_name, code: set_code },
    game: { id: game_id, slug: game_slug, name: game_name },
    printings: JSON.parse(row.printings),
  }
}

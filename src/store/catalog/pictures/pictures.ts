import type { Db } from '../../db.ts'
import type { CardPictureRow } from '../schema/photos.ts'

/** Change of a card's picture; readers remove a card without a vector. */
export type PictureChange = { card_id: number; game_id: number; vector: Int8Array | undefined }

/** Queries for the picture index, which reader threads search. */
export type PictureStore = {
  /** Returns a number that grows with each change of the index; 0 while it is empty. */
  getVersion(): number
  /** Lists changes since a version, oldest first, in slices that are read on demand, so that none blocks for long. */
  listChangesSince(since: number): Generator<PictureChange[]>
  /** Returns the hashes of cards that have a vector. */
  getHashes: PictureHashReader
  /** Counts the cards that photos can match by picture. */
  count(): number
}

export function openPictureStore(db: Db): PictureStore {
  const version = db.prepare<[], number | null>('SELECT max(version) FROM card_pictures').pluck()
  const slice = db.prepare<[number, number, number], ChangeRow>(
    `SELECT card_id, game_id, vector, version FROM card_pictures
      WHERE (version, card_id) > (?, ?) ORDER BY version, card_id LIMIT ?`,
  )
  const count = db
    .prepare<[], number>('SELECT count(*) FROM card_pictures WHERE art_group IS NOT NULL')
    .pluck()
  const getVersion = () => version.get() ?? 0
  // Pages poll this, and counting reads an entry of each card.
  let counted = { version: 0, cards: 0 }

  return {
    getVersion,
    *listChangesSince(since) {
      let last = { version: since, card_id: Number.MAX_SAFE_INTEGER }
      for (;;) {
        const rows = slice.all(last.version, last.card_id, SLICE_ROWS)
        const end = rows.at(-1)
        if (end === undefined) return
        yield rows.map(({ card_id, game_id, vector }) => ({
          card_id,
          game_id,
          vector: vector === null ? undefined : new Int8Array(vector),
        }))
        last = end
      }
    },
    getHashes: openPictureHashes(db),
    count() {
      const current = getVersion()
      if (counted.version !== current) counted = { version: current, cards: count.get() ?? 0 }
      return counted.cards
    },
  }
}

export type PictureVectors = Omit<PictureStore, 'count'>

/** Takes a few milliseconds to read. */
const SLICE_ROWS = 1_000

type ChangeRow = Pick<CardPictureRow, 'card_id' | 'game_id' | 'vector' | 'version'>

/** Returns hashes by card id. */
export type PictureHashReader = (cardIds: readonly number[]) => Map<number, Uint8Array>

/** Prepares the 1,024-bit hashes of cards that have a vector. */
export function openPictureHashes(db: Db): PictureHashReader {
  const hashes = db.prepare<[string], Pick<CardPictureRow, 'card_id'> & { hash: Buffer }>(
    `SELECT card_id, hash FROM card_pictures
      WHERE card_id IN (SELECT value FROM json_each(?))
        AND vector IS NOT NULL AND hash IS NOT NULL`,
  )
  return (cardIds) =>
    new Map(
      hashes
        .all(JSON.stringify(cardIds))
        .map(({ card_id, hash }) => [card_id, new Uint8Array(hash)]),
    )
}

/** Number of cards with a picture, and number of tried pictures. */
export type PictureCoverage = { cards: number; tried: number }

/** Pictures that were tried with success lately, and when. Times are null without any. */
export type PicturePace = { count: number; first_at: string | null; last_at: string | null }

/** Opens the pace of the picture index, from at most 300 pictures since a time. */
export function openPicturePace(db: Db): (since: Date) => PicturePace {
  const pace = db.prepare<[string], PicturePace>(
    `SELECT count(*) AS count, min(updated_at) AS first_at, max(updated_at) AS last_at
       FROM (SELECT updated_at, status FROM card_pictures ORDER BY version DESC, card_id DESC LIMIT 300)
      WHERE updated_at > ? AND status <> 'failed'`,
  )
  return (since) => pace.get(since.toISOString()) ?? { count: 0, first_at: null, last_at: null }
}

/** Opens the coverage of the picture index; undefined for photo workers, whose copy of the index has no catalog. */
export function openPictureCoverage(db: Db): () => PictureCoverage {
  const tried = db.prepare<[], number>('SELECT count(*) FROM card_pictures').pluck()
  const cards = db
    .prepare<[], number>(
      'SELECT count(*) FROM cards WHERE image_url IS NOT NULL AND missing_since IS NULL',
    )
    .pluck()
  const published = db.prepare<[], number>('SELECT version FROM publication').pluck()
  // Counting cards reads all of them.
  let counted: { version: number | undefined; cards: number } | undefined

  return () => {
    const version = published.get()
    if (counted === undefined || counted.version !== version) {
      counted = { version, cards: cards.get() ?? 0 }
    }
    return { cards: counted.cards, tried: tried.get() ?? 0 }
  }
}

/** Picture URLs as the upstream lists them: null without a picture, undefined without a row. */
export type PictureUrlStore = {
  /** Returns a card's picture URL. */
  getForCard(id: number): string | null | undefined
  /** Returns a set's picture URL. */
  getForSet(id: number): string | null | undefined
  /** Returns a game's picture URL. */
  getForGame(slug: string): string | null | undefined
}

export function openPictureUrlStore(db: Db): PictureUrlStore {
  const ofCard = db.prepare<[number], string | null>('SELECT image_url FROM cards WHERE id = ?')
  const ofSet = db.prepare<[number], string | null>('SELECT image_url FROM sets WHERE id = ?')
  const ofGame = db.prepare<[string], string | null>('SELECT image_url FROM games WHERE slug = ?')
  for (const statement of [ofCard, ofSet, ofGame]) statement.pluck()

  return {
    getForCard: (id) => ofCard.get(id),
    getForSet: (id) => ofSet.get(id),
    getForGame: (slug) => ofGame.get(slug),
  }
}

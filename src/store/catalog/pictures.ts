import type { Db } from '../db.ts'

/** What changed of one card's picture; a card without a vector is to be forgotten. */
export type PictureChange = { card_id: number; game_id: number; vector: Int8Array | undefined }

/** Questions about the cards' pictures: what the reader's threads search in. */
export function openPictureStore(db: Db) {
  const version = db.prepare<[], number | null>('SELECT max(version) FROM card_pictures').pluck()
  const slice = db.prepare<[number, number, number], ChangeRow>(
    `SELECT card_id, game_id, vector, version FROM card_pictures
      WHERE (version, card_id) > (?, ?) ORDER BY version, card_id LIMIT ?`,
  )
  const count = db
    .prepare<[], number>('SELECT count(*) FROM card_pictures WHERE art_group IS NOT NULL')
    .pluck()

  return {
    /** Grows with each change of the pictures; 0 while there are none. */
    getVersion: () => version.get() ?? 0,
    /**
     * What changed since a version, oldest first, in slices that are read as they are asked for: no
     * slice holds the event loop for long. What changes meanwhile comes in the last ones.
     */
    *listChangesSince(since: number): Generator<PictureChange[]> {
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
    /** How many cards a photo can be found by. */
    count: () => count.get() ?? 0,
  }
}

export type PictureVectors = Omit<ReturnType<typeof openPictureStore>, 'count'>

/** Read in a few milliseconds. */
const SLICE_ROWS = 1_000

type ChangeRow = { card_id: number; game_id: number; vector: Buffer | null; version: number }

/** The 1,024-bit hashes of those of the cards that have a vector. */
export function openPictureHashes(db: Db) {
  const hashes = db.prepare<[string], { card_id: number; hash: Buffer }>(
    `SELECT card_id, hash FROM card_pictures
      WHERE card_id IN (SELECT value FROM json_each(?)) AND vector IS NOT NULL`,
  )
  return (cardIds: readonly number[]): Map<number, Uint8Array> =>
    new Map(
      hashes
        .all(JSON.stringify(cardIds))
        .map(({ card_id, hash }) => [card_id, new Uint8Array(hash)]),
    )
}

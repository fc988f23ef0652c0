import type { PictureSlice } from '../worker/protocol.ts'
import { VECTOR_LENGTH } from './vector-store.ts'

/** The catalog's pictures, as the reader asks for them. */
export type VectorSource = {
  /** Grows with each change of the pictures. */
  getVersion(): number
  /**
   * Changes since a version, in slices of at most 4,000 rows, so that no slice holds the event loop for
   * long. A removed card has no vector.
   */
  listChangesSince(version: number): Iterable<readonly PictureRow[]>
  /** The 1,024-bit hashes (128 bytes) of those of the cards that have one. */
  getHashes(cardIds: readonly number[]): Map<number, Uint8Array>
}

type PictureRow = { card_id: number; game_id: number; vector: Int8Array | undefined }

/**
 * Tells one thread of the pictures, and at each later call of what has changed.
 *
 * @param send settles when the slice is taken: the event loop turns before the next one is read
 */
export function createIndexUpdater(
  pictures: Pick<VectorSource, 'getVersion' | 'listChangesSince'>,
  send: (slice: PictureSlice) => Promise<void>,
) {
  // Whatever the first version is, it is greater.
  let sent = -1

  return async function sendChanges(): Promise<void> {
    // Told before the rows are read: what changes meanwhile is sent again, never missed.
    const version = pictures.getVersion()
    if (version === sent) return
    for (const rows of pictures.listChangesSince(sent)) await send(packed(rows))
    sent = version
  }
}

function packed(rows: readonly PictureRow[]): PictureSlice {
  const removed = rows.flatMap(({ card_id, vector }) => (vector === undefined ? [card_id] : []))
  const count = rows.length - removed.length
  const vectors = new Int8Array(count * VECTOR_LENGTH)
  const cardIds = new Int32Array(count)
  const gameIds = new Int32Array(count)
  let at = 0
  for (const { card_id, game_id, vector } of rows) {
    if (vector === undefined) continue
    cardIds[at] = card_id
    gameIds[at] = game_id
    vectors.set(vector, at * VECTOR_LENGTH)
    at++
  }
  return { cardIds, gameIds, vectors, removed: Int32Array.from(removed) }
}

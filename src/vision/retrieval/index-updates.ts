import type { PictureSlice } from '../worker/protocol.ts'
import { VECTOR_LENGTH } from './vector-store.ts'

/** Vectors and hashes of the catalog pictures. */
export type VectorSource = {
  /** Returns a version that grows with each change. */
  getVersion(): number
  /**
   * Returns the changes since a version, in slices of at most 4,000 rows, so that no slice blocks the event
   * loop. A removed card has no vector.
   */
  listChangesSince(version: number): Iterable<readonly PictureRow[]>
  /** Returns the 1,024-bit hashes (128 bytes) of the cards that have one. */
  getHashes(cardIds: readonly number[]): Map<number, Uint8Array>
}

type PictureRow = { card_id: number; game_id: number; vector: Int8Array | undefined }

/**
 * Returns a function that sends all pictures on its first call, and the changes on later calls.
 *
 * @param send settles when the slice is indexed, so that the event loop runs between slices
 */
export function createIndexUpdater(
  pictures: Pick<VectorSource, 'getVersion' | 'listChangesSince'>,
  send: (slice: PictureSlice) => Promise<void>,
): () => Promise<void> {
  // Lower than any version.
  let sent = -1

  return async function sendChanges(): Promise<void> {
    // Read before the rows, so that concurrent changes are sent twice rather than missed.
    const version = pictures.getVersion()
    if (version === sent) return
    for (const rows of pictures.listChangesSince(sent)) await send(packSlice(rows))
    sent = version
  }
}

function packSlice(rows: readonly PictureRow[]): PictureSlice {
  const removed = rows.flatMap(({ card_id, vector }) => (vector === undefined ? [card_id] : []))
  const count = rows.length - removed.length
  const vectors = new Int8Array(count * VECTOR_LENGTH)
  const cardIds = new Int32Array(count)
  const gameIds = new Int32Array(count)
  let index = 0
  for (const { card_id, game_id, vector } of rows) {
    if (vector === undefined) continue
    cardIds[index] = card_id
    gameIds[index] = game_id
    vectors.set(vector, index * VECTOR_LENGTH)
    index++
  }
  return { cardIds, gameIds, vectors, removed: Int32Array.from(removed) }
}

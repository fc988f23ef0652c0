// The words that pass between the main thread and one that reads photos. Whoever sends bytes gives
// them away: they are moved, not copied.

import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { ErrorCode } from '#rules/primitives/errors.ts'

/** Changes of the pictures, in few pieces of memory: thousands of small ones take long to send. */
export type PictureSlice = {
  cardIds: Int32Array<ArrayBuffer>
  gameIds: Int32Array<ArrayBuffer>
  /** 128 bytes for each of the cards. */
  vectors: Int8Array<ArrayBuffer>
  /** Cards that have no vector any more. */
  removed: Int32Array<ArrayBuffer>
}

/** What the main thread says. */
export type WorkerRequest =
  /** Changed pictures; answered with `took`. */
  | { kind: 'pictures'; slice: PictureSlice }
  /** All pictures of the moment were sent; answered with `ready` once photos can be read. */
  | { kind: 'complete' }
  /** Read this; answered with `read` or `refused`. The next one comes after the answer. */
  | { kind: 'photo'; photo: Uint8Array; gameId: number | undefined }
  /** What `hashes` asked for. */
  | { kind: 'hashes'; hashes: Map<number, Uint8Array> }

/** What the reading thread says. */
export type WorkerResponse =
  /** The slice is in; so many pictures are there now. */
  | { kind: 'took'; pictures: number }
  | { kind: 'ready' }
  | { kind: 'read'; reading: PhotoObservation }
  /** The photo cannot be read, and no other thread could. */
  | { kind: 'refused'; code: ErrorCode; message: string }
  /** The hashes of these cards are needed to go on. */
  | { kind: 'hashes'; cardIds: number[] }
  /** Something that nobody foresaw: the thread is not to be trusted any more. */
  | { kind: 'broken'; reason: string }

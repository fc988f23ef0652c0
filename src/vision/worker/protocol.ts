// Worker protocol. Buffers are transferred, not copied.
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { ErrorCode } from '#rules/primitives/errors.ts'

/** Changes of the index, in a few large buffers: sending thousands of small ones is slow. */
export type PictureSlice = {
  cardIds: Int32Array<ArrayBuffer>
  gameIds: Int32Array<ArrayBuffer>
  /** 128 bytes for each card. */
  vectors: Int8Array<ArrayBuffer>
  /** Cards that no longer have a vector. */
  removed: Int32Array<ArrayBuffer>
}

export type WorkerRequest =
  /** Adds changed pictures. Response: `indexed`. */
  | { kind: 'pictures'; slice: PictureSlice }
  /** Marks the end of the initial pictures. Response: `ready`, once photos can be read. */
  | { kind: 'loaded' }
  /** Reads a photo. Response: `read` or `refused`. Sent only after the response to the previous photo. */
  | { kind: 'photo'; photo: Uint8Array; gameId: number | undefined }
  /** Answers a `hashes` response. */
  | { kind: 'hashes'; hashes: Map<number, Uint8Array> }

export type WorkerResponse =
  /** A slice is indexed. `pictures` is the total number of pictures. */
  | { kind: 'indexed'; pictures: number }
  | { kind: 'ready' }
  | { kind: 'read'; observation: PhotoObservation }
  /** The photo is invalid. A retry would fail, too. */
  | { kind: 'refused'; code: ErrorCode; message: string; isDamaged: boolean }
  /** Requests the hashes of these cards. */
  | { kind: 'hashes'; cardIds: number[] }
  /** Reports an unexpected error, after which the thread must be replaced. */
  | { kind: 'crashed'; reason: string }

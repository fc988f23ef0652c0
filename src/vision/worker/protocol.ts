// Worker protocol. Buffers are transferred, not copied.
import type { CardPlacement, PageCut } from '#rules/photos/page-cut.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { ErrorCode } from '#rules/primitives/errors.ts'
import type { PackedReferences } from '../retrieval/reference-source.ts'

/** Changes of the index, in a few large buffers: sending thousands of small ones is slow. */
export type PictureSlice = {
  cardIds: Int32Array<ArrayBuffer>
  gameIds: Int32Array<ArrayBuffer>
  /** 128 bytes for each card. */
  vectors: Int8Array<ArrayBuffer>
  /** Cards that no longer have a vector. */
  removed: Int32Array<ArrayBuffer>
}

/** Work on a photo: reads one card, whose place may be known, or cuts a page into photos of one card. */
export type ReaderTask = { photo: Uint8Array; gameId: number | undefined } & (
  | { task: 'read'; placement: CardPlacement | undefined }
  | { task: 'cut' }
)

/** Result of a task. */
export type ReaderResult =
  | { kind: 'read'; observation: PhotoObservation }
  | { kind: 'cut'; cut: PageCut }

export type WorkerRequest =
  /** Adds changed pictures. Response: `indexed`. */
  | { kind: 'pictures'; slice: PictureSlice }
  /** Replaces all references. No response. */
  | { kind: 'references'; references: PackedReferences }
  /** Marks the end of the initial pictures. Response: `ready`, once photos can be read. */
  | { kind: 'loaded' }
  /** Reads or cuts a photo. Response: `read`, `cut` or `refused`. Sent only after the response to the previous photo. */
  | ({ kind: 'photo' } & ReaderTask)
  /** Answers a `hashes` response. */
  | { kind: 'hashes'; hashes: Map<number, Uint8Array> }

export type WorkerResponse =
  /** A slice has been indexed. `pictures` is the total number of pictures. */
  | { kind: 'indexed'; pictures: number }
  | { kind: 'ready' }
  | ReaderResult
  /** The photo is invalid. A retry would fail, too. */
  | { kind: 'refused'; code: ErrorCode; message: string; isDamaged: boolean }
  /** Requests the hashes of these cards. */
  | { kind: 'hashes'; cardIds: number[] }
  /** Reports an unexpected error, after which the thread must be replaced. */
  | { kind: 'crashed'; reason: string }

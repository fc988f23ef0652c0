import type { LearnedReference } from '#rules/photos/picture-index/learned-references.ts'
import { VECTOR_LENGTH } from './vector-store.ts'

/** The references in use. */
export type ReferenceSource = {
  /** Returns a number that changes with the references. */
  getVersion(): number
  listReferences(): readonly LearnedReference[]
}

/** The references of a reader without any. */
export const NO_REFERENCES: ReferenceSource = { getVersion: () => 0, listReferences: () => [] }

/** References in a few buffers. */
export type PackedReferences = {
  cardIds: Int32Array<ArrayBuffer>
  gameIds: Int32Array<ArrayBuffer>
  givers: Int32Array<ArrayBuffer>
  /** 128 bytes for each reference, as in `hashes`. */
  vectors: Int8Array<ArrayBuffer>
  hashes: Uint8Array<ArrayBuffer>
}

export function packReferences(references: readonly LearnedReference[]): PackedReferences {
  const vectors = new Int8Array(references.length * VECTOR_LENGTH)
  const hashes = new Uint8Array(references.length * VECTOR_LENGTH)
  for (const [index, { vector, hash }] of references.entries()) {
    vectors.set(vector, index * VECTOR_LENGTH)
    hashes.set(hash, index * VECTOR_LENGTH)
  }
  return {
    cardIds: Int32Array.from(references, ({ card_id }) => card_id),
    gameIds: Int32Array.from(references, ({ game_id }) => game_id),
    givers: Int32Array.from(references, ({ giver }) => giver),
    vectors,
    hashes,
  }
}

export function unpackReferences(packed: PackedReferences): LearnedReference[] {
  const { cardIds, gameIds, givers, vectors, hashes } = packed
  return Array.from(cardIds, (card_id, index) => {
    const [start, end] = [index * VECTOR_LENGTH, (index + 1) * VECTOR_LENGTH]
    const game_id = gameIds[index] ?? 0
    return {
      card_id,
      game_id,
      giver: givers[index] ?? 0,
      vector: vectors.subarray(start, end),
      hash: hashes.subarray(start, end),
    }
  })
}

/** Returns a function that sends all references on its first call, and again after each change. */
export function createReferenceUpdater(
  source: ReferenceSource,
  send: (references: PackedReferences) => void,
): () => void {
  let sent: number | undefined

  return function sendReferences(): void {
    const version = source.getVersion()
    if (version === sent) return
    send(packReferences(source.listReferences()))
    sent = version
  }
}

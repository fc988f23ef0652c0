import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { observeFinish } from '../detect/finish.ts'
import { readUpright } from '../ocr/read-text.ts'
import type { Pipeline } from '../pipeline.ts'
import { findNearest, rerankByHash, rerankIds } from '../retrieval/rerank.ts'
import { createVectorSearch } from '../retrieval/vector-search.ts'
import { VECTOR_LENGTH } from '../retrieval/vector-store.ts'
import type { PictureSlice, WorkerRequest, WorkerResponse } from './protocol.ts'

declare const self: {
  onmessage: (event: { data: WorkerRequest }) => void
  postMessage: (word: WorkerResponse) => void
}

/**
 * The life of a thread that reads photos: it opens its eye once, keeps the catalog's pictures, and
 * reads one photo after another.
 */
export function serveReader(openEye: () => Promise<Pipeline>): void {
  const nearest = createVectorSearch()
  const opening = openEye()
  let takeHashes: (hashes: Map<number, Uint8Array>) => void = () => {}

  const say = (word: WorkerResponse) => self.postMessage(word)

  function askHashes(cardIds: number[]): Promise<Map<number, Uint8Array>> {
    return new Promise((resolve) => {
      takeHashes = resolve
      say({ kind: 'hashes', cardIds })
    })
  }

  async function read(photo: Uint8Array, gameId: number | undefined): Promise<PhotoObservation> {
    const pipeline = await opening
    const sight = await pipeline.run(photo)
    const found = findNearest(nearest, sight, gameId)
    const hashes = found.length === 0 ? new Map() : await askHashes(rerankIds(found))
    const { kind, items, quality } = sight
    const lines = readUpright(sight, found)
    const surface = observeFinish(sight, found)
    return {
      kind,
      items,
      quality,
      finish: surface,
      lines,
      neighbors: rerankByHash(found, sight, hashes),
    }
  }

  async function obey(order: WorkerRequest): Promise<void> {
    switch (order.kind) {
      case 'pictures':
        take(order.slice)
        say({ kind: 'took', pictures: nearest.count() })
        break
      case 'complete':
        await opening
        say({ kind: 'ready' })
        break
      case 'photo':
        say({ kind: 'read', reading: await read(order.photo, order.gameId) })
        break
      case 'hashes':
        takeHashes(order.hashes)
    }
  }

  function take({ cardIds, gameIds, vectors, removed }: PictureSlice): void {
    for (const [index, cardId] of cardIds.entries()) {
      const at = index * VECTOR_LENGTH
      nearest.put(cardId, gameIds[index] ?? 0, vectors.subarray(at, at + VECTOR_LENGTH))
    }
    for (const cardId of removed) nearest.remove(cardId)
  }

  const fail = (error: unknown) =>
    say(
      error instanceof ServiceError
        ? { kind: 'refused', code: error.code, message: error.message }
        : { kind: 'broken', reason: reasonOf(error) },
    )

  // Told at once, not when the first photo comes.
  opening.catch((error) => say({ kind: 'broken', reason: reasonOf(error) }))
  self.onmessage = ({ data: order }) => void obey(order).catch(fail)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

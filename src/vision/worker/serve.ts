import type { CardPlacement, PageCut } from '#rules/photos/page-cut.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { observeFinish } from '../detect/finish.ts'
import { readBelieved } from '../ocr/read-believed.ts'
import type { VisionPipeline } from '../pipeline.ts'
import { embedderVersion } from '../retrieval/embedder-version.ts'
import { createLearnedSearch } from '../retrieval/learned-search.ts'
import { findPicture } from '../retrieval/look-again.ts'
import { measureResemblance, settleBack } from '../retrieval/match-pictures.ts'
import { unpackReferences } from '../retrieval/reference-source.ts'
import { isPictureCertain } from '../retrieval/rerank.ts'
import { rememberVectors, takeFingerprint } from '../retrieval/take-fingerprint.ts'
import { createVectorSearch } from '../retrieval/vector-search.ts'
import { VECTOR_LENGTH } from '../retrieval/vector-store.ts'
import { freeMemory } from '../runtime/free-memory.ts'
import { lowerThreadPriority } from '../runtime/thread-priority.ts'
import type {
  PictureSlice,
  ReaderResult,
  ReaderTask,
  WorkerRequest,
  WorkerResponse,
} from './protocol.ts'

declare const self: {
  onmessage: (event: { data: WorkerRequest }) => void
  postMessage: (response: WorkerResponse) => void
}

/** Cards of pages after which memory is freed; other tasks leave as much each. */
const CARDS_PER_COLLECTION = 4

const NO_PICTURES = { hits: [], neighbors: [], isMirrored: false }

/** Runs a reader thread: loads the pipeline once, keeps the vectors, and reads one photo at a time. */
export function serveReader(loadPipeline: () => Promise<VisionPipeline>): void {
  lowerThreadPriority()
  const pictures = createVectorSearch()
  const search = createLearnedSearch(pictures)
  const embedder = embedderVersion()
  const loading = loadPipeline()
  let resolveHashes: (hashes: Map<number, Uint8Array>) => void = () => {}

  const post = (response: WorkerResponse) => self.postMessage(response)

  function requestHashes(cardIds: number[]): Promise<Map<number, Uint8Array>> {
    return new Promise((resolve) => {
      resolveHashes = resolve
      post({ kind: 'hashes', cardIds })
    })
  }

  async function read(
    photo: Uint8Array,
    gameId: number | undefined,
    placement: CardPlacement | undefined,
  ): Promise<PhotoObservation> {
    const pipeline = await loading
    const seen = rememberVectors(await pipeline.run(photo, placement))
    const { card: found, match } = await findPicture(search, seen, gameId, requestHashes)
    const settled = settleBack(found, match)
    const ofCertain = placement === undefined ? 'certain' : 'brief'
    const detail = isPictureCertain(settled.neighbors) ? ofCertain : 'all'
    const { card, lines } = readBelieved(settled, detail)
    // Pictures that resemble corners that are not believed say nothing about the card.
    const { hits, neighbors, isMirrored } = card === settled.card ? settled : NO_PICTURES
    const { photo: size, kind, items, quality } = card
    // Other looks guess at corners, or compare a part of the card.
    const isWhole =
      found === seen &&
      card === settled.card &&
      card.orientations > 0 &&
      !isMirrored &&
      placement?.isCovered !== true
    return {
      photo: size,
      isMirrored,
      kind,
      items,
      quality,
      lines,
      finish: observeFinish(card, hits),
      neighbors,
      fingerprint: isWhole ? takeFingerprint(card, { hits, neighbors }, embedder) : undefined,
    }
  }

  async function cut(photo: Uint8Array, gameId: number | undefined): Promise<PageCut> {
    const pipeline = await loading
    return pipeline.cut(photo, (vector) => measureResemblance(search, vector, gameId))
  }

  async function work(task: ReaderTask): Promise<ReaderResult> {
    return task.task === 'cut'
      ? { kind: 'cut', cut: await cut(task.photo, task.gameId) }
      : { kind: 'read', observation: await read(task.photo, task.gameId, task.placement) }
  }

  let cardsSinceCollection = 0
  /** Resolves when the memory of the latest photo is freed. */
  let freed: Promise<void> = Promise.resolve()

  /**
   * Frees the memory of the latest photo, after its response. Runs in the next turn of the event loop, because the stack
   * of this one still refers to the pixels.
   */
  async function freePhoto(task: ReaderTask): Promise<void> {
    const isCardOfPage = task.task === 'read' && task.placement !== undefined
    cardsSinceCollection += isCardOfPage ? 1 : CARDS_PER_COLLECTION
    if (cardsSinceCollection < CARDS_PER_COLLECTION) return
    cardsSinceCollection = 0
    await new Promise((resolve) => setImmediate(resolve))
    freeMemory()
  }

  async function onCommand(request: WorkerRequest): Promise<void> {
    switch (request.kind) {
      case 'pictures':
        index(request.slice)
        post({ kind: 'indexed', pictures: pictures.count() })
        break
      case 'references':
        search.setReferences(unpackReferences(request.references))
        break
      case 'loaded':
        await loading
        post({ kind: 'ready' })
        break
      case 'photo':
        await freed
        post(await work(request))
        freed = freePhoto(request)
        break
      case 'hashes':
        resolveHashes(request.hashes)
    }
  }

  function index({ cardIds, gameIds, vectors, removed }: PictureSlice): void {
    for (const [row, cardId] of cardIds.entries()) {
      const offset = row * VECTOR_LENGTH
      search.put(cardId, gameIds[row] ?? 0, vectors.subarray(offset, offset + VECTOR_LENGTH))
    }
    for (const cardId of removed) search.remove(cardId)
  }

  const fail = (error: unknown) =>
    post(
      error instanceof ServiceError
        ? {
            kind: 'refused',
            code: error.code,
            message: error.message,
            isDamaged: error instanceof DamagedPhoto,
          }
        : { kind: 'crashed', reason: reasonOf(error) },
    )

  // Reports a failure to load immediately, not with the first photo.
  loading.catch((error) => post({ kind: 'crashed', reason: reasonOf(error) }))
  self.onmessage = ({ data: request }) => void onCommand(request).catch(fail)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

import type { Log } from '#log.ts'
import type { CardPictures, PictureResult } from '#outbound/marketplace/pictures.ts'
import {
  hammingDistance,
  type IndexedPicture,
  nextFetchAt,
  SAME_ART,
} from '#rules/photos/art-groups.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type {
  PictureCheck,
  PictureQueueQuery,
  PictureWriter,
  QueuedPicture,
} from '#store/catalog/pictures/picture-writer.ts'
import { createVectorSearch, type VectorSearch } from '#vision/retrieval/vector-search.ts'

export type IndexDeps = {
  index: PictureWriter
  pictures: Pick<CardPictures, 'fetch'>
  /** Loads the networks; called when there is a picture to index. */
  loadEmbedder: () => Promise<PictureEmbedder>
  /** Version of the networks. */
  model: string
  /** Lists the sets whose pictures people need first. */
  listFirstSets: () => Promise<readonly number[]>
  log: Log
  now: () => Date
}

/** Part of the vision pipeline that the index needs. */
export type PictureEmbedder = {
  fingerprint(image: Uint8Array): Promise<IndexedPicture>
  close(): void
}

export type IndexRequest = {
  /** Only this game, by slug. */
  game?: string
  onProgress?: (progress: { done: number; total: number }) => void
}

export type IndexReport = {
  /** `incomplete`: the image host no longer responds; the next run continues. */
  outcome: 'complete' | 'incomplete'
  indexed: number
  placeholders: number
  unchanged: number
  missing: number
  failed: number
  removed: number
}

/**
 * Updates the picture index card by card: fetches new pictures, computes their vectors and hashes, and
 * groups cards with the same art. A run that is killed leaves complete cards, and the next run continues. Photos of
 * cards change what is needed first, and a sync may add cards during a long run, so the queue is listed again and again.
 *
 * @throws ServiceError NOT_FOUND for a game that is not in the catalog
 */
export async function buildPictureIndex(
  deps: IndexDeps,
  request: IndexRequest,
): Promise<IndexReport> {
  const { index, model, listFirstSets, now } = deps
  if (request.game !== undefined && !index.hasGame(request.game)) {
    const message = `No game has the slug "${request.game}". GET /v1/games lists them.`
    throw new ServiceError('NOT_FOUND', message)
  }
  const counts = { indexed: 0, placeholders: 0, unchanged: 0, missing: 0, failed: 0, removed: 0 }
  const report: IndexReport = { outcome: 'complete', ...counts }
  report.removed = index.removeOtherModels(model, now()) + index.removeVanished(now())
  let run: Run | undefined
  try {
    for (;;) {
      const query = { model, game: request.game, now: now() }
      const ids = index.listDue(query, await listFirstSets())
      if (ids.length === 0 || report.outcome === 'incomplete') return report
      run ??= {
        ...deps,
        report,
        embedder: await deps.loadEmbedder(),
        nearest: createVectorSearch(),
        games: new Set<number>(),
        done: 0,
      }
      await indexSome(run, query, ids, request)
    }
  } finally {
    run?.embedder.close()
  }
}

/** Indexes the first pictures of the queue. Fetches the next pictures while one is processed. */
async function indexSome(
  run: Run,
  query: PictureQueueQuery,
  ids: readonly number[],
  { onProgress }: IndexRequest,
): Promise<void> {
  const queue = ids.slice(0, ROUND).values()
  const total = run.done + ids.length
  // Number of consecutive pictures whose host did not respond.
  let unreachable = 0
  let isStopped = false
  const runWorker = async () => {
    for (const id of queue) {
      const task = run.index.getDue(id, query)
      const result = task && (await indexPicture(run, task).catch(stop))
      unreachable = result === 'unreachable' ? unreachable + 1 : 0
      if (unreachable >= UNREACHABLE_MAX) run.report.outcome = 'incomplete'
      if (isStopped || run.report.outcome === 'incomplete') return
      onProgress?.({ done: ++run.done, total })
    }
  }
  const stop = (error: unknown) => {
    isStopped = true
    throw error
  }
  // Wait for all workers before the networks are closed.
  const ends = await Promise.allSettled(Array.from({ length: WORKERS }, runWorker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

type Run = IndexDeps & {
  embedder: PictureEmbedder
  report: IndexReport
  /** Vectors of the games in `games`. */
  nearest: VectorSearch
  games: Set<number>
  /** Number of pictures that were tried. */
  done: number
}

async function indexPicture(run: Run, task: QueuedPicture): Promise<PictureResult['status']> {
  const { index, report, log } = run
  const { card_id, game_id, image_url } = task
  const fetched = await run.pictures.fetch(image_url, task.etag)
  const taken: PictureCheck = { card_id, game_id, image_url, model: run.model, now: run.now() }
  if (fetched.status === 'unchanged') {
    index.putUnchanged(taken, nextFetchAt(taken.now, 0))
    report.unchanged++
    return 'unchanged'
  }
  const picture = fetched.status === 'fresh' ? await decodePicture(run, fetched) : fetched.why
  if (typeof picture !== 'string') {
    storePicture(run, taken, picture)
    return 'fresh'
  }
  const status = fetched.status === 'missing' ? 'missing' : 'failed'
  const tries = task.tries + 1
  index.putFailure(taken, { status, tries, next_try_at: nextFetchAt(taken.now, tries) })
  report[status]++
  log.debug('failed to index picture', { card_id, image_url, why: picture })
  return fetched.status
}

/** @returns the reason if the picture cannot be decoded */
async function decodePicture(
  { embedder }: Run,
  { bytes, etag }: PictureResult & { status: 'fresh' },
): Promise<(IndexedPicture & { etag: string | null }) | string> {
  try {
    return { ...(await embedder.fingerprint(bytes)), etag }
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

function storePicture(
  run: Run,
  check: PictureCheck,
  picture: IndexedPicture & { etag: string | null },
): void {
  const { index, nearest, report } = run
  const siblings = findSiblings(run, check, picture)
  nearest.put(check.card_id, check.game_id, picture.vector)
  const placeholders = index.put(check, picture, siblings, nextFetchAt(check.now, 0))
  for (const id of placeholders) nearest.remove(id)
  if (placeholders.length === 0) report.indexed++
  else report.placeholders++
}

/** Finds the cards of the game with the same art. */
function findSiblings(
  run: Run,
  { card_id, game_id }: PictureCheck,
  { vector, hash }: IndexedPicture,
): number[] {
  const { index, nearest, games } = run
  if (!games.has(game_id)) {
    for (const row of index.listVectors(game_id)) nearest.put(row.card_id, game_id, row.vector)
    games.add(game_id)
  }
  const near = nearest
    .search([vector], { gameId: game_id, limit: SIBLINGS_MAX })
    .filter((found) => found.cosine > SAME_ART.cosineMin && found.card_id !== card_id)
    .map((found) => found.card_id)
  return [...index.getHashes(near)]
    .filter(([, other]) => hammingDistance(other, hash) < SAME_ART.distanceBelow)
    .map(([id]) => id)
}

/** A card joins the whole group of each similar card, so a few nearest ones suffice. */
const SIBLINGS_MAX = 100

/** Pictures until the queue is listed again: a few minutes. */
const ROUND = 1_000

/** Four fetches at once, and one picture being processed. */
const WORKERS = 5

/** After this many consecutive failures, the host is considered down. */
const UNREACHABLE_MAX = 12

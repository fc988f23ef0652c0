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
} from '#store/catalog/picture-writer.ts'
import { createVectorSearch, type VectorSearch } from '#vision/retrieval/vector-search.ts'

export type IndexDeps = {
  index: PictureWriter
  pictures: Pick<CardPictures, 'fetch'>
  /** Loads the networks; asked for once there is something to look at. */
  loadEmbedder: () => Promise<PictureEmbedder>
  /** Which networks these are. */
  model: string
  log: Log
  now: () => Date
}

/** What the index needs of the eye (vision/pipeline.ts). */
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
  /** `incomplete`: the pictures' host could not be reached any more; the next run goes on. */
  outcome: 'complete' | 'incomplete'
  indexed: number
  placeholders: number
  unchanged: number
  missing: number
  failed: number
  removed: number
}

/**
 * Brings the index of pictures up to date: asks for each picture that is new, makes what it is found
 * by, finds what shows the same art, and writes it down card by card. A run that ends at any moment,
 * or is killed, leaves whole cards behind, and the next one goes on with the others.
 *
 * @throws ServiceError NOT_FOUND for a game that is not in the catalog
 */
export async function buildPictureIndex(
  deps: IndexDeps,
  request: IndexRequest,
): Promise<IndexReport> {
  const { index, model, now } = deps
  if (request.game !== undefined && !index.hasGame(request.game)) {
    throw new ServiceError('NOT_FOUND', `No game has the slug "${request.game}".`)
  }
  const report = emptyReport()
  report.removed = index.removeOtherModels(model, now()) + index.removeVanished(now())
  let run: Run | undefined
  try {
    // A sync may bring new cards while a long run goes on.
    for (;;) {
      const asked = { model, game: request.game, now: now() }
      const ids = index.listDue(asked)
      if (ids.length === 0 || report.outcome === 'incomplete') return report
      run ??= {
        ...deps,
        eye: await deps.loadEmbedder(),
        report,
        nearest: createVectorSearch(),
        games: new Set(),
      }
      await lookAtAll(run, asked, ids, request)
    }
  } finally {
    run?.eye.close()
  }
}

/** While one picture is looked at, the next ones are on their way. */
async function lookAtAll(
  run: Run,
  asked: PictureQueueQuery,
  ids: readonly number[],
  { onProgress }: IndexRequest,
): Promise<void> {
  const queue = ids.values()
  let done = 0
  // How many pictures in a row did not come because their host did not answer.
  let unreachable = 0
  let isOver = false
  const work = async () => {
    for (const id of queue) {
      const task = run.index.getDue(id, asked)
      const result = task && (await look(run, task).catch(stop))
      unreachable = result === 'unreachable' ? unreachable + 1 : 0
      if (unreachable >= UNREACHABLE_MAX) run.report.outcome = 'incomplete'
      if (isOver || run.report.outcome === 'incomplete') return
      onProgress?.({ done: ++done, total: ids.length })
    }
  }
  const stop = (error: unknown) => {
    isOver = true
    throw error
  }
  // All have come to their end before the networks are put away.
  const ends = await Promise.allSettled(Array.from({ length: WORKERS }, work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

type Run = IndexDeps & {
  eye: PictureEmbedder
  report: IndexReport
  /** The vectors of all games that were met. */
  nearest: VectorSearch
  games: Set<number>
}

async function look(run: Run, task: QueuedPicture): Promise<PictureResult['status']> {
  const { index, report, log } = run
  const { card_id, game_id, image_url } = task
  const fetched = await run.pictures.fetch(image_url, task.etag)
  const taken: PictureCheck = { card_id, game_id, image_url, model: run.model, now: run.now() }
  if (fetched.status === 'unchanged') {
    index.putUnchanged(taken, nextFetchAt(taken.now, 0))
    report.unchanged++
    return 'unchanged'
  }
  const picture = fetched.status === 'fresh' ? await pictureIn(run, fetched) : fetched.why
  if (typeof picture !== 'string') {
    put(run, taken, picture)
    return 'fresh'
  }
  const status = fetched.status === 'missing' ? 'missing' : 'failed'
  const tries = task.tries + 1
  index.putFailure(taken, { status, tries, next_try_at: nextFetchAt(taken.now, tries) })
  report[status]++
  log.debug('picture not indexed', { card_id, image_url, why: picture })
  return fetched.status
}

/** @returns why not, where it cannot be read */
async function pictureIn(
  { eye }: Run,
  { bytes, etag }: PictureResult & { status: 'fresh' },
): Promise<(IndexedPicture & { etag: string | null }) | string> {
  try {
    return { ...(await eye.fingerprint(bytes)), etag }
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

function put(
  run: Run,
  look: PictureCheck,
  indexedPicture: IndexedPicture & { etag: string | null },
): void {
  const { index, nearest, report } = run
  const siblings = siblingsOf(run, look, indexedPicture)
  nearest.put(look.card_id, look.game_id, indexedPicture.vector)
  const placeholders = index.put(look, indexedPicture, siblings, nextFetchAt(look.now, 0))
  for (const id of placeholders) nearest.remove(id)
  if (placeholders.length === 0) report.indexed++
  else report.placeholders++
}

/** The cards of its game that show the same art. */
function siblingsOf(
  run: Run,
  { card_id, game_id }: PictureCheck,
  indexedPicture: IndexedPicture,
): number[] {
  const { index, nearest, games } = run
  if (!games.has(game_id)) {
    for (const row of index.listVectors(game_id)) nearest.put(row.card_id, game_id, row.vector)
    games.add(game_id)
  }
  const near = nearest
    .search([indexedPicture.vector], { gameId: game_id, limit: SIBLINGS_SEEN })
    .filter((found) => found.cosine > SAME_ART.cosineMin && found.card_id !== card_id)
    .map((found) => found.card_id)
  return [...index.getHashes(near)]
    .filter(([, hash]) => hammingDistance(hash, indexedPicture.hash) < SAME_ART.distanceBelow)
    .map(([id]) => id)
}

function emptyReport(): IndexReport {
  return {
    outcome: 'complete',
    indexed: 0,
    placeholders: 0,
    unchanged: 0,
    missing: 0,
    failed: 0,
    removed: 0,
  }
}

/** A card joins the whole group of each that it is like: the nearest ones stand for theirs. */
const SIBLINGS_SEEN = 100

/** As many as are asked for at once, and one that is looked at. */
const WORKERS = 5

/** A host that fails this often in a row is down: asking on would only load it. */
const UNREACHABLE_MAX = 12

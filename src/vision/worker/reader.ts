import type { Log } from '#log.ts'
import { ClientLeft } from '#rules/photos/client-left.ts'
import { PAGE_QUEUE_MS, PHOTO_QUEUE_MS, PHOTO_READING_MS } from '#rules/photos/deadlines.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { VectorSource } from '../retrieval/index-updates.ts'
import { NO_REFERENCES, type ReferenceSource } from '../retrieval/reference-source.ts'
import { createPhotoQueue, type PhotoSender } from './photo-queue.ts'
import {
  createDisabledReader,
  type PhotoReader,
  READER_RETRY_SECONDS,
  type ReadingRequest,
  readerUnavailable,
  SHUTTING_DOWN,
} from './photo-reader.ts'
import { createPoisonPhotos } from './poison-photos.ts'
import type { ReaderResult, ReaderTask } from './protocol.ts'
import {
  createReaderThread,
  type ReaderThread,
  type ThreadExit,
  type ThreadLimits,
} from './reader-thread.ts'
import { cutOf, observationOf } from './task-result.ts'

export type ReaderLimits = ThreadLimits & {
  queueMax: number
  /** Maximum number of photos of a payer in the queue. */
  queuePayerMax: number
  /** Maximum time of a photo in the queue. */
  queueTimeoutMs: number
  /**
   * Maximum time of a page and of its cards in the queue. It is longer, because cutting another page takes seconds.
   */
  pageQueueTimeoutMs: number
  /** Time for which a photo that crashed two threads is refused. */
  refusalMs: number
}

const LIMITS: ReaderLimits = {
  queueMax: 32,
  queuePayerMax: 2,
  queueTimeoutMs: PHOTO_QUEUE_MS,
  pageQueueTimeoutMs: PAGE_QUEUE_MS,
  photoTimeoutMs: PHOTO_READING_MS,
  startTimeoutMs: 60_000,
  pollIntervalMs: 3_000,
  backoffMs: 100,
  backoffMaxMs: 5_000,
  refusalMs: 600_000,
}

export type ReaderOptions = {
  /** Number of threads; 0 disables the reader. */
  workers: number
  log: Log
  pictures: VectorSource
  /** Photos that people have named; none if omitted. */
  references?: ReferenceSource | undefined
  /** Module that the threads run, if not the default. */
  entry?: URL
  limits?: Partial<ReaderLimits>
}

/** Creates a reader whose senders take turns. Every photo is settled, even if threads crash. */
export function createPhotoReader({
  workers,
  log,
  pictures,
  references = NO_REFERENCES,
  entry = new URL('./worker.ts', import.meta.url),
  limits: given,
}: ReaderOptions): PhotoReader {
  if (workers === 0) return createDisabledReader()
  const limits = { ...LIMITS, ...given }
  const poisonPhotos = createPoisonPhotos(limits.refusalMs)
  const queue = createPhotoQueue<Job>()
  let isClosed = false

  const threads = Array.from({ length: workers }, () =>
    createReaderThread({ entry, log, pictures, references, limits, onFree: dispatch }),
  )

  /** Assigns queued photos to idle threads. */
  function dispatch(): void {
    for (const thread of threads) {
      if (!thread.isReady() || thread.isReading()) continue
      const job = queue.take()
      if (job === undefined) return
      clearTimeout(job.timeout)
      void run(thread, job)
    }
  }

  async function run(thread: ReaderThread, job: Job): Promise<void> {
    const outcome = await thread.run(job.task)
    queue.end(job)
    if (outcome.kind === 'read' || outcome.kind === 'cut') return void job.resolve(outcome)
    const error = outcome.kind === 'refused' ? outcome.error : errorAfterExit(outcome.cause, job)
    if (error !== undefined) return void job.reject(error)
    if (job.clientSignal?.aborted) return
    job.isRetry = true
    enqueue(job)
  }

  /** Rejects a job whose client has left, and removes it from the queue if it still waits. */
  function abandon(job: Job): void {
    const hasBegun = !queue.remove(job)
    clearTimeout(job.timeout)
    job.reject(new ClientLeft(hasBegun))
  }

  /** Returns the error for a photo whose thread exited; undefined if it is retried, once and after a crash only. */
  function errorAfterExit(cause: ThreadExit, { task, isRetry }: Job): ServiceError | undefined {
    const { photo } = task
    if (cause === 'close' || isClosed) return readerUnavailable(SHUTTING_DOWN)
    poisonPhotos.recordCrash(photo)
    if (cause === 'timeout') return readerUnavailable('Reading the photo took too long.')
    return (
      poisonPhotos.refusalFor(photo) ??
      (isRetry ? readerUnavailable('The photo could not be read.') : undefined)
    )
  }

  function enqueue(job: Job): void {
    queue.add(job)
    const waitMs = job.isOfPage ? limits.pageQueueTimeoutMs : limits.queueTimeoutMs
    job.timeout = setTimeout(() => {
      queue.remove(job)
      job.reject(readerUnavailable('The photo waited too long in the queue.'))
    }, waitMs)
    dispatch()
  }

  /**
   * Makes room in the queue for a photo, at the expense of the network with the most photos.
   *
   * @throws ServiceError TOO_MANY_ATTEMPTS if its payer has too many, IDENTIFY_UNAVAILABLE if no other network has
   * more
   */
  function makeRoom(sender: PhotoSender, task: ReaderTask): void {
    if (threads.some((thread) => thread.isReady() && !thread.isReading())) return
    if (!isPartOfPage(task)) assertRoom(sender.payer)
    if (queue.countNew() < limits.queueMax) return
    const full = readerUnavailable('Too many photos are in the queue.')
    const evicted = queue.evictFor(sender)
    if (evicted === undefined) throw full
    clearTimeout(evicted.timeout)
    evicted.reject(full)
  }

  function assertRoom(payer: string): void {
    if (queue.countByPayer(payer) >= limits.queuePayerMax) throw tooManyWaiting(limits)
  }

  async function submit(
    task: ReaderTask,
    { sender, clientSignal }: ReadingRequest,
  ): Promise<ReaderResult> {
    if (isClosed) throw readerUnavailable(SHUTTING_DOWN)
    if (clientSignal?.aborted) throw new ClientLeft(false)
    const refusal = poisonPhotos.refusalFor(task.photo)
    if (refusal !== undefined) throw refusal
    makeRoom(sender, task)
    const { promise, resolve, reject } = Promise.withResolvers<ReaderResult>()
    const isOfPage = task.task === 'cut' || isPartOfPage(task)
    const outcome = { resolve, reject, isRetry: false, timeout: undefined }
    const job: Job = { task, sender, clientSignal, isOfPage, ...outcome }
    const leave = () => abandon(job)
    clientSignal?.addEventListener('abort', leave)
    enqueue(job)
    return promise.finally(() => clientSignal?.removeEventListener('abort', leave))
  }

  return {
    assertRoom,
    async read(photo, request) {
      const { gameId, placement } = request
      return observationOf(await submit({ task: 'read', photo, gameId, placement }, request))
    },
    cut: async (photo, request) =>
      cutOf(await submit({ task: 'cut', photo, gameId: request.gameId }, request)),
    state: () => ({
      ready: threads.some((thread) => thread.isReady()),
      threads: workers,
      waiting: queue.waitingCount(),
      reading: threads.filter((thread) => thread.isReading()).length,
      replaced: threads.reduce((sum, thread) => sum + thread.replaced(), 0),
      pictures: Math.max(...threads.map((thread) => thread.pictures())),
    }),
    async close() {
      isClosed = true
      for (let job = queue.take(); job !== undefined; job = queue.take()) {
        clearTimeout(job.timeout)
        job.reject(readerUnavailable(SHUTTING_DOWN))
      }
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

/** Returns true for a card that was cut out of a page. */
function isPartOfPage(task: ReaderTask): boolean {
  return task.task === 'read' && task.placement !== undefined
}

/** A photo to be read or cut. */
type Job = {
  task: ReaderTask
  sender: PhotoSender
  clientSignal: AbortSignal | undefined
  /** True for a page and its cards. */
  isOfPage: boolean
  resolve: (result: ReaderResult) => void
  reject: (error: ServiceError) => void
  isRetry: boolean
  /** Timer of the queue timeout. */
  timeout: ReturnType<typeof setTimeout> | undefined
}

function tooManyWaiting({ queuePayerMax }: ReaderLimits): ServiceError {
  return new ServiceError(
    'TOO_MANY_ATTEMPTS',
    `${queuePayerMax} of your photos are already waiting for the photo reader. Send this one again after one of their responses.`,
    { retryAfter: READER_RETRY_SECONDS },
  )
}

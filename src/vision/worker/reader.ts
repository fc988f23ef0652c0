import type { Log } from '#log.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { VectorSource } from '../retrieval/index-updates.ts'
import { createDisabledReader } from './disabled-reader.ts'
import { createPoisonPhotos } from './poison-photos.ts'
import {
  createReaderThread,
  type ReaderThread,
  type ThreadExit,
  type ThreadLimits,
} from './reader-thread.ts'

export type PhotoReader = {
  /**
   * What one photo shows.
   *
   * @throws ServiceError INVALID_IMAGE where it cannot be decoded; IDENTIFY_UNAVAILABLE where too many
   *   wait, it takes too long, or its thread died
   */
  read(photo: Uint8Array, request: { gameId: number | undefined }): Promise<PhotoObservation>
  /** For readyz and metrics. */
  state(): ReaderState
  /** Refuses what waits and what is being read, and ends the threads. */
  close(): Promise<void>
}

export type ReaderState = {
  /** Whether a thread is there that could read a photo now, or after the one that it reads. */
  ready: boolean
  waiting: number
  reading: number
  /** Threads that took the place of a dead one since the start. */
  replaced: number
  /** Pictures that photos are compared with. */
  pictures: number
}

export type ReaderLimits = ThreadLimits & {
  queueMax: number
  /** How long a photo may wait for a thread. */
  queueTimeoutMs: number
  /** How long a photo that ended two threads is refused. */
  refusalMs: number
}

const LIMITS: ReaderLimits = {
  queueMax: 32,
  queueTimeoutMs: 10_000,
  photoTimeoutMs: 20_000,
  startTimeoutMs: 60_000,
  pollIntervalMs: 3_000,
  backoffMs: 100,
  backoffMaxMs: 5_000,
  refusalMs: 600_000,
}

export type ReaderOptions = {
  /** How many threads; 0: no photo is read. */
  workers: number
  log: Log
  pictures: VectorSource
  /** The file that the threads run, where it is not that of the service. */
  entry?: URL
  limits?: Partial<ReaderLimits>
}

/**
 * The main thread's hold on the threads that read photos. Photos are read in the order in which they
 * come, and whatever happens to a thread, everybody who waits is answered.
 */
export function createPhotoReader({
  workers,
  log,
  pictures,
  entry = new URL('./worker.ts', import.meta.url),
  limits: given,
}: ReaderOptions): PhotoReader {
  if (workers === 0) return createDisabledReader()
  const limits = { ...LIMITS, ...given }
  const refusedPhotos = createPoisonPhotos(limits.refusalMs)
  const waiting: Job[] = []
  let isClosed = false

  const threads = Array.from({ length: workers }, () =>
    createReaderThread({ entry, log, pictures, limits, onFree: handOut }),
  )

  /** Gives the first who waits to a thread that is free. */
  function handOut(): void {
    for (const thread of threads) {
      if (!thread.isReady() || thread.isReading()) continue
      const job = waiting.shift()
      if (job === undefined) return
      clearTimeout(job.patience)
      void perform(thread, job)
    }
  }

  async function perform(thread: ReaderThread, job: Job): Promise<void> {
    const outcome = await thread.read(job.photo, job.gameId)
    if (outcome.kind === 'read') return void job.resolve(outcome.reading)
    const error = outcome.kind === 'refused' ? outcome.error : errorAfter(outcome.of, job)
    if (error !== undefined) return void job.reject(error)
    job.isSecondTry = true
    wait(job)
  }

  /**
   * What the one who waits is told when the thread died; undefined: the photo is tried again. That is
   * done once, and not where it took too long, because it would again.
   */
  function errorAfter(
    threadExit: ThreadExit,
    { photo, isSecondTry }: Job,
  ): ServiceError | undefined {
    if (threadExit === 'close' || isClosed) return unavailable(CLOSING)
    refusedPhotos.recordCrash(photo)
    if (threadExit === 'deadline') return unavailable('Reading the photo took too long.')
    return (
      refusalOf(photo) ?? (isSecondTry ? unavailable('The photo could not be read.') : undefined)
    )
  }

  function refusalOf(photo: Uint8Array): ServiceError | undefined {
    const ms = refusedPhotos.refusedForMs(photo)
    if (ms === undefined) return undefined
    return new ServiceError(
      'IDENTIFY_UNAVAILABLE',
      'This photo cannot be read. Send another one of the same card.',
      { retryAfter: Math.ceil(ms / 1000) },
    )
  }

  /** A second try comes first: it has waited already. */
  function wait(job: Job): void {
    if (job.isSecondTry) waiting.unshift(job)
    else waiting.push(job)
    job.patience = setTimeout(() => {
      waiting.splice(waiting.indexOf(job), 1)
      job.reject(unavailable('The photo waited too long for its turn.'))
    }, limits.queueTimeoutMs)
    handOut()
  }

  return {
    async read(photo, { gameId }) {
      if (isClosed) throw unavailable(CLOSING)
      const refusal = refusalOf(photo)
      if (refusal !== undefined) throw refusal
      const isFree = threads.some((thread) => thread.isReady() && !thread.isReading())
      if (!isFree && waiting.length >= limits.queueMax) {
        throw unavailable('Too many photos are waiting to be read.')
      }
      return new Promise((resolve, reject) => {
        wait({ photo, gameId, resolve, reject, isSecondTry: false, patience: undefined })
      })
    },
    state: () => ({
      ready: threads.some((thread) => thread.isReady()),
      waiting: waiting.length,
      reading: threads.filter((thread) => thread.isReading()).length,
      replaced: threads.reduce((sum, thread) => sum + thread.replaced(), 0),
      pictures: Math.max(...threads.map((thread) => thread.pictures())),
    }),
    async close() {
      isClosed = true
      for (const job of waiting.splice(0)) {
        clearTimeout(job.patience)
        job.reject(unavailable(CLOSING))
      }
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

/** A photo that somebody waits for. */
type Job = {
  photo: Uint8Array
  gameId: number | undefined
  resolve: (reading: PhotoObservation) => void
  reject: (error: ServiceError) => void
  isSecondTry: boolean
  /** Ends the waiting. */
  patience: ReturnType<typeof setTimeout> | undefined
}

const CLOSING = 'The service is about to stop.'

/** Seconds: a thread is replaced, and a full queue shorter, by then. */
const RETRY_AFTER = 2

function unavailable(why: string): ServiceError {
  return new ServiceError('IDENTIFY_UNAVAILABLE', `${why} Send it again in a moment.`, {
    retryAfter: RETRY_AFTER,
  })
}

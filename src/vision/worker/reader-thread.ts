import type { Log } from '#log.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { createIndexUpdater, type VectorSource } from '../retrieval/index-updates.ts'
import type { WorkerRequest, WorkerResponse } from './protocol.ts'

/** How long what may take, in milliseconds. */
export type ThreadLimits = {
  /** Between two words of a thread that starts. */
  startTimeoutMs: number
  /** One photo. */
  photoTimeoutMs: number
  /** Between two looks for changed pictures. */
  pollIntervalMs: number
  /** Before a dead thread is replaced: at first, and doubled each time up to the most. */
  backoffMs: number
  backoffMaxMs: number
}

/** What came of one photo. */
export type ReadOutcome =
  | { kind: 'read'; reading: PhotoObservation }
  | { kind: 'refused'; error: ServiceError }
  | { kind: 'died'; of: ThreadExit }

/** It broke by itself, took too long, or the service ends. */
export type ThreadExit = 'fault' | 'deadline' | 'close'

type Setting = {
  /** The file that the thread runs. */
  entry: URL
  log: Log
  pictures: VectorSource
  limits: ThreadLimits
  /** Called whenever a photo can be given. */
  onFree: () => void
}

/**
 * A thread that reads photos. When it dies another one takes its place, after a pause that grows until
 * a photo was answered again.
 */
export function createReaderThread(setting: Setting) {
  const { log, limits } = setting
  let life: Life | undefined
  let pause: ReturnType<typeof setTimeout> | undefined
  let deaths = 0
  let replaced = 0

  function begin(): void {
    life = beginLife(setting, (of, reason) => {
      life = undefined
      if (of === 'close') return
      const pauseMs = Math.min(limits.backoffMs * 2 ** deaths++, limits.backoffMaxMs)
      log.error('reader thread died', { of, reason, pause_ms: pauseMs })
      pause = setTimeout(() => {
        replaced++
        begin()
      }, pauseMs)
    })
  }

  begin()
  return {
    isReady: () => life?.isReady() ?? false,
    isReading: () => life?.isReading() ?? false,
    pictures: () => life?.pictures() ?? 0,
    replaced: () => replaced,
    /** Reads a photo; only to be called while the thread is ready and reads no other. */
    async read(photo: Uint8Array, gameId: number | undefined): Promise<ReadOutcome> {
      if (life === undefined) return { kind: 'died', of: 'fault' }
      const readOutcome = await life.read(photo, gameId)
      if (readOutcome.kind !== 'died') deaths = 0
      return readOutcome
    },
    async close(): Promise<void> {
      clearTimeout(pause)
      await life?.close()
    },
  }
}

export type ReaderThread = ReturnType<typeof createReaderThread>

type Life = ReturnType<typeof beginLife>

/** One thread from its start to its death, which is told once. */
function beginLife(
  { entry, log, pictures, limits, onFree }: Setting,
  onDeath: (of: ThreadExit, reason: string) => void,
) {
  const worker = new Worker(entry)
  const gone = new Promise<void>((resolve) => {
    worker.addEventListener('close', () => resolve())
  })
  let isDead = false
  let isReady = false
  let pictureCount = 0
  let job: { settle: (readOutcome: ReadOutcome) => void } | undefined
  let taken: () => void = () => {}
  let poll: ReturnType<typeof setTimeout> | undefined
  let deadline: ReturnType<typeof setTimeout> | undefined

  function die(of: ThreadExit, reason: string): void {
    if (isDead) return
    isDead = true
    clearTimeout(deadline)
    clearTimeout(poll)
    worker.terminate()
    onDeath(of, reason)
    job?.settle({ kind: 'died', of })
  }

  function expectWithin(ms: number): void {
    clearTimeout(deadline)
    deadline = setTimeout(() => die('deadline', `no answer within ${ms} ms`), ms)
  }

  function say(order: WorkerRequest, bytes: ArrayBuffer[] = []): void {
    worker.postMessage(order, bytes)
  }

  const sendChanges = createIndexUpdater(pictures, (slice) => {
    say(
      { kind: 'pictures', slice },
      Object.values(slice).map(({ buffer }) => buffer),
    )
    return new Promise((resolve) => {
      taken = resolve
    })
  })

  let isComplete = false
  async function tellPictures(): Promise<void> {
    try {
      await sendChanges()
      if (!isComplete) say({ kind: 'complete' })
      isComplete = true
    } catch (error) {
      log.error('pictures not sent to the reader', { error })
    }
    if (!isDead) poll = setTimeout(tellPictures, limits.pollIntervalMs)
  }

  function answer(outcome: ReadOutcome): void {
    clearTimeout(deadline)
    const answered = job
    job = undefined
    answered?.settle(outcome)
    onFree()
  }

  function hear(word: WorkerResponse): void {
    switch (word.kind) {
      case 'took':
        pictureCount = word.pictures
        if (!isReady) expectWithin(limits.startTimeoutMs)
        taken()
        break
      case 'ready':
        clearTimeout(deadline)
        isReady = true
        onFree()
        break
      case 'hashes':
        say({ kind: 'hashes', hashes: hashesOf(pictures, word.cardIds, log) })
        break
      case 'read':
        answer({ kind: 'read', reading: word.reading })
        break
      case 'refused':
        answer({ kind: 'refused', error: new ServiceError(word.code, word.message) })
        break
      case 'broken':
        die('fault', word.reason)
    }
  }

  worker.onmessage = ({ data: word }: MessageEvent<WorkerResponse>) => {
    if (!isDead) hear(word)
  }
  worker.onerror = (event) => {
    event.preventDefault()
    die('fault', event.message)
  }
  worker.addEventListener('close', () => die('fault', 'the thread ended'))
  expectWithin(limits.startTimeoutMs)
  void tellPictures()

  return {
    isReady: () => isReady && !isDead,
    isReading: () => job !== undefined,
    pictures: () => pictureCount,
    read(photo: Uint8Array, gameId: number | undefined): Promise<ReadOutcome> {
      expectWithin(limits.photoTimeoutMs)
      // The thread is given a copy: the photo itself is kept for a second try. `slice` of a Buffer
      // would be none, and giving it away would take the photo along.
      const copy = new Uint8Array(photo)
      say({ kind: 'photo', photo: copy, gameId }, [copy.buffer])
      return new Promise((settle) => {
        job = { settle }
      })
    },
    async close(): Promise<void> {
      die('close', 'the service ends')
      await gone
    },
  }
}

/** Without hashes the vectors alone decide, which is better than no reading. */
function hashesOf(
  pictures: VectorSource,
  cardIds: readonly number[],
  log: Log,
): Map<number, Uint8Array> {
  try {
    return pictures.getHashes(cardIds)
  } catch (error) {
    log.error('hashes not told to the reader', { error })
    return new Map()
  }
}

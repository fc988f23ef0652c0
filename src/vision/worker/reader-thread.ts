import type { Log } from '#log.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { createIndexUpdater, type VectorSource } from '../retrieval/index-updates.ts'
import { createReferenceUpdater, type ReferenceSource } from '../retrieval/reference-source.ts'
import type { ReaderResult, ReaderTask, WorkerRequest, WorkerResponse } from './protocol.ts'

/** Times in milliseconds. */
export type ThreadLimits = {
  /** Maximum time between two responses of a starting thread. */
  startTimeoutMs: number
  /** Maximum time for one photo. */
  photoTimeoutMs: number
  /** Interval of the checks for changed pictures. */
  pollIntervalMs: number
  /** Pause before a crashed thread is replaced; doubles with each crash up to the maximum. */
  backoffMs: number
  backoffMaxMs: number
}

/** Result of one task. */
export type ReadOutcome =
  | ReaderResult
  | { kind: 'refused'; error: ServiceError }
  | { kind: 'exited'; cause: ThreadExit }

/** A crash, a timeout, or the shutdown of the service. */
export type ThreadExit = 'crash' | 'timeout' | 'close'

type ThreadOptions = {
  /** Module that the thread runs. */
  entry: URL
  log: Log
  pictures: VectorSource
  references: ReferenceSource
  limits: ThreadLimits
  /** Called when the thread can read the next photo. */
  onFree: () => void
}

/** A supervised reader thread. */
export type ReaderThread = {
  isReady(): boolean
  isReading(): boolean
  /** Returns the number of indexed pictures. */
  pictures(): number
  /** Returns how often the thread was replaced. */
  replaced(): number
  /** Runs a task. Must be called only while the thread is ready and idle. */
  run(task: ReaderTask): Promise<ReadOutcome>
  close(): Promise<void>
}

/**
 * Starts a reader thread and replaces it when it exits, after a pause. The pause grows with each exit until a photo
 * is read.
 */
export function createReaderThread(options: ThreadOptions): ReaderThread {
  const { log, limits } = options
  let instance: ThreadInstance | undefined
  let pause: ReturnType<typeof setTimeout> | undefined
  let exits = 0
  let replaced = 0

  function start(): void {
    instance = startThread(options, (cause, reason) => {
      instance = undefined
      if (cause === 'close') return
      const pauseMs = Math.min(limits.backoffMs * 2 ** exits++, limits.backoffMaxMs)
      log.error('reader thread exited', { cause, reason, pause_ms: pauseMs })
      pause = setTimeout(() => {
        replaced++
        start()
      }, pauseMs)
    })
  }

  start()
  return {
    isReady: () => instance?.isReady() ?? false,
    isReading: () => instance?.isReading() ?? false,
    pictures: () => instance?.pictures() ?? 0,
    replaced: () => replaced,
    async run(task) {
      if (instance === undefined) return { kind: 'exited', cause: 'crash' }
      const outcome = await instance.run(task)
      if (outcome.kind !== 'exited') exits = 0
      return outcome
    },
    async close() {
      clearTimeout(pause)
      await instance?.close()
    },
  }
}

type ThreadInstance = Omit<ReaderThread, 'replaced'>

/** Starts one thread. Calls `onExit` exactly once. */
function startThread(
  { entry, log, pictures, references, limits, onFree }: ThreadOptions,
  onExit: (cause: ThreadExit, reason: string) => void,
): ThreadInstance {
  const worker = new Worker(entry)
  const ended = new Promise<void>((resolve) => {
    worker.addEventListener('close', () => resolve())
  })
  let hasExited = false
  let isReady = false
  let pictureCount = 0
  let job: { settle: (outcome: ReadOutcome) => void } | undefined
  let resolveIndexed: () => void = () => {}
  let poll: ReturnType<typeof setTimeout> | undefined
  let timeout: ReturnType<typeof setTimeout> | undefined

  function exit(cause: ThreadExit, reason: string): void {
    if (hasExited) return
    hasExited = true
    clearTimeout(timeout)
    clearTimeout(poll)
    worker.terminate()
    onExit(cause, reason)
    job?.settle({ kind: 'exited', cause })
  }

  function setResponseTimeout(ms: number): void {
    clearTimeout(timeout)
    timeout = setTimeout(() => exit('timeout', `no response within ${ms} ms`), ms)
  }

  function post(request: WorkerRequest, transfer: ArrayBuffer[] = []): void {
    worker.postMessage(request, transfer)
  }

  const sendChanges = createIndexUpdater(pictures, (slice) => {
    post(
      { kind: 'pictures', slice },
      Object.values(slice).map(({ buffer }) => buffer),
    )
    return new Promise((resolve) => {
      resolveIndexed = resolve
    })
  })

  const sendReferences = createReferenceUpdater(references, (packed) =>
    post(
      { kind: 'references', references: packed },
      Object.values(packed).map(({ buffer }) => buffer),
    ),
  )

  let isLoaded = false
  async function sendPictures(): Promise<void> {
    try {
      await sendChanges()
      sendReferences()
      if (!isLoaded) post({ kind: 'loaded' })
      isLoaded = true
    } catch (error) {
      log.error('failed to send pictures to worker', { error })
    }
    if (!hasExited) poll = setTimeout(sendPictures, limits.pollIntervalMs)
  }

  function finish(outcome: ReadOutcome): void {
    clearTimeout(timeout)
    const finished = job
    job = undefined
    finished?.settle(outcome)
    onFree()
  }

  function onResponse(response: WorkerResponse): void {
    switch (response.kind) {
      case 'indexed':
        pictureCount = response.pictures
        if (!isReady) setResponseTimeout(limits.startTimeoutMs)
        resolveIndexed()
        break
      case 'ready':
        clearTimeout(timeout)
        isReady = true
        onFree()
        break
      case 'hashes':
        post({ kind: 'hashes', hashes: loadHashes(pictures, response.cardIds, log) })
        break
      case 'read':
      case 'cut':
        finish(response)
        break
      case 'refused':
        finish({ kind: 'refused', error: refusal(response) })
        break
      case 'crashed':
        exit('crash', response.reason)
    }
  }

  worker.onmessage = ({ data: response }: MessageEvent<WorkerResponse>) => {
    if (!hasExited) onResponse(response)
  }
  worker.onerror = (event) => {
    event.preventDefault()
    exit('crash', event.message)
  }
  worker.addEventListener('close', () => exit('crash', 'the thread ended'))
  setResponseTimeout(limits.startTimeoutMs)
  void sendPictures()

  return {
    isReady: () => isReady && !hasExited,
    isReading: () => job !== undefined,
    pictures: () => pictureCount,
    run(task) {
      setResponseTimeout(limits.photoTimeoutMs)
      // Transfers a copy, because the photo is kept for a retry. `slice` of a Buffer would share the memory.
      const copy = new Uint8Array(task.photo)
      post({ kind: 'photo', ...task, photo: copy }, [copy.buffer])
      return new Promise((settle) => {
        job = { settle }
      })
    },
    async close() {
      exit('close', 'the service is shutting down')
      await ended
    },
  }
}

function refusal({ code, message, isDamaged }: WorkerResponse & { kind: 'refused' }): ServiceError {
  return isDamaged ? new DamagedPhoto(message) : new ServiceError(code, message)
}

/** Loads hashes. Returns no hashes on an error: a result by vectors alone is better than none. */
function loadHashes(
  pictures: VectorSource,
  cardIds: readonly number[],
  log: Log,
): Map<number, Uint8Array> {
  try {
    return pictures.getHashes(cardIds)
  } catch (error) {
    log.error('failed to send hashes to worker', { error })
    return new Map()
  }
}

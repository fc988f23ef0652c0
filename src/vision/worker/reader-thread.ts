import type { Log } from '#log.ts'
import type { PhotoSeen } from '#rules/photos/photo-reading.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { openPictureStream, type PictureSource } from '../retrieval/index-updates.ts'
import type { ReaderOrder, ReaderWord } from './protocol.ts'

/** How long what may take, in milliseconds. */
export type ThreadLimits = {
  /** Between two words of a thread that starts. */
  startMs: number
  /** One photo. */
  jobMs: number
  /** Between two looks for changed pictures. */
  pollMs: number
  /** Before a dead thread is replaced: at first, and doubled each time up to the most. */
  backoffMs: number
  backoffMostMs: number
}

/** What came of one photo. */
export type Outcome =
  | { kind: 'read'; reading: PhotoSeen }
  | { kind: 'refused'; error: ServiceError }
  | { kind: 'died'; of: Death }

/** It broke by itself, took too long, or the service ends. */
export type Death = 'fault' | 'deadline' | 'close'

type Setting = {
  /** The file that the thread runs. */
  entry: URL
  log: Log
  pictures: PictureSource
  limits: ThreadLimits
  /** Called whenever a photo can be given. */
  onFree: () => void
}

/**
 * A thread that reads photos. When it dies another one takes its place, after a pause that grows until
 * a photo was answered again.
 */
export function openReaderThread(setting: Setting) {
  const { log, limits } = setting
  let life: Life | undefined
  let pause: ReturnType<typeof setTimeout> | undefined
  let deaths = 0
  let replaced = 0

  function begin(): void {
    life = beginLife(setting, (of, reason) => {
      life = undefined
      if (of === 'close') return
      const pauseMs = Math.min(limits.backoffMs * 2 ** deaths++, limits.backoffMostMs)
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
    async read(photo: Uint8Array, gameId: number | undefined): Promise<Outcome> {
      if (life === undefined) return { kind: 'died', of: 'fault' }
      const outcome = await life.read(photo, gameId)
      if (outcome.kind !== 'died') deaths = 0
      return outcome
    },
    async close(): Promise<void> {
      clearTimeout(pause)
      await life?.close()
    },
  }
}

export type ReaderThread = ReturnType<typeof openReaderThread>

type Life = ReturnType<typeof beginLife>

/** One thread from its start to its death, which is told once. */
function beginLife(
  { entry, log, pictures, limits, onFree }: Setting,
  onDeath: (of: Death, reason: string) => void,
) {
  const worker = new Worker(entry)
  const gone = new Promise<void>((resolve) => {
    worker.addEventListener('close', () => resolve())
  })
  let isDead = false
  let isReady = false
  let pictureCount = 0
  let job: { settle: (outcome: Outcome) => void } | undefined
  let taken: () => void = () => {}
  let poll: ReturnType<typeof setTimeout> | undefined
  let deadline: ReturnType<typeof setTimeout> | undefined

  function die(of: Death, reason: string): void {
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

  function say(order: ReaderOrder, bytes: ArrayBuffer[] = []): void {
    worker.postMessage(order, bytes)
  }

  const sendChanges = openPictureStream(pictures, (slice) => {
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
    if (!isDead) poll = setTimeout(tellPictures, limits.pollMs)
  }

  function answer(outcome: Outcome): void {
    clearTimeout(deadline)
    const answered = job
    job = undefined
    answered?.settle(outcome)
    onFree()
  }

  function hear(word: ReaderWord): void {
    switch (word.kind) {
      case 'took':
        pictureCount = word.pictures
        if (!isReady) expectWithin(limits.startMs)
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

  worker.onmessage = ({ data: word }: MessageEvent<ReaderWord>) => {
    if (!isDead) hear(word)
  }
  worker.onerror = (event) => {
    event.preventDefault()
    die('fault', event.message)
  }
  worker.addEventListener('close', () => die('fault', 'the thread ended'))
  expectWithin(limits.startMs)
  void tellPictures()

  return {
    isReady: () => isReady && !isDead,
    isReading: () => job !== undefined,
    pictures: () => pictureCount,
    read(photo: Uint8Array, gameId: number | undefined): Promise<Outcome> {
      expectWithin(limits.jobMs)
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
  pictures: PictureSource,
  cardIds: readonly number[],
  log: Log,
): Map<number, Uint8Array> {
  try {
    return pictures.hashesOf(cardIds)
  } catch (error) {
    log.error('hashes not told to the reader', { error })
    return new Map()
  }
}

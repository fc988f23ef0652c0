import type { Log } from '#log.ts'
import { ClientLeft } from '#rules/photos/client-left.ts'
import { ANSWER_DEADLINE_SECONDS } from '#rules/photos/deadlines.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type PhotoReader, readerUnavailable, SHUTTING_DOWN } from './photo-reader.ts'
import { createPoisonPhotos } from './poison-photos.ts'
import type { ReaderResult } from './protocol.ts'
import {
  createRemoteWorker,
  type PhotoWorker,
  type RemoteOutcome,
  type RemoteTask,
  type RemoteWorker,
} from './remote-worker.ts'
import { cutOf, observationOf } from './task-result.ts'

/** Times in milliseconds. */
export type RemoteLimits = {
  /** Interval at which the state of each worker is requested. */
  pollIntervalMs: number
  /** Time for a photo, on both workers together. */
  answerMs: number
  /** Time for which a photo that was lost twice is refused. */
  refusalMs: number
}

const LIMITS: RemoteLimits = {
  pollIntervalMs: 2_000,
  // Leaves time to render and record the result.
  answerMs: (ANSWER_DEADLINE_SECONDS - 5) * 1_000,
  refusalMs: 600_000,
}

/**
 * Creates a reader that sends photos to workers on other machines. There is no queue between machines, because a
 * person waits for each photo: a lost photo is sent to another worker once, and then fails.
 */
export function createRemoteReader({
  workers,
  log,
  limits: given,
}: {
  workers: readonly PhotoWorker[]
  log: Log
  limits?: Partial<RemoteLimits>
}): PhotoReader {
  const limits = { ...LIMITS, ...given }
  const poisonPhotos = createPoisonPhotos(limits.refusalMs)
  const closing = new AbortController()
  const remotes = workers.map((worker) => createRemoteWorker(worker, { log, ...limits }))

  /** Returns the less busy of two random workers, which spreads photos as well as a full comparison would. */
  function choose(except?: RemoteWorker): RemoteWorker | undefined {
    const ready = remotes.filter((remote) => remote !== except && remote.isReady())
    const [first] = ready.splice(Math.floor(Math.random() * ready.length), 1)
    const [second] = ready.splice(Math.floor(Math.random() * ready.length), 1)
    return second !== undefined && first !== undefined && second.load() < first.load()
      ? second
      : first
  }

  async function run(task: RemoteTask): Promise<ReaderResult> {
    const { photo, request } = task
    const { clientSignal } = request
    if (clientSignal?.aborted) throw new ClientLeft(false)
    const refusal = poisonPhotos.refusalFor(photo)
    if (refusal !== undefined) throw refusal
    const timeout = AbortSignal.timeout(limits.answerMs)
    const signal = AbortSignal.any([
      closing.signal,
      timeout,
      ...(clientSignal ? [clientSignal] : []),
    ])
    let last: RemoteWorker | undefined
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (closing.signal.aborted) throw readerUnavailable(SHUTTING_DOWN)
      const remote = choose(last)
      if (remote === undefined) throw readerUnavailable('No photo worker is ready.')
      const outcome = await remote.run(task, signal)
      if (outcome.kind !== 'elsewhere') return settle(outcome)
      // The worker may have begun: it removes only a photo that waits.
      if (clientSignal?.aborted) throw new ClientLeft(true)
      if (timeout.aborted) throw readerUnavailable('Reading the photo took too long.')
      if (outcome.isLost && !signal.aborted) poisonPhotos.recordCrash(photo)
      last = remote
    }
    throw readerUnavailable('The connection to the photo reader was lost.')
  }

  return {
    read: async (photo, request) => observationOf(await run({ task: 'read', photo, request })),
    cut: async (photo, request) => cutOf(await run({ task: 'cut', photo, request })),
    // Does nothing: the workers count the photos of a payer, from all servers.
    assertRoom() {},
    state() {
      const states = remotes.map((remote) => remote.state())
      const sum = (count: (state: (typeof states)[number]) => number) =>
        states.reduce((total, state) => total + count(state), 0)
      return {
        ready: states.some(({ ready }) => ready),
        threads: sum(({ threads }) => threads),
        waiting: sum(({ waiting }) => waiting),
        reading: sum(({ reading }) => reading),
        replaced: sum(({ replaced }) => replaced),
        pictures: Math.max(0, ...states.map(({ pictures }) => pictures)),
      }
    },
    async close() {
      for (const remote of remotes) remote.close()
      closing.abort()
    },
  }
}

/** A photo is sent to at most two workers. */
const ATTEMPTS = 2

/** Returns the result, or throws the error that the worker stated. */
function settle(outcome: Exclude<RemoteOutcome, { kind: 'elsewhere' }>): ReaderResult {
  if (outcome.kind === 'read' || outcome.kind === 'cut') return outcome
  const { code, message, isDamaged, retryAfter } = outcome
  if (isDamaged) throw new DamagedPhoto(message)
  throw new ServiceError(code, message, retryAfter === undefined ? {} : { retryAfter })
}

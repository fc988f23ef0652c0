import type { Log } from '#log.ts'
import type { ReaderState } from '#rules/photos/reader-state.ts'
import type { WorkerAnswer, WorkerResult } from '#rules/photos/worker-messages.ts'
import type { CardRequest, ReadingRequest } from './photo-reader.ts'

/** Connection to a worker. Its methods never reject. */
export type PhotoWorker = {
  url: string
  read(photo: Uint8Array, request: CardRequest, signal: AbortSignal): Promise<WorkerAnswer>
  cut(photo: Uint8Array, request: ReadingRequest, signal: AbortSignal): Promise<WorkerAnswer>
  getState(): Promise<WorkerAnswer>
}

/** Result of a photo on one worker. `elsewhere` means that another worker may read it. */
export type RemoteOutcome =
  | Exclude<WorkerResult, { kind: 'stopping' }>
  | { kind: 'elsewhere'; isLost: boolean }

/** Work on a photo. */
export type RemoteTask = { photo: Uint8Array } & (
  | { task: 'read'; request: CardRequest }
  | { task: 'cut'; request: ReadingRequest }
)

/** A worker, as seen by a server. */
export type RemoteWorker = {
  isReady(): boolean
  /**
   * Returns the number of photos per thread: those of this server, and those of other servers as of the last
   * response.
   */
  load(): number
  /** Returns the state at the last response. */
  state(): ReaderState
  /** Sends a photo to be read or cut. */
  run(task: RemoteTask, signal: AbortSignal): Promise<RemoteOutcome>
  close(): void
}

/** Connects to a worker, and requests its state every few seconds. */
export function createRemoteWorker(
  worker: PhotoWorker,
  { log, pollIntervalMs }: { log: Log; pollIntervalMs: number },
): RemoteWorker {
  let state = UNKNOWN
  /** Number of photos of other servers. */
  let others = 0
  let own = 0
  let problem: string | undefined
  let silent = 0
  let isClosed = false
  let connections = new AbortController()
  let updating: Promise<void> | undefined
  let poll: ReturnType<typeof setTimeout> | undefined

  /** Records the state of a response, and logs changes. */
  function record(answer: WorkerAnswer): void {
    if (isClosed) return
    const before = { isReady: state.ready, problem }
    if (answer.kind === 'reply') {
      state = answer.reply.state
      others = Math.max(0, state.waiting + state.reading - own)
      silent = 0
      problem = state.ready ? undefined : 'it is starting or stopping'
    } else {
      state = UNKNOWN
      others = 0
      problem = answer.why
    }
    if (state.ready && !before.isReady) log.info('photo worker ready', { worker: worker.url })
    if (problem === undefined || problem === before.problem) return
    const remedy = answer.kind === 'failed' ? answer.remedy : undefined
    log.warn('photo worker not ready', { worker: worker.url, reason: problem, remedy })
  }

  async function requestState(): Promise<void> {
    const answer = await worker.getState()
    record(answer)
    // A machine that hangs keeps its connections open. Its photos are sent to other workers.
    if (answer.kind === 'failed' && answer.isLost && ++silent >= SILENT_MAX) {
      connections.abort()
      connections = new AbortController()
    }
  }

  /** Updates the state. Concurrent calls share a request. */
  function update(): Promise<void> {
    updating ??= requestState().finally(() => {
      updating = undefined
    })
    return updating
  }

  async function keepUpdating(): Promise<void> {
    await update()
    if (!isClosed) poll = setTimeout(keepUpdating, pollIntervalMs)
  }

  void keepUpdating()
  return {
    isReady: () => state.ready,
    load: () => (others + own) / Math.max(1, state.threads),
    state: () => state,
    async run({ task, photo, request }, signal) {
      own++
      const answer = await worker[task](
        photo,
        request,
        AbortSignal.any([signal, connections.signal]),
      )
      own--
      if (!signal.aborted) record(answer)
      if (answer.kind === 'reply' && answer.reply.result !== undefined) {
        const { result } = answer.reply
        return result.kind === 'stopping' ? { kind: 'elsewhere', isLost: false } : result
      }
      // The worker may be running, or restart soon, so its state is requested immediately.
      if (!signal.aborted) void update()
      return { kind: 'elsewhere', isLost: answer.kind === 'failed' && answer.isLost }
    },
    close() {
      isClosed = true
      clearTimeout(poll)
    },
  }
}

/** Maximum number of consecutive polls without a response before the worker counts as lost. */
const SILENT_MAX = 2

const UNKNOWN: ReaderState = {
  ready: false,
  threads: 0,
  waiting: 0,
  reading: 0,
  replaced: 0,
  pictures: 0,
}

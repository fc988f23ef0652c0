import { createFairQueue } from '#concurrency/fair-queue.ts'
import type { Config } from '#config.ts'
import type { Deps } from '#deps.ts'
import type { FileImport, FileImportOutcome, StoredImport } from '#rules/collections/file-import.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { UploadFile } from '#store/files/upload-files.ts'
import type { ImportRunner, UploadedTask } from '#store/memory/sync-trigger.ts'
import { performStorageCall, type StorageCall, type StorageResult } from './import-storage.ts'
import { createImportTurns, type ImportTurns } from './import-turns.ts'

/** Runs the imports of this process in one thread. */
export type ImportWorker = ImportRunner & {
  /** Interrupts all imports, and refuses others. */
  close(): void
}

type RunImport = (
  input: UploadedTask,
  signal: AbortSignal,
) => Promise<FileImportOutcome | undefined>

/** Creates the worker. Its thread starts with the first import, and ends after some minutes without any. */
export function createImportWorker(
  deps: Pick<Deps, 'config' | 'ledger' | 'log' | 'now' | 'serverName'>,
  idleMs = IDLE_MS,
): ImportWorker {
  const thread = createImportThread(deps, idleMs)
  const queue = createImportQueue(thread.run, createImportTurns(deps, tooManyImports))
  return {
    ...queue,
    close() {
      queue.close()
      thread.close()
    },
  }
}

/** Keeps the thread for people who import several files, and gives its memory back afterwards. */
const IDLE_MS = 300_000

/**
 * Limits the imports of an account to one that runs and one that waits, and the time of all. Networks and their
 * accounts take turns.
 *
 * @param run ends soon after its signal
 * @param turns of the accounts on all servers; undefined if there are no others
 */
export function createImportQueue(run: RunImport, turns?: ImportTurns): ImportWorker {
  const closing = new AbortController()
  const queue = createFairQueue<UploadedTask>({
    turns: ({ network, account_id }) => [network, `${account_id}`],
    limits: ({ account_id }) => [[`${account_id}`, 1]],
    atOnce: RUNNING_MAX,
    findRefused: (job) => (hasWaiting(job.account_id) ? job : undefined),
    refusal: tooManyImports,
  })

  function hasWaiting(accountId: number): boolean {
    return queue.waiting().some(({ account_id }) => account_id === accountId)
  }

  function runInTurn(input: UploadedTask, end: AbortSignal) {
    // The sender may leave at the moment at which its turn comes.
    return queue.run(input, async () => (end.aborted ? undefined : run(input, end)), end)
  }

  return {
    assertRoom(accountId) {
      if (turns !== undefined) return turns.assertRoom(accountId)
      if (hasWaiting(accountId)) throw tooManyImports()
    },
    async run(input, signal) {
      const end = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(IMPORT_MS_MAX)])
      try {
        if (turns === undefined) return await runInTurn(input, end)
        return await turns.run(input.account_id, end, (end) => runInTurn(input, end))
      } catch (error) {
        if (end.aborted) return undefined
        throw error
      }
    },
    close: () => closing.abort(),
  }
}

/** Each running import holds some 300 KB. */
const RUNNING_MAX = 64

/** Ends an import before the server closes its connection, so that the sender reads why. */
const IMPORT_MS_MAX = 240_000

/** Creates the error for an account that has an import waiting. */
function tooManyImports(): ServiceError {
  return new ServiceError(
    'TOO_MANY_ATTEMPTS',
    'One of your imports is running, and another one is waiting. Send this one after one of their responses.',
    { retryAfter: 5 },
  )
}

/** An import in the thread. Its file is read by its descriptor. */
export type StartedImport = {
  id: number
  config: Config
  input:
    | StoredImport
    | (Omit<FileImport, 'file'> & { file: Pick<UploadFile, 'descriptor' | 'length'> })
}

export type ImportThreadRequest =
  | ({ kind: 'import' } & StartedImport)
  | { kind: 'cancel'; id: number }
  /** The result of a call of the ledger. */
  | { kind: 'stored'; id: number; result: StorageResult }
  /** Closes the files once no import runs. */
  | { kind: 'end' }

export type ImportThreadResponse =
  | { kind: 'done'; id: number; outcome: FileImportOutcome }
  | { kind: 'failed'; id: number; reason: string }
  /** A call of the ledger. */
  | { kind: 'store'; id: number; call: StorageCall }
  /** The thread has closed its files and can be terminated. */
  | { kind: 'ended' }

/** Creates the thread's owner, which starts it again after it has ended. */
function createImportThread(deps: Pick<Deps, 'config' | 'ledger' | 'log'>, idleMs: number) {
  let thread: StartedThread | undefined
  let idle: ReturnType<typeof setTimeout> | undefined
  let running = 0
  let ids = 0

  function end(): void {
    clearTimeout(idle)
    thread?.post({ kind: 'end' })
    thread = undefined
  }

  const run: RunImport = async (input, signal) => {
    clearTimeout(idle)
    running++
    thread ??= startThread(deps, (ended) => {
      if (thread === ended) thread = undefined
    })
    const started = { id: ids++, config: deps.config, input: describeTask(input) }
    try {
      return await thread.run(started, signal)
    } finally {
      if (--running === 0) idle = setTimeout(end, idleMs).unref()
    }
  }

  return { run, close: end }
}

/** Describes a task for the thread, which cannot get the file itself. */
function describeTask(input: UploadedTask): StartedImport['input'] {
  if (!('file' in input)) return input
  const { descriptor, length } = input.file
  return { ...input, file: { descriptor, length } }
}

type StartedThread = {
  run(started: StartedImport, signal: AbortSignal): Promise<FileImportOutcome | undefined>
  post(request: ImportThreadRequest): void
}

/** Starts a thread. If it ends by itself, its imports resolve with undefined. */
function startThread(
  { ledger, log }: Pick<Deps, 'ledger' | 'log'>,
  onEnd: (thread: StartedThread) => void,
): StartedThread {
  const worker = new Worker(new URL('./import-thread.ts', import.meta.url))
  const waiting = new Map<number, (outcome: FileImportOutcome | undefined) => void>()

  function end(): void {
    worker.terminate()
    onEnd(thread)
    for (const settle of waiting.values()) settle(undefined)
  }

  async function store(id: number, call: StorageCall): Promise<void> {
    post({ kind: 'stored', id, result: await performStorageCall(ledger, call) })
  }

  worker.onmessage = ({ data }: MessageEvent<ImportThreadResponse>) => {
    if (data.kind === 'store') return void store(data.id, data.call)
    if (data.kind === 'ended') {
      log.debug('import thread ended')
      return end()
    }
    if (data.kind === 'failed') log.error('import failed', { reason: data.reason })
    waiting.get(data.id)?.(data.kind === 'done' ? data.outcome : undefined)
  }
  worker.onerror = ({ message }) => {
    log.error('import thread failed', { reason: message })
    end()
  }
  worker.addEventListener('close', end)
  const post = (request: ImportThreadRequest) => worker.postMessage(request)
  const thread: StartedThread = {
    post,
    run(started, signal) {
      const { id } = started
      const cancel = () => post({ kind: 'cancel', id })
      const { promise, resolve } = Promise.withResolvers<FileImportOutcome | undefined>()
      waiting.set(id, resolve)
      signal.addEventListener('abort', cancel)
      post({ kind: 'import', ...started })
      return promise.finally(() => {
        waiting.delete(id)
        signal.removeEventListener('abort', cancel)
      })
    },
  }
  return thread
}

import type { Config } from '#config.ts'
import { type ErrorCode, ServiceError } from '#rules/primitives/errors.ts'
import type { CollectionImportStore } from '#store/ledger/collections/collection-imports.ts'

/** Stores the progress of imports in a thread of its own. */
export type ImportStorage = {
  collectionImports: CollectionImportStore
  close(): Promise<void>
}

/** A call of the store in the thread. */
export type StorageCall = {
  [Name in keyof CollectionImportStore]: {
    kind: Name
    parameters: Parameters<CollectionImportStore[Name]>
  }
}[keyof CollectionImportStore]

/** Requests to the thread, each of which has one response. */
export type StorageRequest = { id: number } & (
  | { kind: 'open'; config: Config }
  | StorageCall
  | { kind: 'close' }
)

export type StorageResponse = { id: number } & (
  | { value: unknown }
  /** `code` of a ServiceError; undefined for any other error. */
  | { error: { code: ErrorCode | undefined; retryAfter: number | undefined; message: string } }
)

type WithoutId<Request> = Request extends unknown ? Omit<Request, 'id'> : never

/**
 * Starts the thread, which has the priority of the thread that calls this, and opens its ledger.
 *
 * @param onFailure is called if the thread ends by itself after that; its calls are rejected
 * @throws Error if the ledger cannot be opened
 */
export async function startImportStorage(
  config: Config,
  onFailure: () => void,
): Promise<ImportStorage> {
  const worker = new Worker(new URL('./import-storage-thread.ts', import.meta.url))
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let ids = 0
  let isOpen = false
  let ended: Error | undefined

  async function send(request: WithoutId<StorageRequest>): Promise<unknown> {
    if (ended !== undefined) throw ended
    const id = ids++
    const call = Promise.withResolvers<unknown>()
    pending.set(id, call)
    worker.postMessage({ ...request, id })
    return call.promise
  }

  function fail(reason: string): void {
    if (ended !== undefined) return
    ended = new Error(`import storage: ${reason}`)
    for (const { reject } of pending.values()) reject(ended)
    pending.clear()
    if (isOpen) onFailure()
  }

  worker.onmessage = ({ data }: MessageEvent<StorageResponse>) => {
    const call = pending.get(data.id)
    pending.delete(data.id)
    if ('value' in data) return call?.resolve(data.value)
    const { code, message, retryAfter } = data.error
    const options = retryAfter === undefined ? {} : { retryAfter }
    call?.reject(code === undefined ? new Error(message) : new ServiceError(code, message, options))
  }
  worker.onerror = ({ message }) => fail(message)
  worker.addEventListener('close', () => fail('the thread has ended'))

  function end(): void {
    ended ??= new Error('import storage: closed')
    worker.terminate()
  }

  try {
    await send({ kind: 'open', config })
    isOpen = true
  } catch (error) {
    end()
    throw error
  }
  // The thread responds with the result of the call.
  const call = <Result>(request: StorageCall) => send(request) as Promise<Result>
  return {
    collectionImports: {
      begin: (...parameters) => call({ kind: 'begin', parameters }),
      addBatch: (...parameters) => call({ kind: 'addBatch', parameters }),
      complete: (...parameters) => call({ kind: 'complete', parameters }),
      countRoom: (...parameters) => call({ kind: 'countRoom', parameters }),
    },
    async close() {
      if (ended !== undefined) return
      // Ending a thread in a call of SQLite can end the process.
      await send({ kind: 'close' }).finally(end)
    },
  }
}

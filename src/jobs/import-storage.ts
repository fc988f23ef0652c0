import type { ImportStores } from '#actions/collections/store-part.ts'
import { type ErrorCode, ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'

// The thread of imports has a low priority and may be interrupted with the lock of the ledger, for which requests would
// wait. It therefore asks the thread of requests to store what it has read.

/** The calls of the thread of imports, by store. */
const CALLS = {
  collectionImports: ['begin', 'addBatch', 'getProgress', 'complete', 'countRoom'],
  importDrafts: ['begin', 'addPart', 'pause', 'finish', 'end', 'getPart', 'listChanges', 'getKey'],
  importRecords: ['listTargets', 'removeItems'],
} as const satisfies { [Store in keyof ImportStores]: (keyof ImportStores[Store])[] }

/** A call of a store by the thread of imports. */
export type StorageCall = { store: keyof ImportStores; name: string; parameters: unknown[] }

/** The result of a call, or its error: threads pass only plain objects. */
export type StorageResult =
  | { value: unknown }
  /** `code` of a ServiceError; undefined for any other error. */
  | { error: { code: ErrorCode | undefined; retryAfter: number | undefined; message: string } }

/** Performs a call in the thread of requests. */
export async function performStorageCall(
  stores: ImportStores,
  { store, name, parameters }: StorageCall,
): Promise<StorageResult> {
  try {
    // The thread calls only functions of the stores, with their parameters.
    const functions = stores[store] as Record<string, (...given: unknown[]) => Promise<unknown>>
    return { value: await functions[name]?.(...parameters) }
  } catch (error) {
    const { code, retryAfter } = error instanceof ServiceError ? error : NO_CODE
    return { error: { code, retryAfter, message: errorMessage(error) } }
  }
}

const NO_CODE = { code: undefined, retryAfter: undefined }

/** The stores in the thread of imports. */
export type RemoteImportStores = {
  stores: ImportStores
  /** Ends a call with its result. */
  settle(call: number, result: StorageResult): void
}

/** @param post sends a call to the thread of requests */
export function createRemoteImportStores(
  post: (id: number, call: StorageCall) => void,
): RemoteImportStores {
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let ids = 0

  function call(store: keyof ImportStores, name: string, parameters: unknown[]): Promise<unknown> {
    const id = ids++
    const waiting = Promise.withResolvers<unknown>()
    pending.set(id, waiting)
    post(id, { store, name, parameters })
    return waiting.promise
  }

  function createRemote<Name extends keyof ImportStores>(store: Name): ImportStores[Name] {
    const functions = CALLS[store].map((name) => [
      name,
      (...parameters: unknown[]) => call(store, name, parameters),
    ])
    // The other thread responds with the results of these functions.
    return Object.fromEntries(functions) as ImportStores[Name]
  }

  return {
    stores: {
      collectionImports: createRemote('collectionImports'),
      importDrafts: createRemote('importDrafts'),
      importRecords: createRemote('importRecords'),
    },
    settle(id, result) {
      const waiting = pending.get(id)
      pending.delete(id)
      if ('value' in result) return waiting?.resolve(result.value)
      const { code, message, retryAfter } = result.error
      const options = retryAfter === undefined ? {} : { retryAfter }
      waiting?.reject(
        code === undefined ? new Error(message) : new ServiceError(code, message, options),
      )
    },
  }
}

import { type ErrorCode, ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import type { CollectionImportStore } from '#store/ledger/collections/collection-imports.ts'

// The thread of imports has a low priority and may be interrupted with the lock of the ledger, for which requests would
// wait. It therefore asks the thread of requests to store what it has read.

/** A call of the store by the thread of imports. */
export type StorageCall = {
  [Name in keyof CollectionImportStore]: {
    name: Name
    parameters: Parameters<CollectionImportStore[Name]>
  }
}[keyof CollectionImportStore]

/** The result of a call, or its error: threads pass only plain objects. */
export type StorageResult =
  | { value: unknown }
  /** `code` of a ServiceError; undefined for any other error. */
  | { error: { code: ErrorCode | undefined; retryAfter: number | undefined; message: string } }

/** Performs a call in the thread of requests. */
export async function performStorageCall(
  store: CollectionImportStore,
  call: StorageCall,
): Promise<StorageResult> {
  try {
    return { value: await perform(store, call) }
  } catch (error) {
    const { code, retryAfter } = error instanceof ServiceError ? error : NO_CODE
    return { error: { code, retryAfter, message: errorMessage(error) } }
  }
}

const NO_CODE = { code: undefined, retryAfter: undefined }

function perform(store: CollectionImportStore, call: StorageCall): Promise<unknown> {
  switch (call.name) {
    case 'begin':
      return store.begin(...call.parameters)
    case 'addBatch':
      return store.addBatch(...call.parameters)
    case 'complete':
      return store.complete(...call.parameters)
    case 'countRoom':
      return store.countRoom(...call.parameters)
  }
}

/** The store in the thread of imports. */
export type RemoteImportStore = {
  store: CollectionImportStore
  /** Ends a call with its result. */
  settle(call: number, result: StorageResult): void
}

/** @param post sends a call to the thread of requests */
export function createRemoteImportStore(
  post: (id: number, call: StorageCall) => void,
): RemoteImportStore {
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let ids = 0

  function call<Result>(request: StorageCall): Promise<Result> {
    const id = ids++
    const waiting = Promise.withResolvers<unknown>()
    pending.set(id, waiting)
    post(id, request)
    // The other thread responds with the result of this call.
    return waiting.promise as Promise<Result>
  }

  return {
    store: {
      begin: (...parameters) => call({ name: 'begin', parameters }),
      addBatch: (...parameters) => call({ name: 'addBatch', parameters }),
      complete: (...parameters) => call({ name: 'complete', parameters }),
      countRoom: (...parameters) => call({ name: 'countRoom', parameters }),
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

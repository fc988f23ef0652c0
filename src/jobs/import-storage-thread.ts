// Thread that stores what imports have read, for the thread that reads it. It has the priority of requests, which wait
// for the lock of the ledger while it stores a part.
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import type { StorageRequest, StorageResponse } from './import-storage.ts'
import { createImportStorageTask } from './tasks/import-storage-task.ts'

declare const self: {
  onmessage: (event: { data: unknown }) => void
  postMessage: (response: StorageResponse) => void
}

const respond = createImportStorageTask()

self.onmessage = async ({ data }) => {
  // Only import-storage.ts starts this thread, always with these requests.
  const request = data as StorageRequest
  const { id } = request
  try {
    self.postMessage({ id, value: await respond(request) })
  } catch (error) {
    const { code, retryAfter } = error instanceof ServiceError ? error : NO_CODE
    self.postMessage({ id, error: { code, retryAfter, message: errorMessage(error) } })
  }
}

const NO_CODE = { code: undefined, retryAfter: undefined }

import { openConfiguredLedger } from '#deps/storage.ts'
import { openLog } from '#log.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import type { StorageCall, StorageRequest } from '../import-storage.ts'

/** Creates the function that does what a thread is requested to do with its ledger. */
export function createImportStorageTask(): (request: StorageRequest) => Promise<unknown> {
  let ledger: Ledger | undefined
  return async (request) => {
    if (request.kind === 'open') {
      const { config } = request
      const log = openLog(config.logLevel, config.logFormat)
      // Moves the pages that it writes from the log into the file early, so that no request has to.
      ledger = await openConfiguredLedger(config, log, { checkpointPages: 250 })
      return undefined
    }
    if (request.kind === 'close') return ledger?.close()
    if (ledger === undefined) throw new Error('the ledger is not open')
    return store(ledger, request)
  }
}

function store({ collectionImports }: Ledger, call: StorageCall): Promise<unknown> {
  switch (call.kind) {
    case 'begin':
      return collectionImports.begin(...call.parameters)
    case 'addBatch':
      return collectionImports.addBatch(...call.parameters)
    case 'complete':
      return collectionImports.complete(...call.parameters)
    case 'countRoom':
      return collectionImports.countRoom(...call.parameters)
  }
}

import { createSharedImports } from '#actions/collections/shared-imports.ts'
import { type Config, servesSnapshots } from '#config.ts'
import { openConfiguredLedger } from '#deps/storage.ts'
import { openLog } from '#log.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import type { FileImportOutcome } from '#rules/collections/file-import.ts'
import { locateCatalog } from '#store/files/snapshot-files.ts'
import { readUploadFile } from '#store/files/upload-files.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { IMPORT_PRIORITY, lowerThreadPriority } from '#vision/runtime/thread-priority.ts'
import type { StartedImport } from '../import-worker.ts'

/** Imports of a thread, which share its open files. */
export type ImportTasks = {
  run(started: StartedImport, signal: AbortSignal): Promise<FileImportOutcome>
  /** Closes the files. Call it once no import runs. */
  close(): Promise<void>
}

export function createImportTasks(): ImportTasks {
  const imports = createSharedImports()
  let ledger: Promise<Ledger> | undefined
  let newest: OpenFile | undefined

  /** The priority is lowered afterwards, so that the first import does not wait for a slow start. */
  async function openLedger(config: Config): Promise<Ledger> {
    const log = openLog(config.logLevel, config.logFormat)
    try {
      const opened = await openConfiguredLedger(config, log, { checkpointPages: 250 })
      lowerThreadPriority(IMPORT_PRIORITY)
      return opened
    } catch (error) {
      ledger = undefined
      throw error
    }
  }

  /** Returns the current catalog. An older file stays open while imports read it. */
  function useCatalog(config: Config): OpenFile {
    const path = locateCatalog(config.dataDir, servesSnapshots(config))
    if (newest?.path !== path) {
      const older = newest
      const catalog = openCatalog(config.dataDir, createPictureUrl(config.publicUrl), path)
      newest = { path, catalog, users: 0 }
      if (older?.users === 0) older.catalog.close()
    }
    newest.users++
    // Drops what was read before a publication.
    newest.catalog.publication.refresh()
    return newest
  }

  function release(file: OpenFile): void {
    if (--file.users === 0 && file !== newest) file.catalog.close()
  }

  return {
    async run({ config, input }, signal) {
      ledger ??= openLedger(config)
      const stores = { ledger: await ledger, now: () => new Date() }
      const used = useCatalog(config)
      try {
        const file = readUploadFile(input.file.descriptor, input.file.length)
        return await imports.run({ ...stores, catalog: used.catalog }, { ...input, file }, signal)
      } finally {
        release(used)
      }
    },
    async close() {
      newest?.catalog.close()
      await (await ledger)?.close()
    },
  }
}

/** A file of the catalog, and the number of imports that read it. */
type OpenFile = { path: string; catalog: Catalog; users: number }

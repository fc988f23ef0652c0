import { createSharedImports } from '#actions/collections/shared-imports.ts'
import { type Config, servesSnapshots } from '#config.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import type { FileImportOutcome } from '#rules/collections/file-import.ts'
import { locateCatalog } from '#store/files/snapshot-files.ts'
import { readUploadFile } from '#store/files/upload-files.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { IMPORT_PRIORITY, lowerThreadPriority } from '#vision/runtime/thread-priority.ts'
import { type ImportStorage, startImportStorage } from '../import-storage.ts'
import type { StartedImport } from '../import-worker.ts'

/** Imports of a thread, which share its open files. */
export type ImportTasks = {
  run(started: StartedImport, signal: AbortSignal): Promise<FileImportOutcome>
  /** Closes the files. Call it once no import runs. */
  close(): Promise<void>
}

/** @param onFailure is called if nothing can be stored any more, so that the thread ends */
export function createImportTasks(onFailure: () => void): ImportTasks {
  const imports = createSharedImports()
  let storage: Promise<ImportStorage> | undefined
  let newest: OpenFile | undefined

  /** The priority is lowered afterwards, because the thread that stores must not have it. */
  async function openStorage(config: Config): Promise<ImportStorage> {
    try {
      const opened = await startImportStorage(config, onFailure)
      lowerThreadPriority(IMPORT_PRIORITY)
      return opened
    } catch (error) {
      storage = undefined
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
    return newest
  }

  function release(file: OpenFile): void {
    if (--file.users === 0 && file !== newest) file.catalog.close()
  }

  return {
    async run({ config, input }, signal) {
      storage ??= openStorage(config)
      const stores = { ledger: await storage, now: () => new Date() }
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
      await (await storage)?.close()
    },
  }
}

/** A file of the catalog, and the number of imports that read it. */
type OpenFile = { path: string; catalog: Catalog; users: number }

import { createSharedImports } from '#actions/collections/shared-imports.ts'
import type { ImportStores } from '#actions/collections/store-part.ts'
import { type Config, servesSnapshots } from '#config.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import type { FileImportOutcome, ImportTask } from '#rules/collections/file-import.ts'
import { locateCatalog } from '#store/files/snapshot-files.ts'
import { readUploadFile } from '#store/files/upload-files.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { IMPORT_PRIORITY, lowerThreadPriority } from '#vision/runtime/thread-priority.ts'
import type { StartedImport } from '../import-worker.ts'

/** Imports of a thread, which share its open files. */
export type ImportTasks = {
  run(started: StartedImport, signal: AbortSignal): Promise<FileImportOutcome>
  /** Closes the files. Call it once no import runs. */
  close(): void
}

/** @param ledger stores what was read */
export function createImportTasks(ledger: ImportStores): ImportTasks {
  const imports = createSharedImports()
  const stores = { ledger, now: () => new Date() }
  let newest: OpenFile | undefined

  /** Returns the current catalog. An older file stays open while imports read it. */
  function useCatalog(config: Config): OpenFile {
    const path = locateCatalog(config.dataDir, servesSnapshots(config))
    if (newest?.path !== path) {
      const older = newest
      const catalog = openCatalog(config.dataDir, createPictureUrl(config.publicUrl), path)
      newest = { path, catalog, users: 0 }
      if (older?.users === 0) older.catalog.close()
      // Afterwards, so that the first import does not wait for a slow start.
      lowerThreadPriority(IMPORT_PRIORITY)
    }
    newest.users++
    return newest
  }

  function release(file: OpenFile): void {
    if (--file.users === 0 && file !== newest) file.catalog.close()
  }

  return {
    async run({ config, input }, signal) {
      const used = useCatalog(config)
      try {
        return await imports.run({ ...stores, catalog: used.catalog }, openTask(input), signal)
      } finally {
        release(used)
      }
    },
    close: () => newest?.catalog.close(),
  }
}

/** A file of the catalog, and the number of imports that read it. */
type OpenFile = { path: string; catalog: Catalog; users: number }

/** Opens the file of a task that has one. */
function openTask(input: StartedImport['input']): ImportTask {
  if (!('file' in input)) return input
  const { descriptor, length } = input.file
  return { ...input, file: readUploadFile(descriptor, length) }
}

import { join } from 'node:path'
import { readSearchPostings, type SearchPostings } from './catalog/search/search-postings.ts'
import { openDatabase } from './db.ts'
import { CATALOG_FILE, shareDataFolder } from './files/data-folder.ts'
import { explainDatabase } from './files/inspect-database.ts'

/**
 * Opens the search index for reading it as a whole, with the same parameters as `openCatalog`. A thread that only
 * reads it needs no other store.
 */
export function openSearchReader(
  dataDir: string,
  path: string = join(dataDir, CATALOG_FILE),
): { read(): SearchPostings; close(): void } {
  const release = shareDataFolder(dataDir)
  return explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true })
    return {
      read: () => readSearchPostings(db),
      close() {
        db.close()
        release()
      },
    }
  })
}

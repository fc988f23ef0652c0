import type { Snapshot } from '#rules/catalog/snapshot-list.ts'
import { openPictureStore } from '../catalog/pictures.ts'
import { openDatabase } from '../db.ts'
import { schemaVersion } from '../migrate.ts'
import { explainDatabase } from './explain-database.ts'

/** Contents of a catalog's file, by which a snapshot of it is known. */
export type CatalogState = Pick<Snapshot, 'version' | 'changed_at' | 'schema' | 'pictures'>

/** Reads the state of a catalog's file, which others may be writing. */
export function describeCatalog(path: string): CatalogState {
  return explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true })
    try {
      const publication = db.prepare<[], Pick<Snapshot, 'version' | 'changed_at'>>(
        'SELECT version, changed_at FROM publication',
      )
      const { version = 0, changed_at = '' } = publication.get() ?? {}
      const pictures = openPictureStore(db).getVersion()
      return { version, changed_at, schema: schemaVersion(db), pictures }
    } finally {
      db.close()
    }
  })
}

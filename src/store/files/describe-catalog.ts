import type { Snapshot } from '#rules/operations/snapshot-list.ts'
import { findClosedHistory } from '../catalog/history/closed-history.ts'
import { openPictureStore } from '../catalog/pictures/pictures.ts'
import { openDatabase } from '../db.ts'
import { schemaVersion } from '../migrate.ts'
import { explainDatabase } from './inspect-database.ts'

/** Facts about a catalog's file that identify a snapshot of it. */
export type CatalogState = Pick<
  Snapshot,
  'version' | 'changed_at' | 'schema' | 'pictures' | 'history'
>

type PublicationRow = Pick<Snapshot, 'version' | 'changed_at'> & { published_at: string | null }

/** Reads the state of a catalog's file, which others may be writing; undefined before the first publication. */
export function describeCatalog(path: string): CatalogState | undefined {
  return explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true })
    try {
      const row = db
        .prepare<[], PublicationRow>('SELECT version, changed_at, published_at FROM publication')
        .get()
      if (row === undefined || row.published_at === null) return undefined
      const { version, changed_at } = row
      const pictures = openPictureStore(db).getVersion()
      const state = { version, changed_at, schema: schemaVersion(db), pictures }
      const history = findClosedHistory(db)
      if (history === undefined) return state
      return { ...state, history: { sha256: history.sha256, bytes: history.bytes } }
    } finally {
      db.close()
    }
  })
}

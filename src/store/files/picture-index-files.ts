// Copies of the picture index without the rest of the catalog, for photo workers.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openPictureStore } from '../catalog/pictures/pictures.ts'
import { type StoredReferences, writeReferences } from '../catalog/pictures/reference-copies.ts'
import { inTransaction, openDatabase } from '../db.ts'
import { CATALOG_FILE } from './data-folder.ts'
import { listFolder } from './folder-entries.ts'

/** Copies the index of a catalog, which may be growing, and the references into a new file. @returns its version */
export function copyPictureIndex(
  dataDir: string,
  path: string,
  references: StoredReferences,
): number {
  const db = openDatabase(path)
  try {
    db.pragma('journal_mode = DELETE')
    db.prepare('ATTACH ? AS catalog').run(join(dataDir, CATALOG_FILE))
    const statements = db
      .prepare<[], string>(
        `SELECT sql FROM catalog.sqlite_schema
          WHERE name IN ('card_pictures', 'card_pictures_by_version') ORDER BY type DESC`,
      )
      .pluck()
      .all()
    return inTransaction(db, () => {
      for (const sql of statements) db.exec(sql)
      // Workers do not need the URLs of pictures.
      db.exec(
        `INSERT INTO main.card_pictures (card_id, game_id, model, image_url, vector, hash, art_group,
           status, updated_at, version)
         SELECT card_id, game_id, model, '', vector, hash, art_group, status, updated_at, version
           FROM catalog.card_pictures ORDER BY card_id`,
      )
      writeReferences(db, references)
      return openPictureStore(db).getVersion() + references.version
    })
  } finally {
    db.close()
  }
}

/** Returns the folder of a photo worker's copy, created if missing. */
export function pictureIndexFolder(dataDir: string): string {
  const folder = join(dataDir, FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Returns the path of a photo worker's last fetched copy; undefined without one. */
export function findPictureIndex(dataDir: string): string | undefined {
  const names = listFolder(join(dataDir, FOLDER)).filter((name) => name.endsWith('.db'))
  const newest = names.sort((a, b) => versionOf(b) - versionOf(a))[0]
  return newest === undefined ? undefined : join(dataDir, FOLDER, newest)
}

/** Deletes all copies except one. An open file stays readable until it is closed. */
export function deleteOtherPictureIndexes(dataDir: string, kept: string): void {
  for (const name of listFolder(join(dataDir, FOLDER))) {
    const path = join(dataDir, FOLDER, name)
    if (path !== kept) rmSync(path, { force: true })
  }
}

function versionOf(name: string): number {
  return Number(/^v(\d+)-/.exec(name)?.[1])
}

const FOLDER = 'picture-index'

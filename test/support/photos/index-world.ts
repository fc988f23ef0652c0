import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSample } from '#actions/sync/sample-catalog.ts'
import { readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { openDatabase } from '#store/db.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { openPictureIndex } from '#store/open-catalog-writer.ts'
import { atEnd } from '../end-of-tests.ts'
import { createTestLog, FROZEN_TIME, SAMPLE } from '../test-app.ts'

let template: Promise<string> | undefined

async function buildTemplate(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-index-'))
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const deps = {
    ...(await openCatalogWriterDeps(config, createTestLog([]))),
    now: () => new Date(FROZEN_TIME),
  }
  await loadSample(deps, SAMPLE)
  deps.close()
  return dataDir
}

/** Creates a data folder with the sample catalog, opened for reading and for indexing. */
export async function createIndexWorld() {
  template ??= buildTemplate()
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-index-'))
  cpSync(await template, dataDir, { recursive: true })
  const db = openDatabase(join(dataDir, 'catalog.db'))
  const catalog = openCatalog(dataDir, (stored) => stored)
  const index = openPictureIndex(dataDir)
  if (index === undefined) throw new Error('the index is locked')
  let isHeld = true
  /** Releases the lock of the index for another process. */
  function releaseIndex(): void {
    if (isHeld) index?.close()
    isHeld = false
  }
  return {
    dataDir,
    db,
    catalog,
    index,
    /** Runs SQL on a separate connection. */
    run: (sql: string, ...values: unknown[]) => db.prepare(sql).run(...values),
    letGo: releaseIndex,
    close(): void {
      releaseIndex()
      catalog.close()
      db.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns the contents of the index, without timestamps. */
export function picturesIn(db: ReturnType<typeof openDatabase>) {
  return db
    .prepare<[], { card_id: number; status: string; art_group: number | null; game_id: number }>(
      `SELECT card_id, game_id, model, image_url, etag, hex(vector) AS vector, hex(hash) AS hash,
              art_group, status, tries FROM card_pictures ORDER BY card_id`,
    )
    .all()
}

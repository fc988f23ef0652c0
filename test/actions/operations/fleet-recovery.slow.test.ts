// Versions of a fleet after the loss of its bucket or its database, on PostgreSQL and an S3 server.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fetchSnapshot } from '#actions/operations/fetch-snapshot.ts'
import { packNextVersion } from '#actions/operations/lead-catalog.ts'
import { republishCatalog } from '#actions/operations/roll-back-catalog.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { openDatabase } from '#store/db.ts'
import { serveSnapshot, snapshotFileName, snapshotFolder } from '#store/files/snapshot-files.ts'
import {
  type CatalogVersionStore,
  openCatalogVersionStore,
} from '#store/ledger/fleet/postgres-catalog-versions.ts'
import { openPostgres, type TestDatabase } from '../../support/ledger/engines.ts'
import { HAS_POSTGRES } from '../../support/ledger/postgres-server.ts'
import { HAS_S3, type S3Server, startS3 } from '../../support/snapshots/s3-server.ts'
import { createLedgerFile } from '../../support/test-app.ts'

describe.skipIf(!HAS_S3 || !HAS_POSTGRES)('a fleet', () => {
  let database: TestDatabase
  let s3: S3Server
  let catalogVersions: CatalogVersionStore
  let close = () => {}
  let count = 0
  const now = () => new Date()

  beforeAll(async () => {
    ;[database, s3] = await Promise.all([openPostgres(), startS3()])
    catalogVersions = openCatalogVersionStore(database.engine)
  })
  afterAll(async () => {
    await s3?.close()
    await database?.close()
  })
  afterEach(async () => {
    close()
    await database.engine.execute('TRUNCATE catalog_versions')
  })

  /** Creates a server's folder, which has published and serves the sample. */
  async function createServer() {
    const { folder: dataDir, close: remove } = await createLedgerFile()
    close = remove
    const prefix = `shop-${count++}`
    const bucket = openBucket(s3.settings(prefix))
    const deps = { dataDir, bucket, isLedgerShared: true, catalogVersions, now }

    async function publish(): Promise<number> {
      const [base] = await catalogVersions.list()
      const { snapshot } = await packNextVersion(deps, base)
      if (snapshot === undefined) return base?.snapshot.version ?? 0
      await catalogVersions.publish(undefined, { snapshot, base: base?.snapshot.version }, now())
      serveSnapshot(dataDir, snapshotFileName(snapshot))
      return snapshot.version
    }
    return {
      deps,
      publish,
      loseBucket: () => rmSync(s3.path(prefix), { recursive: true }),
      /** Changes the catalog as a sync does. */
      change(rarity: string): void {
        const db = openDatabase(join(dataDir, 'catalog.db'))
        db.exec(`UPDATE cards SET rarity = '${rarity}';
          UPDATE publication SET version = version + 1, changed_at = '${now().toISOString()}'`)
        db.close()
      },
    }
  }

  test('publishes its version again once the bucket has lost it', async () => {
    const { publish, loseBucket } = await createServer()
    const first = await publish()
    expect(await publish()).toBe(first)
    loseBucket()
    expect(await publish()).toBe(first + 1)
    expect(await publish()).toBe(first + 1)
  })

  test('continues after the versions that clients have seen, also if its database was restored', async () => {
    const { deps, publish, change } = await createServer()
    const first = await publish()
    change('Seen')
    await publish()
    change('Seen last')
    const last = await publish()
    await database.engine.execute(`DELETE FROM catalog_versions WHERE version > ${first}`)

    expect(await republishCatalog(deps)).toEqual({
      replaced: first,
      restored: last,
      version: last + 1,
    })
    const [newest, before] = await catalogVersions.list()
    expect([newest?.snapshot.version, before?.snapshot.version]).toEqual([last + 1, first])
    const key = newest?.snapshot.key ?? ''
    expect(await deps.bucket.list(key)).toEqual([key])
  })

  test('counts all rows as changed when a server publishes what it has served', async () => {
    const { deps, publish } = await createServer()
    const last = await publish()
    const { version } = await republishCatalog(deps)
    expect(version).toBe(last + 1)
    const [newest] = await catalogVersions.list()
    if (newest === undefined) throw new Error('nothing was published')
    const { path } = await fetchSnapshot(deps, newest.snapshot)
    const db = openDatabase(path, { readonly: true })
    expect(db.prepare('SELECT DISTINCT updated_in FROM cards').pluck().all()).toEqual([version])
    db.close()
  })

  test('refuses to publish a version that the server has never served', async () => {
    const { deps, publish } = await createServer()
    await publish()
    renameSync(snapshotFolder(deps.dataDir), join(deps.dataDir, 'gone'))
    await expect(republishCatalog(deps)).rejects.toThrow('has served no version')
  })
})

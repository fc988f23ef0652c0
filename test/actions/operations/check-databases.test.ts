import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_CHECKS } from '#actions/operations/check-databases.ts'
import { readConfig } from '#config.ts'
import { serveSnapshot } from '#store/files/snapshot-files.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { createTestApp, FROZEN_TIME } from '../../support/test-app.ts'

test('a server with a catalog from a bucket is checked by the served file', async () => {
  const publisher = await createTestApp({ onDisk: true })
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-served-'))
  try {
    prepareFiles(folder)
    mkdirSync(join(folder, 'snapshots'))
    publisher.catalogDb.pragma('wal_checkpoint(TRUNCATE)')
    cpSync(
      join(publisher.deps.config.dataDir, 'catalog.db'),
      join(folder, 'snapshots/v2-0123456789abcdef.db'),
    )
    serveSnapshot(folder, 'v2-0123456789abcdef.db')
    const bucket = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' }
    const replica = readConfig({ DATA_DIR: folder, CATALOG_FROM: 's3://cards', ...bucket })
    const lone = readConfig({ DATA_DIR: folder })
    const now = new Date(FROZEN_TIME)
    const messages = async (config: typeof lone) =>
      [await DATABASE_CHECKS.games?.({ config, stored: undefined, root: '', now, online: false })]
        .flat()
        .map((one) => one?.message)
    expect((await messages(replica))[0]).toMatch(/^3 games, \d+ cards/)
    expect(await messages(lone)).toEqual(['the catalog is empty'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
    publisher.close()
  }
})

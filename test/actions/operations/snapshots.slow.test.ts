// Snapshots from one data folder through a bucket to another.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchSnapshot } from '#actions/operations/fetch-snapshot.ts'
import { publishSnapshot } from '#actions/operations/publish-snapshot.ts'
import { restoreSnapshot } from '#actions/operations/restore-snapshot.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { parseSnapshotList, SNAPSHOT_LIST, type Snapshot } from '#rules/operations/snapshot-list.ts'
import { openDatabase } from '#store/db.ts'
import { listFolder } from '#store/files/folder-entries.ts'
import { serveSnapshot, snapshotFileName } from '#store/files/snapshot-files.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { damageObject } from '../../support/snapshots/damage-object.ts'
import { HAS_S3, type S3Server, startS3 } from '../../support/snapshots/s3-server.ts'
import { createLedgerFile, createTestLog } from '../../support/test-app.ts'

describe.skipIf(!HAS_S3)('snapshots', () => {
  let server: S3Server
  const closers: (() => unknown)[] = []
  let count = 0

  beforeAll(async () => {
    server = await startS3()
  })
  afterAll(() => server?.close())
  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })

  /** Creates a folder with the sample that publishes to its own bucket folder, and a replica of it. */
  async function createPair({ keepDays = 0 } = {}) {
    const publisher = await createLedgerFile()
    const replica = mkdtempSync(join(tmpdir(), 'cardstock-replica-'))
    prepareFiles(replica)
    closers.push(publisher.close, () => rmSync(replica, { recursive: true }))
    const prefix = `shop-${count++}`
    const bucket = openBucket(server.settings(prefix))
    const now = () => new Date('2026-11-23T12:00:00.000Z')
    const log = createTestLog([])
    const list = async (): Promise<Snapshot[]> => {
      const found = await bucket.read(SNAPSHOT_LIST)
      return typeof found === 'object' ? parseSnapshotList(found.text) : []
    }
    return {
      replica,
      list,
      bucket,
      folder: publisher.folder,
      /** Names in the bucket, except the file of closed months that all versions share. */
      objects: () =>
        readdirSync(server.path(`${prefix}/catalog`))
          .filter((name) => !name.startsWith('history-'))
          .sort(),
      histories: () =>
        readdirSync(server.path(`${prefix}/catalog`)).filter((name) => name.startsWith('history-')),
      object: (key: string) => server.path(`${prefix}/${key}`),
      publish: () => publishSnapshot({ dataDir: publisher.folder, bucket, keepDays, log, now }),
      fetch: (snapshot: Snapshot) =>
        fetchSnapshot({ dataDir: replica, bucket, isLedgerShared: false, now }, snapshot),
      /** Changes the catalog as a sync does. */
      change(sql = 'UPDATE cards SET rarity = rarity', at = '2026-11-23T00:00:00.000Z'): void {
        const db = openDatabase(join(publisher.folder, 'catalog.db'))
        const next = `UPDATE publication SET version = version + 1, changed_at = '${at}'`
        db.transaction(() => db.exec(`${sql}; ${next}`))()
        db.close()
      },
    }
  }

  async function newest(list: () => Promise<Snapshot[]>): Promise<Snapshot> {
    const [first] = await list()
    if (first === undefined) throw new Error('the bucket has no snapshot')
    return first
  }

  /** All points of all series. */
  function historyOf(dataDir: string, path = join(dataDir, 'catalog.db')) {
    const catalog = openCatalog(dataDir, (url) => url, path)
    const ids = rowsOf(path, 'SELECT id FROM cards ORDER BY id') as { id: number }[]
    const found = ids.map(({ id }) => catalog.history.listByCard(id, 0).map(({ points }) => points))
    catalog.close()
    return found.flat()
  }

  const rowsOf = (path: string, sql: string) => {
    const db = openDatabase(path, { readonly: true })
    const rows = db.prepare(sql).all()
    db.close()
    return rows
  }

  test('carry every row of the catalog, once per version', async () => {
    const { publish, fetch, list, folder, objects } = await createPair()
    expect(await publish()).toMatchObject({ outcome: 'published' })
    expect(await publish()).toMatchObject({ outcome: 'current' })
    const snapshot = await newest(list)
    expect(objects()).toEqual(['snapshots.json', snapshot.key.replace('catalog/', '')])
    const { path, version, alerts } = await fetch(snapshot)
    expect({ version, alerts }).toEqual({ version: snapshot.version, alerts: 0 })
    for (const table of ['cards', 'prices', 'history_hot', 'publication', 'versions', 'movers']) {
      const sql = `SELECT * FROM ${table}`
      expect(rowsOf(path, sql)).toEqual(rowsOf(join(folder, 'catalog.db'), sql))
    }
    // A single file: a server can open it without write access beside it.
    expect(existsSync(`${path}-wal`)).toBe(false)
    expect(readFileSync(path).subarray(18, 20)).toEqual(Buffer.from([1, 1]))
  })

  test('carry the closed months once, in a file of their own', async () => {
    const { publish, fetch, list, change, histories, object, folder, replica } = await createPair()
    const before = historyOf(folder)
    expect(before.flat().length).toBeGreaterThan(1_000)
    await publish()
    const [months] = histories()
    const { mtimeMs } = statSync(object(`catalog/${months}`))
    change()
    await publish()
    expect(histories()).toEqual([months ?? ''])
    expect(statSync(object(`catalog/${months}`)).mtimeMs).toBe(mtimeMs)
    const { path } = await fetch(await newest(list))
    expect(rowsOf(path, 'SELECT * FROM history_cold')).toEqual([])
    expect(historyOf(replica, path)).toEqual(before)
    expect(historyOf(folder)).toEqual(before)
  })

  test('replace the closed months, and keep those of versions to go back to', async () => {
    const { publish, list, change, histories, folder, bucket } = await createPair()
    await publish()
    const before = historyOf(folder)
    change("INSERT INTO history_cold SELECT id * 1024 + 1000, x'' FROM cards")
    await publish()
    expect(histories()).toHaveLength(2)
    const [, first] = await list()
    const restored = { version: first?.version, force: true }
    await restoreSnapshot({ dataDir: folder, bucket }, restored)
    expect(historyOf(folder)).toEqual(before)
    for (let version = 0; version < 6; version++) {
      change()
      await publish()
    }
    expect(histories()).toHaveLength(1)
  })

  test('are kept for five versions', async () => {
    const { publish, change, list, objects } = await createPair()
    for (let version = 0; version < 7; version++) {
      await publish()
      change()
    }
    const kept = await list()
    expect(kept).toHaveLength(5)
    const names = kept.map(({ key }) => key.replace('catalog/', ''))
    expect(objects()).toEqual([...names, 'snapshots.json'].sort())
    expect(kept.map(({ version }) => version)).toEqual(
      kept.map((_, index) => (kept[0]?.version ?? 0) - index),
    )
  })

  test('are backups of the days before', async () => {
    const { publish, change, list, objects } = await createPair({ keepDays: 4 })
    // Two versions a day, the last one on the current day.
    for (let half = 20; half >= 0; half--) {
      const at = new Date(Date.UTC(2026, 10, 23, 11) - half * 43_200_000).toISOString()
      change(undefined, at)
      await publish()
    }
    const kept = (await list()).map(({ changed_at }) => changed_at.slice(0, 13))
    expect(kept).toEqual([
      '2026-11-23T11',
      '2026-11-22T23',
      '2026-11-22T11',
      '2026-11-21T23',
      '2026-11-21T11',
      '2026-11-20T23',
    ])
    expect(objects()).toHaveLength(kept.length + 1)
  })

  test('follow the picture index between publications', async () => {
    const { publish, list, folder } = await createPair()
    await publish()
    const db = openDatabase(join(folder, 'catalog.db'))
    db.exec(`INSERT INTO card_pictures (card_id, game_id, model, image_url, status, updated_at, version)
               SELECT id, game_id, 'm', 'https://pictures.example', 'missing', 0, 7 FROM cards LIMIT 1`)
    db.close()
    expect(await publish()).toMatchObject({ outcome: 'published' })
    const [second, first] = await list()
    expect(second).toMatchObject({ version: first?.version, pictures: 7 })
  })

  test('replace the leftovers of a killed run', async () => {
    const { publish, list, object, objects, change, folder } = await createPair()
    await publish()
    const { key } = await newest(list)
    // Killed between the upload and the list: the file exists, and another one that nobody uses.
    copyFileSync(object(key), object('catalog/v9-0123456789abcdef.db.zst'))
    rmSync(object(SNAPSHOT_LIST))
    expect(await publish()).toMatchObject({ outcome: 'published' })
    expect((await newest(list)).key).toBe(key)
    expect(objects()).toEqual(['snapshots.json', key.replace('catalog/', '')])
    change()
    await publish()
    expect(listFolder(join(folder, 'snapshots'))).toEqual([])
  })

  test('leave other files in the folder alone', async () => {
    const { publish, bucket, objects } = await createPair()
    await bucket.replace('catalog/notes.txt', 'mine', undefined)
    await publish()
    expect(objects()).toContain('notes.txt')
  })

  test('of two servers in one folder are refused', async () => {
    const { publish, bucket } = await createPair()
    await publish()
    const other = await createLedgerFile()
    closers.push(other.close)
    const db = openDatabase(join(other.folder, 'catalog.db'))
    db.exec('UPDATE publication SET version = version + 5')
    db.close()
    const late = { ...bucket, replace: async () => false }
    const deps = {
      log: createTestLog([]),
      now: () => new Date(),
      keepDays: 0,
      dataDir: other.folder,
    }
    await expect(publishSnapshot({ ...deps, bucket: late })).rejects.toThrow(
      'Give each publishing server its own prefix',
    )
  })

  test.each<[string, (path: string) => void]>([
    ['is cut off', (path) => truncateSync(path, 50_000)],
    ['is empty', (path) => truncateSync(path, 0)],
    ['has a changed byte', (path) => damageObject(path, 40_000)],
    ['is another file', (path) => writeFileSync(path, Bun.zstdCompressSync('not a catalog'))],
    ['is a bomb', (path) => writeFileSync(path, Bun.zstdCompressSync(new Uint8Array(50_000_000)))],
    ['is missing', (path) => rmSync(path)],
  ])('are never opened if the file %s', async (_, damage) => {
    const { publish, fetch, list, object, replica } = await createPair()
    await publish()
    const snapshot = await newest(list)
    damage(object(snapshot.key))
    await expect(fetch(snapshot)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(listFolder(join(replica, 'snapshots'))).toEqual([])
  })

  test('are never opened without their closed months', async () => {
    const { publish, fetch, list, object, histories, replica } = await createPair()
    await publish()
    damageObject(object(`catalog/${histories()[0]}`), 2_000)
    await expect(fetch(await newest(list))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(listFolder(join(replica, 'snapshots'))).toEqual([])
    expect(listFolder(join(replica, 'history'))).toEqual([])
  })

  test('restore only the catalog: the newest or an earlier one', async () => {
    const { publish, change, list, bucket, folder } = await createPair()
    await publish()
    change("UPDATE games SET name = 'Renamed'")
    await publish()
    const [second, first] = await list()
    const ledger = readFileSync(join(folder, 'ledger.db'))
    const names = () => rowsOf(join(folder, 'catalog.db'), 'SELECT DISTINCT name FROM games')
    const restore = (options: { version?: number; force?: boolean }) =>
      restoreSnapshot(
        { dataDir: folder, bucket },
        { version: options.version, force: options.force ?? false },
      )
    await expect(restore({})).rejects.toThrow('Add --force')
    await expect(restore({ version: 99 })).rejects.toThrow(
      `Versions in it: ${second?.version}, ${first?.version}.`,
    )
    expect(await restore({ version: first?.version ?? 0, force: true })).toMatchObject({
      backup: first?.key,
      files: ['catalog.db', 'history.db'],
    })
    expect(names()).not.toContainEqual({ name: 'Renamed' })
    await restore({ force: true })
    expect(names()).toEqual([{ name: 'Renamed' }])
    expect(readFileSync(join(folder, 'ledger.db'))).toEqual(ledger)
    expect(listFolder(join(folder, 'snapshots'))).toEqual([])
  })

  test('bring the alerts of the replica, not those of the publisher', async () => {
    const { publish, fetch, list, change, replica, folder } = await createPair()
    const ledger = openDatabase(join(replica, 'ledger.db'))
    ledger.exec(`
      INSERT INTO accounts (id, email, password_hash, tier, created_at)
        VALUES (1, 'a@example.com', '', 'business', 0);
      INSERT INTO alert_channels (id, account_id, kind, url, secret, host, created_at, updated_at)
        VALUES ('wh_own', 1, 'webhook', 'https://shop.example', x'00', 'shop.example', 0, 0);
      INSERT INTO price_rules (id, account_id, channel_id, card_id, condition, threshold, created_at, updated_at)
        VALUES ('wh_own', 1, 'wh_own', 900401, 'above', 500000, 0, 0)`)
    ledger.close()
    change(`INSERT INTO alert_outbox (id, rule_id, body, created_at)
              VALUES ('msg_other', 'wh_other', '{}', 1795435200000)`)
    await publish()
    const first = await newest(list)
    const fetched = await fetch(first)
    expect(fetched.alerts).toBe(0)
    expect(rowsOf(fetched.path, 'SELECT id FROM alert_outbox')).toEqual([])
    serveSnapshot(replica, snapshotFileName(first))

    change('UPDATE prices SET market_price = 600000 WHERE card_id = 900401')
    await publish()
    const risen = await fetch(await newest(list))
    expect(risen.alerts).toBe(1)
    expect(rowsOf(risen.path, 'SELECT rule_id FROM alert_outbox')).toEqual([{ rule_id: 'wh_own' }])
    serveSnapshot(replica, snapshotFileName(await newest(list)))

    change()
    await publish()
    const again = await fetch(await newest(list))
    expect(again.alerts).toBe(0)
    // Not copied to the ledger yet, so it stays in the outbox.
    expect(rowsOf(again.path, 'SELECT rule_id FROM alert_outbox')).toEqual([{ rule_id: 'wh_own' }])
    expect(rowsOf(join(folder, 'catalog.db'), 'SELECT id FROM alert_outbox')).toEqual([
      { id: 'msg_other' },
    ])
  })
})

// A replica as an operator starts it: a process that gets its catalog from a bucket.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { publishSnapshot } from '#actions/operations/publish-snapshot.ts'
import { type Bucket, openBucket } from '#outbound/bucket/bucket.ts'
import { parseSnapshotList, SNAPSHOT_LIST } from '#rules/operations/snapshot-list.ts'
import { openDatabase } from '#store/db.ts'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { startService } from '../support/server-process.ts'
import { HAS_S3, type S3Server, startS3 } from '../support/snapshots/s3-server.ts'
import { createLedgerFile, createTestLog } from '../support/test-app.ts'

describe.skipIf(!HAS_S3)('a replica', () => {
  let server: S3Server
  let count = 0

  beforeAll(async () => {
    server = await startS3()
  })
  afterAll(() => server?.close())

  /** Creates the folder of a publishing server, its bucket, and the settings of its replicas. */
  async function createPublisher() {
    const { folder, close } = await createLedgerFile()
    closeAfterUse(close)
    const replica = createTempFolder('cardstock-replica-')
    const prefix = `shop-${count++}`
    const bucket = openBucket(server.settings(prefix))
    const env = {
      ...server.env,
      CATALOG_FROM: `s3://cards/${prefix}`,
      IDENTIFY_WORKERS: '0',
      BULK_FILES: 'off',
      BACKUP_DIR: 'off',
    }
    let version = 0
    return {
      bucket,
      object: (key: string) => server.path(`${prefix}/${key}`),
      async startReplica() {
        const service = await startService(replica, env)
        closeAfterUse(() => service.kill())
        return service
      },
      /**
       * Renames a game and publishes the change.
       *
       * @param onUpload called with the name of each new object, before any replica knows it
       */
      async publish(name: string, onUpload: (key: string) => void = () => {}): Promise<void> {
        const db = openDatabase(join(folder, 'catalog.db'))
        const changed_at = new Date(1_795_000_000_000 + 1_000 * version++).toISOString()
        db.transaction(() => {
          db.prepare('UPDATE games SET name = ? WHERE id = 9001').run(name)
          db.prepare('UPDATE publication SET version = version + 1, changed_at = ?').run(changed_at)
        })()
        db.close()
        const upload: Bucket['upload'] = async (key, path) => {
          const isNew = await bucket.upload(key, path)
          onUpload(key)
          return isNew
        }
        const deps = { dataDir: folder, log: createTestLog([]), now: () => new Date() }
        const snapshot = { ...deps, bucket: { ...bucket, upload }, keepDays: 0 }
        expect(await publishSnapshot(snapshot)).toMatchObject({ outcome: 'published' })
      },
    }
  }

  type Replica = Awaited<ReturnType<typeof startService>>

  /** Reads the name of a game, which needs no key. */
  async function readName({ url }: Replica): Promise<string | undefined> {
    const { data } = (await (await fetch(`${url}/v1/games`)).json()) as {
      data: { id: number; name: string }[]
    }
    return data.find(({ id }) => id === 9001)?.name
  }

  const readTag = async ({ url }: Replica) => (await fetch(`${url}/v1/games`)).headers.get('etag')

  async function until(check: () => Promise<boolean>): Promise<void> {
    while (!(await check())) await Bun.sleep(100)
  }

  test('is ready with its first snapshot, and takes over each that follows', async () => {
    const { publish, startReplica } = await createPublisher()
    await publish('First')
    const [replica, tags] = [await startReplica(), new Set<string | null>()]
    expect(await readName(replica)).toBe('First')
    tags.add(await readTag(replica))
    await publish('Second')
    await until(async () => (await readName(replica)) === 'Second')
    tags.add(await readTag(replica))
    expect(tags.size).toBe(2)
  })

  test('serves its last snapshot without the bucket, also after a restart', async () => {
    const { publish, startReplica } = await createPublisher()
    await publish('Kept')
    const first = await startReplica()
    const tag = await readTag(first)
    await server.stop()
    try {
      await first.kill()
      const again = await startReplica()
      expect(await readName(again)).toBe('Kept')
      expect(await readTag(again)).toBe(tag)
    } finally {
      await server.start()
    }
  })

  test('keeps its snapshot while the newest one is damaged or of another program', async () => {
    const { publish, startReplica, bucket, object } = await createPublisher()
    await publish('Whole')
    const replica = await startReplica()
    const [, etag] = await readList(bucket)
    await publish('Damaged', (key) => truncateSync(object(key), 1_000))
    const [damaged] = await readList(bucket)
    await until(async () => replica.output().includes('is not the file that was published'))
    expect(await readName(replica)).toBe('Whole')

    expect((await readList(bucket))[1]).not.toBe(etag)
    for (const [change, remedy] of [
      [(schema: number) => schema + 1, 'Upgrade this server'],
      [() => 25, 'by an unreleased version of Cardstock'],
    ] as const) {
      const foreign = damaged.map((one) => ({ ...one, schema: change(one.schema) }))
      const text = JSON.stringify({ format: 1, snapshots: foreign })
      const [, current] = await readList(bucket)
      expect(await bucket.replace(SNAPSHOT_LIST, text, current)).toBe(true)
      await until(async () => replica.output().includes(remedy))
      expect(await readName(replica)).toBe('Whole')
    }

    await publish('Whole again')
    await until(async () => (await readName(replica)) === 'Whole again')
  })
})

async function readList(bucket: Bucket) {
  const found = await bucket.read(SNAPSHOT_LIST)
  if (typeof found !== 'object') throw new Error('the bucket has no list')
  return [parseSnapshotList(found.text), found.etag] as const
}

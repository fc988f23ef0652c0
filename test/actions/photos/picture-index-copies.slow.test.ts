// The picture index from a catalog through a bucket to photo workers.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { followPictureIndex } from '#actions/photos/follow-picture-index.ts'
import { sharePictureIndex } from '#actions/photos/share-picture-index.ts'
import { type Bucket, openBucket } from '#outbound/bucket/bucket.ts'
import type { StoredReferences } from '#store/catalog/pictures/reference-copies.ts'
import { openDatabase } from '#store/db.ts'
import { openPictureReader } from '#store/open-catalog.ts'
import type { VectorSource } from '#vision/retrieval/index-updates.ts'
import { createWorkerProcess } from '../../support/photos/worker-process.ts'
import { HAS_S3, type S3Server, startS3 } from '../../support/snapshots/s3-server.ts'
import { createLedgerFile, createTestLog } from '../../support/test-app.ts'

const NOTHING_LEARNED: StoredReferences = { version: 0, references: [] }

describe.skipIf(!HAS_S3)('the picture index in a bucket', () => {
  let server: S3Server
  let count = 0
  const closers: (() => unknown)[] = []

  beforeAll(async () => {
    server = await startS3()
  })
  afterAll(() => server?.close())
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  /** Creates a server with the sample and some pictures, and the folder of a photo worker. */
  async function createPair() {
    const { folder, close } = await createLedgerFile()
    const workerDir = mkdtempSync(join(tmpdir(), 'cardstock-worker-'))
    closers.push(close, () => rmSync(workerDir, { recursive: true }))
    const name = `pictures-${count++}`
    const bucket = openBucket(server.settings(name))
    const log = createTestLog([])
    return {
      workerDir,
      name,
      share: (isInFleet = false, references = NOTHING_LEARNED) =>
        sharePictureIndex({ dataDir: folder, bucket, isInFleet, references, log }),
      /** Shares it with an object that was damaged before it is listed. */
      async shareDamaged() {
        const upload: Bucket['upload'] = async (key, path) => {
          const isNew = await bucket.upload(key, path)
          truncateSync(server.path(`${name}/${key}`), 500)
          return isNew
        }
        const deps = { dataDir: folder, bucket: { ...bucket, upload }, isInFleet: false, log }
        await sharePictureIndex({ ...deps, references: NOTHING_LEARNED })
      },
      async follow() {
        const followed = await followPictureIndex({ dataDir: workerDir, bucket, log, lookMs: 20 })
        closers.push(followed.close)
        return followed
      },
      /** Indexes pictures of cards, all with this version. */
      index(version: number, cards: number, vector: string | null = 'randomblob(128)'): void {
        const db = openDatabase(join(folder, 'catalog.db'))
        db.exec(
          `INSERT OR REPLACE INTO card_pictures (card_id, game_id, model, image_url, vector, hash,
             art_group, status, updated_at, version)
           SELECT id, game_id, 'm', 'https://pictures.example', ${vector}, ${vector},
             ${vector === null ? null : 'id'}, ${vector === null ? "'gone'" : "'indexed'"}, '', ${version}
             FROM cards ORDER BY id LIMIT ${cards}`,
        )
        db.close()
      },
      /** The pictures as the server reads them. */
      own() {
        const reader = openPictureReader(folder)
        const contents = contentsOf(reader.pictures)
        reader.close()
        return contents
      },
      objects: () =>
        readdirSync(server.path(`${name}/pictures`))
          .filter((key) => key[0] === 'v')
          .sort(),
    }
  }

  test('has the vectors and hashes of the catalog, and follows its growth', async () => {
    const { share, follow, index, own } = await createPair()
    index(1, 20)
    await share()
    const { pictures } = await follow()
    const first = contentsOf(pictures)
    expect(first.rows).toHaveLength(20)
    expect(first).toEqual(own())
    index(2, 5, null)
    index(3, 2)
    await share()
    while (pictures.getVersion() < 3) await Bun.sleep(5)
    expect(contentsOf(pictures)).toEqual(own())
    // A thread with the first version gets only the changes.
    const changed = [...pictures.listChangesSince(1)].flat()
    expect(changed.map(({ vector }) => vector !== undefined).sort()).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
  })

  test('is uploaded if it has changed, and kept twice', async () => {
    const { share, index, objects, name } = await createPair()
    await share()
    expect(readdirSync(server.path(''))).not.toContain(name)
    for (const version of [1, 2, 3]) {
      index(version, version)
      await share()
      await share()
    }
    expect(objects().map((key) => key.split('-')[0])).toEqual(['v2', 'v3'])
  })

  test('is not replaced by an older one of a former leader', async () => {
    const { share, index, follow } = await createPair()
    index(7, 3)
    await share(true)
    index(5, 10)
    await share(true)
    expect((await follow()).pictures.getVersion()).toBe(7)
    // A separate server may have restored an earlier catalog.
    await share(false)
    const { pictures } = await follow()
    // The first one may briefly have both files open.
    while (pictures.getVersion() !== 5) await Bun.sleep(5)
    expect(contentsOf(pictures).rows).toHaveLength(10)
  })

  test('is the last intact one while the bucket is damaged or away, also after a restart', async () => {
    const { share, shareDamaged, index, follow, workerDir } = await createPair()
    index(1, 10)
    await share()
    const { pictures } = await follow()
    index(2, 10)
    await shareDamaged()
    await Bun.sleep(100)
    expect(pictures.getVersion()).toBe(1)
    await server.stop()
    const restarted = await follow()
    expect(restarted.pictures.getVersion()).toBe(1)
    expect([...restarted.pictures.listChangesSince(-1)].flat()).toHaveLength(10)
    await server.start()
    const kept = readdirSync(join(workerDir, 'picture-index')).filter((one) => one.endsWith('.db'))
    expect(kept).toHaveLength(1)
  })

  test('is all that a photo worker needs in its folder', async () => {
    const { share, index, name, workerDir } = await createPair()
    index(1, 10)
    await share()
    const worker = await createWorkerProcess({
      dataDir: workerDir,
      env: { ...server.env, SNAPSHOTS_URL: `s3://cards/${name}` },
    })
    closers.push(worker.kill)
    worker.spawn()
    await worker.ready()
    expect(readdirSync(workerDir)).not.toContain('catalog.db')
    const [file = ''] = readdirSync(join(workerDir, 'picture-index'))
    expect(statSync(join(workerDir, 'picture-index', file)).size).toBeGreaterThan(2_560)
  })

  test('may be missing: then photos are read by their print alone', async () => {
    const { follow } = await createPair()
    expect(contentsOf((await follow()).pictures)).toEqual({
      version: 0,
      rows: [],
      hashes: new Map(),
    })
  })
})

/** Returns everything that the threads of a reader receive. */
function contentsOf(pictures: VectorSource) {
  const rows = [...pictures.listChangesSince(-1)].flat()
  const hashes = pictures.getHashes(rows.map(({ card_id }) => card_id))
  return { version: pictures.getVersion(), rows, hashes }
}

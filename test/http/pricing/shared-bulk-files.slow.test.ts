// Bulk files in a bucket: one server builds and uploads them, others offer them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shareBulkFiles } from '#actions/pricing/share-bulk-files.ts'
import { type Bucket, openBucket } from '#outbound/bucket/bucket.ts'
import { type BulkFile, bulkPrefix } from '#rules/pricing/bulk-list.ts'
import { bulkFolder, readBulkManifest } from '#store/files/bulk-files.ts'
import { HAS_S3, type S3Server, startS3 } from '../../support/snapshots/s3-server.ts'
import { createTestApp, createTestLog, type TestApp } from '../../support/test-app.ts'

type ListedFile = Omit<BulkFile, 'name'> & { download_url: string }
type Listed = { data: ListedFile[]; meta: { version: number | null } }

describe.skipIf(!HAS_S3)('bulk files in a bucket', () => {
  let server: S3Server
  let builder: TestApp
  let bucket: Bucket
  /** Forwards files, or redirects clients to the bucket. */
  let passing: TestApp
  let redirecting: TestApp

  const log = createTestLog([])
  const share = (version: number, isInFleet = true) =>
    shareBulkFiles({ dataDir: builder.deps.config.dataDir, bucket, isInFleet, log }, version)
  const build = async () => {
    await builder.buildBulkFiles()
    return builder.deps.catalog.publication.getCurrent().version
  }
  const versionsIn = () => readdirSync(server.path('shop/bulk')).filter((name) => name[0] === 'v')

  beforeAll(async () => {
    server = await startS3()
    const settings = server.settings('shop')
    bucket = openBucket(settings)
    builder = await createTestApp({ onDisk: true })
    passing = await createTestApp({ bulkBucket: bucket })
    redirecting = await createTestApp({
      bulkBucket: openBucket({ ...settings, publicEndpoint: settings.endpoint }),
    })
    for (const app of [builder, passing, redirecting]) app.listen()
  })
  afterAll(() => server?.close())

  const request = (
    app: TestApp,
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ) =>
    fetch(`http://127.0.0.1:${app.app.server?.port}${path}`, {
      method,
      redirect: 'manual' as const,
      headers: { 'x-api-key': app.keys.business, ...headers },
    })
  const list = async (app: TestApp) =>
    (await (await request(app, '/v1/bulk-data')).json()) as Listed
  const pathOf = ({ download_url }: ListedFile) => new URL(download_url).pathname

  test('are listed and sent by every server once they are complete', async () => {
    expect(await list(passing)).toMatchObject({ data: [], meta: { version: null } })
    await share(await build())
    const built = await list(builder)
    expect(built.data.length).toBeGreaterThan(8)
    expect((await list(passing)).data).toEqual(built.data)
    for (const file of built.data) {
      const reply = await request(passing, pathOf(file))
      const bytes = await reply.bytes()
      expect([reply.status, bytes.length, sha256Of(bytes)]).toEqual([200, file.size, file.sha256])
    }
  })

  test('have the headers, ranges and tags that files of the data folder have', async () => {
    const [file] = (await list(builder)).data as [ListedFile]
    const answers = async (app: TestApp, headers: Record<string, string>, method?: string) => {
      const reply = await request(app, pathOf(file), headers, method)
      const shown = [...reply.headers].filter(([name]) => !OWN_HEADERS.test(name))
      const { status } = reply
      const bytes = await reply.bytes()
      // An error contains the remaining quota.
      return { status, headers: shown.sort(), body: status === 416 ? '' : sha256Of(bytes) }
    }
    const tag = `"${file.sha256}"`
    const requests: [headers: Record<string, string>, method?: string][] = [
      [{}],
      [{}, 'HEAD'],
      [{ range: 'bytes=10-99' }],
      [{ range: 'bytes=-20' }],
      [{ range: `bytes=${file.size}-` }],
      [{ range: 'bytes=10-', 'if-range': tag }],
      [{ range: 'bytes=10-', 'if-range': '"other"' }],
      [{ 'if-none-match': tag }],
    ]
    for (const [headers, method] of requests) {
      expect(await answers(passing, headers, method)).toEqual(
        await answers(builder, headers, method),
      )
    }
  })

  test('are sent from the bucket to clients that reach it, after their tier was checked', async () => {
    const file = (await list(builder)).data.find(({ type }) => type === 'catalog') as ListedFile
    const refused = await request(redirecting, pathOf(file), { 'x-api-key': redirecting.keys.free })
    expect([refused.status, refused.headers.get('location')]).toEqual([403, null])
    const reply = await request(redirecting, pathOf(file))
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([302, 'private, no-store'])
    const location = reply.headers.get('location') ?? ''
    const part = await fetch(location, { headers: { range: 'bytes=0-9' } })
    expect([part.status, (await part.bytes()).length]).toEqual([206, 10])
    const whole = await fetch(location)
    expect(whole.headers.get('content-disposition')).toContain('all-v')
    expect(sha256Of(await whole.bytes())).toBe(file.sha256)
    expect((await fetch(location.replace('Expires=300', 'Expires=301'))).status).toBe(403)
    const known = await request(redirecting, pathOf(file), { 'if-none-match': `"${file.sha256}"` })
    const head = await request(redirecting, pathOf(file), {}, 'HEAD')
    expect([known.status, head.status]).toEqual([304, 200])
  })

  test('are kept for two versions, and those of a version in progress are left alone', async () => {
    const [first] = versionsIn()
    builder.publish()
    const second = await build()
    await share(second)
    expect(versionsIn()).toContain(first ?? '')
    const begun = server.path(`shop/bulk/v${second + 2}-20261124000000000/all`)
    mkdirSync(begun, { recursive: true })
    writeFileSync(join(begun, 'cards.jsonl.gz'), 'begun')
    builder.publish()
    const third = await build()
    await share(third)
    expect(versionsIn()).toHaveLength(3)
    expect(versionsIn()).not.toContain(first ?? '')
    expect(readdirSync(begun)).toEqual(['cards.jsonl.gz'])
    rmSync(join(begun, '..'), { recursive: true })
    // A former leader that was paused.
    await share(second)
    expect((await list(passing)).meta.version).toBe(third)
    // An operator has restored an earlier catalog on a separate server.
    await share(second, false)
    expect((await list(passing)).meta.version).toBe(second)
  })

  test('have each month of the history once, until no version has it', async () => {
    const months = () => readdirSync(server.path('shop/bulk/history')).sort()
    const historyOf = async () =>
      (await list(passing)).data.filter(({ type }) => type === 'history')
    const stored = months()
    expect(stored).toHaveLength((await historyOf()).length)
    const written = stored.map((name) => statSync(server.path(`shop/bulk/history/${name}`)).mtimeMs)
    builder.publish()
    await share(await build())
    expect(months()).toEqual(stored)
    expect(
      stored.map((name) => statSync(server.path(`shop/bulk/history/${name}`)).mtimeMs),
    ).toEqual(written)
    const month = `history_hot WHERE month = (SELECT max(month) FROM history_hot)`
    builder.publish(`DELETE FROM ${month} AND series_id = (SELECT min(series_id) FROM ${month})`)
    await share(await build())
    expect(months()).toHaveLength(stored.length + 1)
    for (const file of await historyOf()) {
      const reply = await request(passing, pathOf(file))
      expect([reply.status, sha256Of(await reply.bytes())]).toEqual([200, file.sha256])
    }
    builder.publish()
    await share(await build())
    expect(months()).toHaveLength(stored.length)
  })

  test('that are unavailable cause an error that explains it', async () => {
    const [file] = (await list(passing)).data as [ListedFile]
    const { version } = (await list(passing)).meta
    const manifest = readBulkManifest(bulkFolder(builder.deps.config.dataDir), version ?? 0)
    if (manifest === undefined) throw new Error('there are no bulk files')
    rmSync(server.path(`shop/${bulkPrefix(manifest)}`), { recursive: true })
    expect((await request(passing, pathOf(file))).status).toBe(404)
    await server.stop()
    const [listed, sent] = [
      await request(passing, '/v1/bulk-data'),
      await request(passing, pathOf(file)),
    ]
    expect([listed.status, sent.status]).toEqual([503, 503])
    await server.start()
    expect((await request(passing, '/v1/bulk-data')).status).toBe(200)
  })
})

/** Headers that differ between responses, and those with which Bun sends a stream. */
const OWN_HEADERS =
  /^(date|x-request-id|ratelimit|x-ratelimit-remaining|content-length|transfer-encoding)$/

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

// A server and its photo worker as an operator starts them, with the real networks.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPhotoWorker } from '#outbound/photos/photo-worker-client.ts'
import { openPictureReader } from '#store/open-catalog.ts'
import { createPhotoReader } from '#vision/worker/reader.ts'
import { createServiceAccounts } from '../support/accounts/service-accounts.ts'
import { findFreePort } from '../support/free-port.ts'
import { createWorkerProcess, WORKER_SECRET } from '../support/photos/worker-process.ts'
import { ROOT, runProcess } from '../support/process.ts'
import { prepareSample, startServerProcess } from '../support/server-process.ts'

const PHOTO = join(ROOT, 'data/sample/photos/clean.jpg')
const root = mkdtempSync(join(tmpdir(), 'cardstock-read-'))
const [dataDir, copyDir] = [join(root, 'data'), join(root, 'copy')]

beforeAll(async () => {
  await prepareSample(dataDir)
  mkdirSync(copyDir)
  copyFileSync(join(dataDir, 'catalog.db'), join(copyDir, 'catalog.db'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function identifyFace(url: string, key: string) {
  const response = await fetch(`${url}/v1/identify`, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg', 'x-api-key': key },
    body: Bun.file(PHOTO),
  })
  const { data, meta, error } = await response.json()
  return { status: response.status, data, meta, code: error?.code }
}

test('a server reads its photos on a worker with a copy of its catalog, and waits for one to be ready', async () => {
  const worker = await createWorkerProcess({ dataDir: copyDir, isScripted: false })
  const [account] = await createServiceAccounts(dataDir, [
    { tier: 'pro', scans: 10, isOperator: true },
  ])
  if (account === undefined) throw new Error('no account')
  const server = startServerProcess({
    dataDir,
    port: await findFreePort(),
    // READERS overrides IDENTIFY_WORKERS.
    env: { READERS: worker.url, APP_SECRET: WORKER_SECRET, IDENTIFY_WORKERS: '1' },
  })
  try {
    while ((await fetch(`${server.url}/healthz`).catch(() => undefined)) === undefined) {
      await Bun.sleep(20)
    }
    const early = await fetch(`${server.url}/readyz`)
    expect([early.status, await early.json()]).toEqual([
      503,
      { status: 'not ready', faults: ['reader'] },
    ])
    expect(await identifyFace(server.url, account.key)).toMatchObject({
      status: 503,
      code: 'IDENTIFY_UNAVAILABLE',
    })
    worker.spawn()
    await server.ready()
    const read = await identifyFace(server.url, account.key)
    expect(read).toMatchObject({
      status: 200,
      // 25 from the trial, including a refunded one.
      meta: { charged: 'scan', scans_remaining: 34 },
      data: {
        status: 'matched',
        read: { kind: 'raw', name: 'Tide Clerk', number: '10' },
        candidates: [{ score: expect.any(Number) }],
      },
    })
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('cardstock_reader_ready 1')
    const status = await fetch(`${server.url}/v1/operator/status`, {
      headers: { cookie: account.cookie },
    })
    expect((await status.json()).data.reader).toMatchObject({ workers: 1, state: 'ready' })
    expect(await worker.stop()).toBe(0)
  } finally {
    await server.kill()
    await worker.kill()
  }
  expect(server.output()).toContain('"event":"photo worker ready"')
})

test('a worker observes exactly the same as a reader in the process', async () => {
  const worker = await createWorkerProcess({ dataDir: copyDir, isScripted: false })
  const catalog = openPictureReader(copyDir)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const local = createPhotoReader({ workers: 1, log, pictures: catalog.pictures })
  try {
    worker.spawn()
    const photo = await Bun.file(PHOTO).bytes()
    const request = { gameId: undefined, sender: { network: 'n', payer: 'p' } }
    const expected = await local.read(photo, request)
    await worker.ready()
    const client = openPhotoWorker(worker.url, WORKER_SECRET)
    const answer = await client.read(photo, request, AbortSignal.timeout(30_000))
    expect(expected.lines.length).toBeGreaterThan(3)
    expect(answer).toMatchObject({ reply: { result: { kind: 'read', observation: expected } } })
  } finally {
    await local.close()
    catalog.close()
    await worker.kill()
  }
})

test.each([
  ['no secret', {}, 'APP_SECRET is missing. Set it to that of the servers.'],
  [
    'no catalog',
    { APP_SECRET: WORKER_SECRET, DATA_DIR: root },
    `${root}/catalog.db does not exist. Set SNAPSHOTS_URL to the bucket of the servers`,
  ],
])('a worker with %s ends with the remedy', async (_, env, message) => {
  const { code, stderr } = await runProcess('src/read.ts', { env: { ...env } })
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
})

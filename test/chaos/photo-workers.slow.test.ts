// Photo workers as processes that are killed, stopped or hang while they read. Photos are scripted, and each uses one
// scan of an account in a real ledger. `bun run chaos photos` runs it at full size.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPhotoWorker } from '#outbound/photos/photo-worker-client.ts'
import { TIERS } from '#rules/accounts/tiers.ts'
import { createRemoteReader } from '#vision/worker/remote-reader.ts'
import { CHAOS_LIMIT_MS, CHAOS_SIZE, sizedFor } from '../support/chaos.ts'
import { closeAfterEach } from '../support/closers.ts'
import { createWorkerProcess, WORKER_SECRET } from '../support/photos/worker-process.ts'
import { randomFrom, SEED } from '../support/random.ts'
import { prepareSample } from '../support/server-process.ts'
import { createTestApp, emailOf } from '../support/test-app.ts'

setDefaultTimeout(CHAOS_LIMIT_MS)

const PHOTOS = sizedFor(150, 1_000)
const GRANTED = 10_000
const READING_MS = 20
/** Number of an account's photos that may wait for a worker. */
const PHOTOS_AT_ONCE = 2
const FIRST_PHOTOS = PHOTOS_AT_ONCE * TIERS.length

let root = ''
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'cardstock-workers-'))
  await prepareSample(root)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const closers = closeAfterEach()

/** Starts two workers, and a service that sends its photos to them. */
async function openService() {
  const workers = [
    await createWorkerProcess({ dataDir: root }),
    await createWorkerProcess({ dataDir: root }),
  ]
  for (const worker of workers) {
    closers.push(worker.kill)
    worker.spawn()
  }
  await Promise.all(workers.map((worker) => worker.ready()))
  const served = workers.map(() => 0)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const reader = createRemoteReader({
    log,
    limits: { pollIntervalMs: 100 },
    workers: workers.map(({ url }, index) => {
      const worker = openPhotoWorker(url, WORKER_SECRET)
      return {
        ...worker,
        async read(...request: Parameters<typeof worker.read>) {
          const answer = await worker.read(...request)
          if (answer.kind === 'reply' && answer.reply.result?.kind === 'read') {
            served[index] = (served[index] ?? 0) + 1
          }
          return answer
        },
      }
    }),
  })
  closers.push(() => reader.close())
  while (reader.state().threads < workers.length) await Bun.sleep(5)
  const testApp = await createTestApp({ reader })
  closers.push(testApp.close)
  const accounts = new Map<string, number>()
  for (const tier of TIERS) {
    const account = await testApp.deps.ledger.accounts.getByEmail(emailOf(tier))
    const grant = { account_id: account?.id ?? 0, n: GRANTED, ref: `of ${tier}` }
    await testApp.deps.ledger.scans.grant(grant, { now: testApp.deps.now(), address: undefined })
    accounts.set(tier, 0)
  }
  return { ...testApp, workers, served, reader, accounts }
}

type Service = Awaited<ReturnType<typeof openService>>
type Responses = Map<number, number>

/** Sends at least this many photos of all accounts, several at once, and counts the responses by status. */
async function sendPhotos(
  { client, accounts, reader }: Service,
  count: number,
  isEnough = () => true,
): Promise<Responses> {
  const responses: Responses = new Map()
  let sent = 0
  async function send(tier: (typeof TIERS)[number]): Promise<void> {
    while (sent < count || !isEnough()) {
      const photo = `RIFF\0\0\0\0WEBP\0sleep ${READING_MS} ${sent++}`
      const { status } = await client.request('POST', '/v1/identify', {
        as: tier,
        body: new TextEncoder().encode(photo),
        headers: { 'content-type': 'image/webp' },
      })
      responses.set(status, (responses.get(status) ?? 0) + 1)
      if (status === 200) accounts.set(tier, (accounts.get(tier) ?? 0) + 1)
      // A real client waits for some seconds; this one until the next photo has a chance.
      while (status === 503 && !reader.state().ready) await Bun.sleep(20)
    }
  }
  await Promise.all(
    TIERS.flatMap((tier) => Array.from({ length: PHOTOS_AT_ONCE }, () => send(tier))),
  )
  return responses
}

/** Compares every account with its responses: one scan for each success, none otherwise. */
async function findFaults({ client, deps, accounts }: Service, responses: Responses) {
  const faults = { lost: 0, chargedTwice: 0, notRefunded: 0 }
  let recorded = 0
  for (const [tier, identified] of accounts) {
    const { body } = await client.get<{
      balance: number
      days: { scans: number; refunded: number }[]
    }>('/v1/identify/usage', { as: tier as (typeof TIERS)[number] })
    const charged = GRANTED + 25 - (body.data?.balance ?? 0)
    faults.lost += Math.max(0, identified - charged)
    faults.chargedTwice += Math.max(0, charged - identified)
    recorded += body.data?.days.at(-1)?.refunded ?? 0
  }
  faults.notRefunded = (responses.get(503) ?? 0) - recorded
  expect(await deps.ledger.scans.listUnbalanced()).toEqual([])
  return faults
}

const WELL = { lost: 0, chargedTwice: 0, notRefunded: 0 }

const total = (responses: Responses) => responses.values().reduce((sum, count) => sum + count, 0)

test('two photo workers share the photos of a server', async () => {
  const service = await openService()
  const responses = await sendPhotos(service, 60)
  expect([...responses]).toEqual([[200, 60]])
  // Each gets half of the first photos, and then the next one whenever it has fewer.
  for (const served of service.served) expect(served).toBeGreaterThanOrEqual(FIRST_PHOTOS / 2)
  expect(await findFaults(service, responses)).toEqual(WELL)
})

test(`${PHOTOS} photos on workers that are killed at any moment: all are answered or refunded`, async () => {
  const service = await openService()
  const random = randomFrom(SEED)
  const started = performance.now()
  let kills = 0
  const sending = sendPhotos(service, PHOTOS, () => kills > 1)
  let isOver = false
  void sending.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await Bun.sleep(200 + random() * 400)
    if (isOver) break
    const both = random() < 0.2
    const killedWorkers = both ? service.workers : [service.workers[random() < 0.5 ? 0 : 1]]
    await Promise.all(killedWorkers.map((worker) => worker?.kill()))
    for (const worker of killedWorkers) worker?.spawn()
    for (const worker of killedWorkers) await worker?.ready()
    kills += killedWorkers.length
  }
  const responses = await sending
  const faults = await findFaults(service, responses)
  const [read = 0, refunded = 0] = [responses.get(200), responses.get(503)]
  console.info(
    `${total(responses)} photos, ${kills} kills of two workers: ${read} read (${service.served.join(' and ')}), ${refunded} refunded; scans lost ${faults.lost}, charged twice ${faults.chargedTwice}; ${((performance.now() - started) / 1_000).toFixed(1)} s, seed ${SEED}`,
  )
  expect(faults).toEqual(WELL)
  expect(kills).toBeGreaterThan(1)
  expect(read + refunded).toBe(total(responses))
  expect(total(responses)).toBeGreaterThanOrEqual(PHOTOS)
  expect(read).toBeGreaterThan(0)
})

test('a worker that is stopped under load finishes its photos, and the other one reads the rest', async () => {
  const service = await openService()
  const [first] = service.workers
  const sending = sendPhotos(service, 120)
  await Bun.sleep(300)
  const [code, responses] = await Promise.all([first?.stop(), sending])
  expect(code).toBe(0)
  expect([...responses]).toEqual([[200, 120]])
  expect(await findFaults(service, responses)).toEqual(WELL)
})

// It takes seconds to notice; remote-reader.test.ts has the short version.
test.if(CHAOS_SIZE === 'full')(
  'the photos of a frozen worker are read by the other one',
  async () => {
    const service = await openService()
    const [first] = service.workers
    const sending = sendPhotos(service, 60)
    await Bun.sleep(200)
    first?.signal('SIGSTOP')
    const responses = await sending
    first?.signal('SIGCONT')
    expect([...responses]).toEqual([[200, 60]])
    expect(await findFaults(service, responses)).toEqual(WELL)
  },
)

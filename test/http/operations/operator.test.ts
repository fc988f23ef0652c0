import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backUpOnSchedule } from '#actions/operations/back-up.ts'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { acquireLock } from '#store/files/lock.ts'
import type { SyncOptions } from '#store/memory/sync-trigger.ts'
import { createDisabledReader } from '#vision/worker/photo-reader.ts'
import type { OperatorStatus } from '../../../src/client/endpoints.ts'
import { addAlert, getWebhookId, WEBHOOK_INPUT } from '../../support/alerts/webhook-fixtures.ts'
import { createTempFolder } from '../../support/closers.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, emailOf, FROZEN_TIME, type TestAppOptions } from '../../support/test-app.ts'
import type { TestRequestOptions } from '../../support/test-client.ts'

// Status and manual syncs for operators, by response.

const UPSTREAM_URL = 'https://reader:secret@mirror.example/prices/'
const STATUS = '/v1/operator/status'
const SYNC = '/v1/operator/sync'

/** Creates an app with a logged-in operator, and recorded sync requests. */
async function openOperated({ env = {}, ...options }: TestAppOptions = {}) {
  const testApp = await createTestApp({ ...options, env: { UPSTREAM_URL, ...env } })
  await testApp.makeOperator('free')
  const session = await testApp.createSession('free')
  const syncRequests: SyncOptions[] = []
  const syncJob = { isRunning: false }
  testApp.deps.triggers.sync.attach({
    isRunning: () => syncJob.isRunning,
    start: (options) => void syncRequests.push(options),
  })
  return {
    testApp,
    session,
    syncRequests,
    syncJob,
    status: async () => {
      const { status, body } = await testApp.client.get<OperatorStatus>(STATUS, { session })
      expect(status).toBe(200)
      return body.data
    },
    sync: (json?: unknown, testRequestOptions: TestRequestOptions = {}) =>
      testApp.client.post(SYNC, json, { session, ...testRequestOptions }),
  }
}

test('403 before the body is read', async () => {
  const { testApp } = await openOperated()
  const session = await testApp.createSession('business')
  let isRead = false
  const body = new ReadableStream(
    {
      pull(controller) {
        isRead = true
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': 'application/json' }
  const refused = await testApp.client.request('POST', SYNC, { session, body, headers })
  expectRefusal(refused, 403, 'OPERATOR_REQUIRED')
  expect(isRead).toBe(false)
})

describe('GET /v1/operator/status', () => {
  test('200: contains no account, credentials or folders of the machine', async () => {
    const { testApp, session } = await openOperated({ onDisk: true })
    testApp.deps.log.error('request failed', {
      request_id: 'r1',
      error: new Error(
        `${emailOf('pro')} with ${testApp.keys.pro} in ${testApp.deps.config.dataDir}/x`,
      ),
    })
    const { text } = await testApp.client.get(STATUS, { session })
    for (const secret of [
      testApp.deps.config.dataDir,
      'secret',
      'guests.example',
      testApp.keys.pro,
    ]) {
      expect(text).not.toContain(secret)
    }
    expect(text).toContain('"upstream":"mirror.example/prices"')
  })

  test('200: why a game could not be refreshed, until it could', async () => {
    const { testApp, status } = await openOperated({ onDisk: true })
    const { dataDir } = testApp.deps.config
    const intake = await openCatalogWriterDeps(
      { ...testApp.deps.config, dataDir },
      testApp.deps.log,
    )
    const { syncLog } = intake.catalogWriter
    const [first, second] = syncLog.listGames().map(({ id, slug }) => ({ id, slug }))
    if (first === undefined || second === undefined) throw new Error('the sample has no games')
    const end = (failures: SyncReport['failures'], at: string) => {
      const run = syncLog.start(new Date(at))
      const report = { failures, sets_read: 0 }
      syncLog.finish(
        run,
        new Date(at),
        failures.length === 0 ? 'complete' : 'incomplete',
        undefined,
        report,
      )
    }
    const errors = async () =>
      (await status()).games.map(({ slug, last_error }) => [slug, last_error])
    const failure = { game: first.slug, set: 90011, reason: 'the mirror responded with 404.' }
    end([failure], '2026-11-15T21:10:00.000Z')
    end([], '2026-11-15T21:20:00.000Z')
    syncLog.markStale(first.id, new Date(FROZEN_TIME))
    expect(await errors()).toEqual([
      [first.slug, { at: '2026-11-15T21:10:00.000Z', message: 'the mirror responded with 404.' }],
      [second.slug, null],
      ['perihelion-drift', null],
    ])
    const all = { game: 'all', reason: `${dataDir}/last-updated.txt: it is gone.` }
    end([all], '2026-11-15T21:25:00.000Z')
    const { sync, games } = await status()
    const message = 'last-updated.txt: it is gone.'
    expect(games[0]?.last_error).toEqual({ at: '2026-11-15T21:25:00.000Z', message })
    expect(sync.last).toMatchObject({
      ended_at: '2026-11-15T21:25:00.000Z',
      outcome: 'incomplete',
      failure_count: 1,
      failures: [{ game: 'all', set_id: null, message }],
    })
    syncLog.markFresh(first.id)
    expect((await errors()).map(([, error]) => error)).toEqual([null, null, null])
    intake.close()
  })

  test('200: whether a sync is running, in this process or another', async () => {
    const { testApp, status, syncJob } = await openOperated({ onDisk: true })
    const isRunning = async () => (await status()).sync.is_running
    expect(await isRunning()).toBe(false)
    syncJob.isRunning = true
    expect(await isRunning()).toBe(true)
    syncJob.isRunning = false
    const unlock = acquireLock(testApp.deps.config.dataDir, 'intake')
    expect(await isRunning()).toBe(true)
    unlock?.()
    expect(await isRunning()).toBe(false)
  })

  test('200: the other fields if a lock or a backup cannot be read', async () => {
    const backups = createTempFolder('cardstock-operator-')
    const { testApp, status } = await openOperated({ onDisk: true, env: { BACKUP_DIR: backups } })
    // The tests' user can read every file, but not a folder in its place.
    const manifest = join(backups, 'cardstock-2026-11-15T21-07-00.000Z/manifest.json')
    const lock = join(testApp.deps.config.dataDir, 'intake.lock')
    rmSync(lock, { force: true })
    for (const path of [manifest, lock]) mkdirSync(path, { recursive: true })
    const report = await status()
    expect(report.sync.is_running).toBe(false)
    expect(report.backups).toEqual({ newest_at: null, count: 0, bytes: 0 })
  })

  test('200: each job with its last and its next run', async () => {
    const { testApp, status } = await openOperated()
    const { jobs } = testApp.deps
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 15, 21, minute))
    jobs.register('back up', () => at(37))
    jobs.register('sync on request')
    for (const [minute, outcome] of [
      [1, 'done'],
      [3, 'failed'],
    ] as const) {
      jobs.started('back up', at(minute))
      jobs.finished('back up', at(minute + 1), outcome)
    }
    jobs.started('sync on request', at(5))
    expect((await status()).jobs).toEqual([
      {
        name: 'back up',
        is_running: false,
        runs: 2,
        failures: 1,
        last_started_at: at(3).toISOString(),
        last_ended_at: at(4).toISOString(),
        last_outcome: 'failed',
        next_at: at(37).toISOString(),
        server: null,
      },
      {
        name: 'sync on request',
        is_running: true,
        runs: 0,
        failures: 0,
        last_started_at: at(5).toISOString(),
        last_ended_at: null,
        last_outcome: null,
        next_at: null,
        server: null,
      },
    ])
  })

  test('200: messages that are due, for how long, and those that were given up', async () => {
    const { testApp, status } = await openOperated()
    const { ledger, now } = testApp.deps
    const webhook = await getWebhookId(testApp, 'pro')
    const ids = []
    for (const minute of [10, 20, 29]) {
      ids.push((await addAlert(testApp, webhook, `2026-11-15T21:${minute}:00.000Z`)).id)
    }
    const owner = 'test'
    const hold = { owner, now: now(), leaseMs: 60_000, pausedMs: 0 }
    expect(await ledger.messages.lease(hold, ids.slice(0, 1))).toHaveLength(1)
    expect((await status()).deliveries).toEqual({
      watches: 1,
      network: 'loopback-ok',
      pending: 3,
      due: 2,
      oldest_due_seconds: 600,
      dead: 0,
    })
    const sent = { message_id: ids[0] ?? '', owner, url: WEBHOOK_INPUT.url, at: now().getTime() }
    const attempt = { ...sent, now: now(), status: 410, error: null, latency_ms: 1, answer: null }
    expect(await ledger.messages.record(attempt, { kind: 'dead' }, () => false)).toBe(true)
    expect((await status()).deliveries).toMatchObject({ pending: 2, dead: 1 })
  })

  test('200: the photo reader, the files, the disk and the backups', async () => {
    const dir = createTempFolder('cardstock-backups-')
    const env = { BACKUP_DIR: dir, IDENTIFY_WORKERS: '0' }
    const reader = createDisabledReader()
    const { testApp, status } = await openOperated({ onDisk: true, env, reader })
    const before = await status()
    expect(before.reader).toMatchObject({ workers: 0, state: 'off', waiting: 0 })
    expect(before.disk.files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['catalog.db', 'ledger.db']),
    )
    expect(before.disk.free_bytes).toBeGreaterThan(0)
    expect(before.backups).toEqual({ newest_at: null, count: 0, bytes: 0 })

    const { config, log, now } = testApp.deps
    const backUp = () =>
      backUpOnSchedule(
        { dataDir: config.dataDir, log, now },
        { dir, retention: { hours: 24, days: 14 } },
      )
    await backUp()
    const one = (await status()).backups
    expect(one).toMatchObject({ newest_at: FROZEN_TIME, count: 1 })
    testApp.setClock('2026-11-15T22:30:00.000Z')
    await backUp()
    const two = (await status()).backups
    expect(two).toMatchObject({ newest_at: '2026-11-15T22:30:00.000Z', count: 2 })
    // They share the copy of the catalog, which counts once.
    const catalog = statSync(join(config.dataDir, 'catalog.db')).size
    expect(Number(two?.bytes)).toBeLessThan(2 * Number(one?.bytes) - catalog / 2)
  })

  test('200: null for both without an upstream and without backups', async () => {
    const { status } = await openOperated({ env: { UPSTREAM_URL: '' } })
    const { sync, backups } = await status()
    expect([sync.upstream, backups]).toEqual([null, null])
  })

  test('200: the cause of an internal error, by request ID', async () => {
    const { testApp, session, status } = await openOperated()
    testApp.deps.catalog.games.list = () => {
      throw new Error('database disk image is malformed')
    }
    const broken = await testApp.client.get('/v1/games', { session })
    expect(broken.status).toBe(500)
    expect((await status()).errors).toEqual([
      {
        at: FROZEN_TIME,
        event: 'request failed',
        message: 'database disk image is malformed',
        request_id: broken.headers.get('x-request-id'),
        server: null,
      },
    ])
  })
})

describe('POST /v1/operator/sync', () => {
  test('202: all games, one by slug or id, or forced; the audit log has the operator', async () => {
    const { testApp, sync, syncRequests } = await openOperated()
    for (const json of [undefined, {}, { game: 'wickerwild' }, { game: '9002', force: true }]) {
      const testResponse = await sync(json)
      expect([testResponse.status, testResponse.body.data]).toEqual([202, { state: 'started' }])
    }
    expect(syncRequests).toEqual([
      { force: false },
      { force: false },
      { force: false, game: 'wickerwild' },
      { force: true, game: 'vellum-and-thorn' },
    ])
    const events = (await testApp.deps.ledger.audit.list(4)).map(({ event, email, detail }) => [
      event,
      email,
      detail,
    ])
    expect(events).toEqual(
      ['vellum-and-thorn, by force', 'wickerwild', 'all games', 'all games'].map((detail) => [
        'sync_started',
        emailOf('free'),
        detail,
      ]),
    )
  })

  test('404: unknown game', async () => {
    const { sync, syncRequests } = await openOperated()
    expectRefusal(await sync({ game: 'no-such-game' }), 404, 'NOT_FOUND')
    expect(syncRequests).toEqual([])
  })

  test('409: one is running in this process or another', async () => {
    const { testApp, sync, syncRequests, syncJob } = await openOperated({ onDisk: true })
    syncJob.isRunning = true
    expectRefusal(await sync(), 409, 'SYNC_RUNNING')
    syncJob.isRunning = false
    const unlock = acquireLock(testApp.deps.config.dataDir, 'intake')
    expectRefusal(await sync(), 409, 'SYNC_RUNNING')
    unlock?.()
    expect((await sync()).status).toBe(202)
    expect(syncRequests).toHaveLength(1)
  })

  test('409: no upstream', async () => {
    const { sync } = await openOperated({ env: { UPSTREAM_URL: '' } })
    expectRefusal(await sync(), 409, 'SYNC_OFF')
  })

  test('503: the server is stopping', async () => {
    const { testApp, sync } = await openOperated()
    testApp.deps.triggers.sync.attach(undefined)
    expectRefusal(await sync(), 503, 'UNAVAILABLE')
  })
})

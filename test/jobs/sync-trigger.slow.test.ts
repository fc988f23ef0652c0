// A sync that an operator starts: from the request to the catalog, through the server's own thread.
import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import type { BulkReport } from '#actions/pricing/build-bulk-files.ts'
import type { Environment } from '#config/setting-reader.ts'
import { readConfig } from '#config.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers, type Workers } from '#jobs/workers.ts'
import { createTempFolder } from '../support/closers.ts'
import { createCountingWorker } from '../support/counting-worker.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { EVERY_PATH, startMirror } from '../support/sync/mirror-server.ts'
import { smallUpstream, writeMirror } from '../support/sync/upstream-fixture.ts'

const tempFolder = () => createTempFolder('cardstock-trigger-')

const OPERATOR = { email: 'op@example.com', password: 'long enough' }

/** Starts a server with its jobs, whose first sync has ended, and a logged-in operator. */
async function openServer(settings: Environment) {
  const config = readConfig({
    DATA_DIR: tempFolder(),
    LOG_LEVEL: 'silent',
    IDENTIFY_WORKERS: '0',
    BACKUP_DIR: 'off',
    ...settings,
  })
  const deps = await openDeps(config)
  closeAfterUse(() => closeDeps(deps))
  await registerAccount(deps, createPasswordHasher(), {
    ...OPERATOR,
    tier: 'free',
    address: undefined,
  })
  await setOperator(deps, { email: OPERATOR.email, is_operator: true })
  const { app, close } = createApp(deps)
  closeAfterUse(close)
  const [pictures, bulk] = [
    createCountingWorker<IndexReport>(undefined),
    createCountingWorker<BulkReport>(undefined),
  ]
  const workers = { ...createWorkers(deps), pictures: pictures.thread, bulk: bulk.thread }
  const jobs = startJobs(deps, workers)
  closeAfterUse(() => jobs.close())
  await ended(workers.sync)

  let cookie = ''
  async function request(path: string, json?: object) {
    const response = await app.handle(
      new Request(`http://localhost${path}`, {
        method: json === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', cookie },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    )
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return { status: response.status, body: await response.json() }
  }
  expect((await request('/v1/auth/login', OPERATOR)).body.data.is_operator).toBe(true)
  return {
    deps,
    jobs,
    syncWorker: workers.sync,
    followed: () => [pictures.notes.runs, bulk.notes.runs],
    sync: (json: object = {}) => request('/v1/operator/sync', json),
    status: async () => (await request('/v1/operator/status')).body.data,
  }
}

async function ended(intake: Workers['sync']): Promise<void> {
  while (intake.isRunning()) await Bun.sleep(5)
}

const jobIn = (status: { jobs: { name: string }[] }) =>
  status.jobs.find(({ name }) => name === 'sync on request')

/** Writes a small upstream to a folder. */
function openFolder() {
  const folder = tempFolder()
  const upstream = smallUpstream()
  writeMirror(upstream.files, folder)
  return {
    folder,
    UPSTREAM_URL: pathToFileURL(folder).href,
    publish(): void {
      upstream.publish(1)
      writeMirror(upstream.files, folder)
    },
  }
}

const versionOf = ({ catalog }: Deps) => catalog.publication.getCurrent().version

describe('a sync that an operator starts', () => {
  test('is published, followed by the usual jobs, and shown by the status', async () => {
    const { UPSTREAM_URL, publish } = openFolder()
    const { deps, syncWorker, followed, sync, status } = await openServer({ UPSTREAM_URL })
    const [version, before] = [versionOf(deps), followed()]
    expect(jobIn(await status())).toMatchObject({ runs: 0, last_started_at: null, next_at: null })

    publish()
    expect(await sync()).toMatchObject({ status: 202, body: { data: { state: 'started' } } })
    await ended(syncWorker)
    await Bun.sleep(0)
    expect(versionOf(deps)).toBe(version + 1)
    // The schedule may start them, too, if a minute begins during the test.
    expect(followed().map((runs, job) => runs > (before[job] ?? runs))).toEqual([true, true])
    const sentAt = Date.now()
    const report = await status()
    expect(jobIn(report)).toMatchObject({ is_running: false, runs: 1, last_outcome: 'done' })
    expect(report.sync).toMatchObject({
      upstream: expect.stringMatching(/^file:cardstock-trigger-\w+$/),
      is_running: false,
      last: { outcome: 'complete', games: 2, sets_read: 4, failures: [] },
    })
    expect(report.errors).toEqual([])
    for (const { next_at } of report.jobs.filter(
      ({ name }: { name: string }) => name !== 'sync on request',
    )) {
      expect(Date.parse(next_at)).toBeGreaterThan(sentAt)
    }
  })

  test('may be of one game, and forced for unchanged data', async () => {
    const { UPSTREAM_URL } = openFolder()
    const { syncWorker, sync, status } = await openServer({ UPSTREAM_URL })
    const last = async () => (await status()).sync.last
    expect((await sync({ game: 'pokemon' })).status).toBe(202)
    await ended(syncWorker)
    expect(await last()).toMatchObject({ sets_read: 0 })
    expect((await sync({ game: 'pokemon', force: true })).status).toBe(202)
    await ended(syncWorker)
    expect(await last()).toMatchObject({ games: 1, sets_read: 2 })
  })

  test('is rejected while one runs, which the status shows', async () => {
    const mirror = startMirror(smallUpstream().files)
    closeAfterUse(mirror.close)
    const { syncWorker, sync, status } = await openServer({ UPSTREAM_URL: mirror.url })
    const gate = Promise.withResolvers<void>()
    mirror.fault(EVERY_PATH, { until: gate.promise })
    expect((await sync({ force: true })).status).toBe(202)
    expect(syncWorker.isRunning()).toBe(true)
    const second = await sync()
    expect([second.status, second.body.error.code]).toEqual([409, 'SYNC_RUNNING'])
    const report = await status()
    expect([report.sync.is_running, jobIn(report)]).toMatchObject([true, { is_running: true }])
    mirror.recover()
    gate.resolve()
    await ended(syncWorker)
    expect((await sync()).status).toBe(202)
    await ended(syncWorker)
  })

  test('that fails has its reason at the job, at its games, and among the errors', async () => {
    const { folder, UPSTREAM_URL } = openFolder()
    const { syncWorker, followed, sync, status } = await openServer({ UPSTREAM_URL })
    const before = followed()
    rmSync(folder, { recursive: true })
    expect((await sync()).status).toBe(202)
    await ended(syncWorker)
    await Bun.sleep(0)
    const report = await status()
    expect(jobIn(report)).toMatchObject({ runs: 1, failures: 1, last_outcome: 'failed' })
    const [error] = report.errors
    expect(error).toMatchObject({ event: 'sync could not read', request_id: null })
    expect(error.message).toStartWith('game all: ')
    for (const { is_stale, last_error } of report.games) {
      expect([is_stale, `game all: ${last_error.message}`]).toEqual([true, error.message])
    }
    expect(JSON.stringify(report)).not.toContain(tmpdir())
    expect(followed()).toEqual(before)
  })

  test('is not run after the jobs have ended', async () => {
    const { jobs, sync } = await openServer({ UPSTREAM_URL: openFolder().UPSTREAM_URL })
    await jobs.close()
    expect((await sync()).status).toBe(503)
  })
})

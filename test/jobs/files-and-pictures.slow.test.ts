// When the server builds the files of the whole catalog and indexes pictures, and the threads that do it.
import { describe, expect, test } from 'bun:test'
import { pathToFileURL } from 'node:url'
import { scheduledJobs } from 'croner'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import { openBulkFileStore } from '#store/files/bulk-files.ts'
import { acquireLock } from '#store/files/lock.ts'
import { createCountingWorker, createIdleWorkers } from '../support/counting-worker.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { createTestApp } from '../support/test-app.ts'

const syncJob = () => scheduledJobs.find(({ name }) => name?.startsWith('sync games'))

describe.each([
  ['build bulk files', 'bulk', 'BULK_FILES'],
  ['index pictures', 'pictures', 'INDEX_PICTURES'],
] as const)('the job "%s" runs', (name, worker, setting) => {
  async function start(settings: Record<string, string>, synced?: Partial<SyncReport>) {
    const env = { UPSTREAM_URL: pathToFileURL('/nowhere').href, ...settings }
    const testApp = await createTestApp({ env })
    const { notes, thread } = createCountingWorker<never>(undefined)
    // Only whether something was published matters here.
    const report = synced && ({ failures: [], ...synced } as unknown as SyncReport)
    const sync = createCountingWorker<SyncReport>(report).thread
    const jobs = startJobs(testApp.deps, createIdleWorkers({ sync, [worker]: thread }))
    closeAfterUse(() => jobs.close())
    await Bun.sleep(0)
    return notes
  }
  const job = () => scheduledJobs.find((one) => one.name === name)

  test('at the start, every hour, and after a sync that published something', async () => {
    const notes = await start({}, { version: 7 })
    // The start, and the sync that catches up.
    expect(notes.runs).toBe(2)
    await job()?.trigger()
    expect(notes.runs).toBe(3)
    await syncJob()?.trigger()
    expect(notes.runs).toBe(4)
  })

  test.each([
    ['failed', undefined],
    ['published nothing', { outcome: 'complete' }],
  ] as const)('not after a sync that %s', async (_, synced) => {
    const notes = await start({}, synced)
    expect(notes.runs).toBe(1)
    await syncJob()?.trigger()
    expect(notes.runs).toBe(1)
  })

  test('not at all if it is disabled', async () => {
    const notes = await start({ [setting]: 'off' }, { version: 7 })
    expect([notes.runs, job()]).toEqual([0, undefined])
  })
})

test('the thread of the files makes them, with picture URLs that clients can reach', async () => {
  const { deps, close } = await createTestApp({ onDisk: true })
  closeAfterUse(close)
  const thread = createWorkers(deps).bulk
  expect(await thread.run({ kind: 'build' })).toMatchObject({ outcome: 'built', files: 21 })
  expect(await thread.run({ kind: 'build' })).toMatchObject({ outcome: 'current', files: 0 })
  expect(openBulkFileStore(deps.config.dataDir).getCurrent()?.files).toHaveLength(21)
  expect(thread.isRunning()).toBe(false)
})

test('the thread of the pictures skips a folder that another process indexes, and says so', async () => {
  const { deps, log, close } = await createTestApp({ onDisk: true })
  closeAfterUse(close)
  const unlock = acquireLock(deps.config.dataDir, 'pictures')
  closeAfterUse(() => unlock?.())
  const thread = createWorkers(deps).pictures
  expect(await thread.run({ kind: 'index' })).toBeUndefined()
  const lines = log.map(({ event, facts }) => `${event} ${JSON.stringify(facts)}`)
  expect(lines.join('\n')).toMatch(/^picture index task failed .*Another process is indexing/m)
  expect(thread.isRunning()).toBe(false)
})

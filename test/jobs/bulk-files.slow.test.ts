// When the server makes the files of the whole catalog, and the thread that does it.
import { afterEach, describe, expect, test } from 'bun:test'
import { pathToFileURL } from 'node:url'
import { scheduledJobs } from 'croner'
import type { BulkReport } from '#actions/pricing/build-bulk-files.ts'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import { openBulkFileStore } from '#store/files/bulk-files.ts'
import { createCountingWorker } from '../support/counting-worker.ts'
import { createTestApp } from '../support/test-app.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function openRooms(env: Record<string, string> = {}) {
  const testApp = await createTestApp({ onDisk: true, env })
  closers.push(testApp.close)
  return testApp
}

async function start(env: Record<string, string>, synced?: Partial<SyncReport>) {
  const { deps } = await openRooms({ UPSTREAM_URL: pathToFileURL('/nowhere').href, ...env })
  const bulk = createCountingWorker<BulkReport>(undefined)
  // Only whether something was published matters here.
  const report = synced && ({ failures: [], ...synced } as unknown as SyncReport)
  const sync = createCountingWorker<SyncReport>(report).thread
  const pictures = createCountingWorker<never>(undefined).thread
  const jobs = startJobs(deps, { ...createWorkers(deps), sync, pictures, bulk: bulk.thread })
  closers.push(() => jobs.close())
  return { notes: bulk.notes }
}

const turn = () => Bun.sleep(0)
const bulkJob = () => scheduledJobs.find(({ name }) => name === 'build bulk files')
const syncJob = () => scheduledJobs.find(({ name }) => name?.startsWith('sync games'))

describe('bulk files are made', () => {
  test('at the start, every hour, and after a sync that published something', async () => {
    const { notes } = await start({}, { version: 7 })
    await turn()
    // The start, and the sync that catches up.
    expect(notes.runs).toBe(2)
    await bulkJob()?.trigger()
    expect(notes.runs).toBe(3)
    await syncJob()?.trigger()
    expect(notes.runs).toBe(4)
  })

  test.each([
    ['failed', undefined],
    ['published nothing', { outcome: 'complete' }],
  ] as const)('not after a sync that %s', async (_, synced) => {
    const { notes } = await start({}, synced)
    await turn()
    expect(notes.runs).toBe(1)
    await syncJob()?.trigger()
    expect(notes.runs).toBe(1)
  })

  test('not at all if they are disabled', async () => {
    const { notes } = await start({ BULK_FILES: 'off' }, { version: 7 })
    await turn()
    expect([notes.runs, bulkJob()]).toEqual([0, undefined])
  })
})

describe('the thread', () => {
  test('makes them, with picture URLs that clients can reach', async () => {
    const { deps } = await openRooms()
    const thread = createWorkers(deps).bulk
    expect(await thread.run({ kind: 'build' })).toMatchObject({ outcome: 'built', files: 17 })
    expect(await thread.run({ kind: 'build' })).toMatchObject({ outcome: 'current', files: 0 })
    expect(openBulkFileStore(deps.config.dataDir).getCurrent()?.files).toHaveLength(17)
    expect(thread.isRunning()).toBe(false)
  })
})

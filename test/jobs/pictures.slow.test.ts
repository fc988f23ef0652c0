// When the server indexes pictures, and the thread that does it.
import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { scheduledJobs } from 'croner'
import type { IndexReport } from '#actions/photos/build-picture-index.ts'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import type { Environment } from '#config/setting-reader.ts'
import { readConfig } from '#config.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import type { Log } from '#log.ts'
import { acquireLock } from '#store/files/lock.ts'
import { createCountingWorker } from '../support/counting-worker.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function openRooms(settings: Environment) {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-jobs-'))
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const logged: string[] = []
  const note = (event: string, facts: object = {}) =>
    void logged.push(`${event} ${JSON.stringify(facts)}`)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const env = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    IDENTIFY_WORKERS: '0',
    BULK_FILES: 'off',
    ...settings,
  }
  const deps = await openDeps(readConfig(env), log)
  closers.push(() => closeDeps(deps))
  return { deps, dataDir, logged }
}

async function start(settings: Environment, synced?: Partial<SyncReport>) {
  const { deps } = await openRooms({ UPSTREAM_URL: pathToFileURL('/nowhere').href, ...settings })
  const pictures = createCountingWorker<IndexReport>(undefined)
  // Only whether something was published matters here.
  const report = synced && ({ failures: [], ...synced } as unknown as SyncReport)
  const sync = createCountingWorker<SyncReport>(report).thread
  const jobs = startJobs(deps, { ...createWorkers(deps), sync, pictures: pictures.thread })
  closers.push(() => jobs.close())
  return { notes: pictures.notes }
}

const turn = () => Bun.sleep(0)
const indexJob = () => scheduledJobs.find(({ name }) => name === 'index pictures')
const syncJob = () => scheduledJobs.find(({ name }) => name?.startsWith('sync games'))

describe('pictures are indexed', () => {
  test('at the start, every hour, and after a sync that published something', async () => {
    const { notes } = await start({}, { version: 7 })
    await turn()
    // The start, and the sync that catches up.
    expect(notes.runs).toBe(2)
    await indexJob()?.trigger()
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

  test('not at all if it is disabled', async () => {
    const { notes } = await start({ INDEX_PICTURES: 'off' }, { version: 7 })
    await turn()
    expect([notes.runs, indexJob()]).toEqual([0, undefined])
  })
})

test('the thread skips a folder that another process indexes, and says so', async () => {
  const { deps, dataDir, logged } = await openRooms({})
  const unlock = acquireLock(dataDir, 'pictures')
  const thread = createWorkers(deps).pictures
  expect(await thread.run({ kind: 'index' })).toBeUndefined()
  expect(
    logged.some((line) => /^picture index task failed .*Another process is indexing/.test(line)),
  ).toBe(true)
  expect(thread.isRunning()).toBe(false)
  unlock?.()
})

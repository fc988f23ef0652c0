// The thread that writes the catalog, the lock that keeps a second writer out, and the timetable.

import { describe, expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { scheduledJobs } from 'croner'
import type { Environment } from '#config/setting-reader.ts'
import { readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { closeDeps, type Deps, openDeps } from '#deps.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers, type SyncTask, type Workers } from '#jobs/workers.ts'
import type { Log } from '#log.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { openDatabase } from '#store/db.ts'
import { acquireLock, isLocked } from '#store/files/lock.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { ROOT, startCommand, startProcess } from '../support/process.ts'
import { EVERY_PATH, startMirror } from '../support/sync/mirror-server.ts'
import { smallUpstream, writeMirror } from '../support/sync/upstream-fixture.ts'

const tempFolder = () => createTempFolder('cardstock-jobs-')

/** Opens a server's threads on a new folder, with their log. */
async function openRooms(settings: Environment) {
  const logged: string[] = []
  const note = (event: string, facts: object = {}) =>
    void logged.push(`${event} ${JSON.stringify(facts)}`)
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const config = readConfig({
    DATA_DIR: tempFolder(),
    LOG_LEVEL: 'silent',
    IDENTIFY_WORKERS: '0',
    INDEX_PICTURES: 'off',
    BULK_FILES: 'off',
    ...settings,
  })
  const deps = await openDeps(config, log)
  closeAfterUse(() => closeDeps(deps))
  return { deps, config, logged }
}

/** Writes a small upstream to a folder, which is read at once. */
function openFolder() {
  const folder = tempFolder()
  const upstream = smallUpstream()
  writeMirror(upstream.files, folder)
  return { folder, upstream, UPSTREAM_URL: pathToFileURL(folder).href }
}

/** Serves a small upstream over HTTP, where a sync pauses after each request. */
function openWeb() {
  const upstream = smallUpstream()
  const mirror = startMirror(upstream.files)
  closeAfterUse(mirror.close)
  const priced = () => mirror.requests.filter(({ path }) => path.endsWith('/prices'))
  return {
    upstream,
    mirror,
    UPSTREAM_URL: mirror.url,
    gamesRequested: () => new Set(priced().map(({ path }) => Number(path.split('/')[1]))),
  }
}

const totalGames = ({ catalog }: Deps) => catalog.games.list({ limit: 1, offset: 0 }).total
const SYNC: SyncTask = { kind: 'sync', request: {} }

async function ended(worker: Pick<Workers['sync'], 'isRunning'>): Promise<void> {
  while (worker.isRunning()) await Bun.sleep(5)
}

describe('the thread', () => {
  test('syncs while the server continues to serve the previous data', async () => {
    const { UPSTREAM_URL, mirror } = openWeb()
    const { deps } = await openRooms({ UPSTREAM_URL })
    const gate = Promise.withResolvers<void>()
    mirror.fault(EVERY_PATH, { until: gate.promise })
    const syncWorker = createWorkers(deps).sync
    const run = syncWorker.run(SYNC)
    while (mirror.requests.length === 0) await Bun.sleep(1)
    expect(totalGames(deps)).toBe(0)
    mirror.recover()
    gate.resolve()
    const seen: number[] = []
    while (syncWorker.isRunning()) {
      seen.push(totalGames(deps))
      await Bun.sleep(1)
    }
    expect(await run).toMatchObject({ outcome: 'complete', games: 2, sets_read: 4 })
    // All or nothing: never a single game.
    expect(seen.filter((games) => games !== 0 && games !== 2)).toEqual([])
    expect(totalGames(deps)).toBe(2)
  })

  test('shows its own publication at once', async () => {
    const { folder, upstream, UPSTREAM_URL } = openFolder()
    const { deps } = await openRooms({ UPSTREAM_URL })
    const syncWorker = createWorkers(deps).sync
    for (const day of [0, 1, 1]) {
      upstream.publish(day)
      writeMirror(upstream.files, folder)
      const report = await syncWorker.run(SYNC)
      const { version, published_at } = deps.catalog.publication.getCurrent()
      expect({ version, published_at }).toEqual({
        version: report?.version ?? 0,
        published_at: upstream.publishedAt().toISOString(),
      })
    }
  })

  test('runs one task at a time, and the next one after it', async () => {
    const { UPSTREAM_URL } = openFolder()
    const { deps, logged } = await openRooms({ UPSTREAM_URL })
    const syncWorker = createWorkers(deps).sync
    const reports = [SYNC, SYNC, SYNC].map((task) => syncWorker.run(task))
    expect(await Promise.all(reports)).toMatchObject([
      { outcome: 'complete', sets_read: 4 },
      { outcome: 'complete', sets_read: 0 },
      { outcome: 'complete', sets_read: 0 },
    ])
    // The third was merged with the second, which had not begun.
    expect(logged.map((line) => line.split(' {')[0])).toEqual([
      'sync task started',
      'sync task ended',
      'sync task started',
      'sync task ended',
    ])
  })

  test('waits for the sync of another process', async () => {
    const { UPSTREAM_URL } = openFolder()
    const { deps, config } = await openRooms({ UPSTREAM_URL })
    const unlock = acquireLock(config.dataDir, 'intake')
    const run = createWorkers(deps).sync.run(SYNC)
    // Longer than the thread itself waits for the lock, so that it must try again.
    await Bun.sleep(500)
    expect(totalGames(deps)).toBe(0)
    unlock?.()
    expect(await run).toMatchObject({ outcome: 'complete', games: 2 })
  })

  test('logs a failed task and runs the next one', async () => {
    const { folder, UPSTREAM_URL } = openFolder()
    const { deps, logged } = await openRooms({ UPSTREAM_URL })
    const syncWorker = createWorkers(deps).sync
    expect(await syncWorker.run({ kind: 'sample', folder: '/no/such/folder' })).toBeUndefined()
    expect(logged.some((line) => line.startsWith('sync task failed'))).toBe(true)
    expect(await syncWorker.run(SYNC)).toMatchObject({ outcome: 'complete' })
    rmSync(folder, { recursive: true })
    expect(await syncWorker.run(SYNC)).toMatchObject({ outcome: 'failed' })
    expect(totalGames(deps)).toBe(2)
  })

  test('loads the sample with changes and movers up to today', async () => {
    const { deps } = await openRooms({})
    const report = await createWorkers(deps).sync.run({
      kind: 'sample',
      folder: join(ROOT, 'data/sample'),
    })
    expect(report).toMatchObject({ outcome: 'complete', failures: [] })
    const question = { period: '24h', direction: 'up', game_id: undefined } as const
    const { rows } = deps.catalog.movers.listTop({
      ...question,
      type: undefined,
      printing: undefined,
      limit: 5,
    })
    expect(rows.length).toBeGreaterThan(0)
    const published = Date.parse(deps.catalog.publication.getCurrent().published_at ?? '')
    expect(Date.now() - published).toBeLessThan(86_400_000)
  })
})

/** Starts a process that acquires the lock of a folder, reports the result, and holds it. */
async function openHolder(dataDir: string) {
  const code = `
    const { acquireLock } = await import(${JSON.stringify(join(ROOT, 'src/store/files/lock.ts'))})
    const unlock = acquireLock(${JSON.stringify(dataDir)}, 'intake')
    console.log(unlock === undefined ? 'refused' : 'held')
    // The caller must keep the release function; otherwise it is garbage-collected, and the lock with it.
    if (unlock !== undefined) process.on('SIGTERM', unlock), setInterval(() => undefined, 1_000)`
  const holder = startCommand([process.execPath, '--no-env-file', '-e', code])
  closeAfterUse(holder.kill)
  await holder.hasPrinted('\n')
  return { ...holder, word: holder.output().trim() }
}

describe('the lock', () => {
  test('is locked by one process, and released', () => {
    const folder = tempFolder()
    const unlock = acquireLock(folder, 'intake')
    expect(unlock).toBeFunction()
    expect(acquireLock(folder, 'intake')).toBeUndefined()
    const other = acquireLock(folder, 'index')
    expect(other).toBeFunction()
    unlock?.()
    const again = acquireLock(folder, 'intake')
    expect(again).toBeFunction()
    again?.()
    other?.()
  })

  test('can be checked without acquiring or creating it', () => {
    const folder = tempFolder()
    expect(isLocked(folder, 'intake')).toBe(false)
    expect(readdirSync(folder)).toEqual([])
    const unlock = acquireLock(folder, 'intake')
    expect([isLocked(folder, 'intake'), isLocked(folder, 'intake')]).toEqual([true, true])
    unlock?.()
    expect(isLocked(folder, 'intake')).toBe(false)
    acquireLock(folder, 'intake')?.()
  })

  test('of another process rejects the sync with a message, and ends with the process', async () => {
    const { config } = await openRooms({ UPSTREAM_URL: openFolder().UPSTREAM_URL })
    const { kill, word } = await openHolder(config.dataDir)
    expect(word).toBe('held')
    const refusal = await openCatalogWriterDeps(config).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ServiceError)
    expect(refusal).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('sync') })

    await kill()
    const writer = await openCatalogWriterDeps(config)
    writer.close()
  })

  test('is granted to exactly one of many concurrent processes', async () => {
    for (let round = 0; round < 3; round++) {
      const folder = tempFolder()
      const holders = await Promise.all(Array.from({ length: 6 }, () => openHolder(folder)))
      const words = holders.map(({ word }) => word).sort()
      expect(words).toEqual(['held', ...Array.from({ length: 5 }, () => 'refused')])
      for (const holder of holders) await holder.kill()
    }
  })

  test('rejects a second sync command with a message, and does not block readers and accounts', async () => {
    const { UPSTREAM_URL, mirror } = openWeb()
    const DATA_DIR = tempFolder()
    prepareFiles(DATA_DIR)
    const start = (script: string, ...args: string[]) =>
      startProcess(script, { args, env: { DATA_DIR, UPSTREAM_URL } })
    const gate = Promise.withResolvers<void>()
    mirror.fault(EVERY_PATH, { until: gate.promise })
    const first = start('scripts/sync.ts')
    while (mirror.requests.length === 0) await Bun.sleep(1)
    const second = start('scripts/sync.ts')
    const admin = start('scripts/admin.ts', 'account', 'list')
    expect(await second.exited).toBe(1)
    // Only now can the first one continue.
    mirror.recover()
    gate.resolve()
    expect(second.stderr()).toContain('Another sync')
    expect(second.stdout()).toBe('')
    expect(await admin.exited).toBe(0)
    expect(await first.exited).toBe(0)
  })
})

/** Creates a sync that only records its calls. */
function openNotes() {
  const requests: SyncTask[] = []
  const notes: Workers['sync'] = {
    run: async (task) => {
      requests.push(task)
      return undefined
    },
    isRunning: () => false,
  }
  return { requests, notes }
}

const syncJobs = () => scheduledJobs.filter(({ name }) => name?.startsWith('sync games') === true)

const HOURS_OF_YEAR = 365 * 24

describe('the schedule', () => {
  test('requests all due games in every hour, also while clocks change', async () => {
    const { deps } = await openRooms({ UPSTREAM_URL: openFolder().UPSTREAM_URL })
    const jobs = startJobs(deps, { ...createWorkers(deps), sync: openNotes().notes })
    closeAfterUse(() => jobs.close())
    const [job, ...others] = syncJobs()
    expect(others).toEqual([])
    const first = Date.parse('2026-01-01T05:00:00Z')
    const hours = job?.nextRuns(HOURS_OF_YEAR, new Date(first - 1)) ?? []
    expect(hours.map((hour) => hour.getTime())).toEqual(
      Array.from({ length: HOURS_OF_YEAR }, (_, hour) => first + hour * 3_600_000),
    )
  })

  test('runs the due games of every priority', async () => {
    const { deps } = await openRooms({ UPSTREAM_URL: openFolder().UPSTREAM_URL })
    const { requests, notes } = openNotes()
    const jobs = startJobs(deps, { ...createWorkers(deps), sync: notes })
    closeAfterUse(() => jobs.close())
    requests.length = 0
    for (const job of syncJobs()) await job.trigger()
    expect(requests).toEqual([{ kind: 'sync', request: { due: true } }])
  })

  test('reads the search index at the start, and after each publication', async () => {
    const { UPSTREAM_URL } = openFolder()
    const { deps } = await openRooms({ UPSTREAM_URL })
    const workers = createWorkers(deps)
    const { search } = deps.catalog
    const used: (number | undefined)[] = []
    const spied = {
      ...search,
      useInMemory(index: Parameters<typeof search.useInMemory>[0]) {
        used.push(index?.cards)
        search.useInMemory(index)
      },
    }
    const catalog = { ...deps.catalog, search: spied }
    const jobs = startJobs({ ...deps, catalog }, { ...workers, sync: openNotes().notes })
    closeAfterUse(() => jobs.close())
    await ended(workers.search)
    const report = await workers.sync.run(SYNC)
    await ended(workers.search)
    expect(report?.outcome).toBe('complete')
    expect(used).toEqual([0, undefined, expect.any(Number)])
    expect(used.at(-1)).toBeGreaterThan(1)
  })

  test('records the result of each job, also of a failed one', async () => {
    const { deps } = await openRooms({ UPSTREAM_URL: openFolder().UPSTREAM_URL })
    const jobs = startJobs(deps, { ...createWorkers(deps), sync: openNotes().notes })
    closeAfterUse(() => jobs.close())
    // Jobs run only when triggered, also if the minute ends now.
    for (const job of scheduledJobs) job.pause()
    const stateOf = (name: string) => deps.jobs.list().find((job) => job.name === name)
    expect(stateOf('purge the ledger')).toMatchObject({ runs: 0, failures: 0 })
    const named = (name: string) => scheduledJobs.find((job) => job.name === name)
    await named('purge the ledger')?.trigger()
    expect(stateOf('purge the ledger')).toMatchObject({ runs: 1, failures: 0 })
    // These calls return no report, like a failed sync.
    const { name: SYNC_JOB = '' } = syncJobs()[0] ?? {}
    const { failures = 0 } = stateOf(SYNC_JOB) ?? {}
    await named(SYNC_JOB)?.trigger()
    expect(stateOf(SYNC_JOB)?.failures).toBe(failures + 1)
    deps.ledger.close()
    await named('settle subscriptions')?.trigger()
    expect(stateOf('settle subscriptions')).toMatchObject({ runs: 1, failures: 1 })
    expect(stateOf('settle subscriptions')?.running_since).toBeUndefined()
  })

  test('purges and checks the ledger in a thread, and reports what does not match', async () => {
    const { deps, config } = await openRooms({})
    const jobs = startJobs(deps)
    closeAfterUse(() => jobs.close())
    const db = openDatabase(join(config.dataDir, 'ledger.db'))
    closeAfterUse(() => db.close())
    db.exec(`
      INSERT INTO accounts (id, email, password_hash, tier, created_at, scan_balance)
        VALUES (1, 'ann@example.com', 'hash', 'free', 0, 7);
      INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at) VALUES (1, x'00', 0, 0)`)
    const named = (name: string) => scheduledJobs.find((job) => job.name === name)
    await named('purge the ledger')?.trigger()
    expect(db.prepare('SELECT * FROM sessions').all()).toEqual([])
    await named('check scan balances')?.trigger()
    await named('check billing records')?.trigger()
    expect(deps.errors.list()).toMatchObject([
      { event: 'scan balance does not match its ledger entries' },
    ])
  })

  test('catches up at the start with due games, or with everything if configured', async () => {
    const { UPSTREAM_URL } = openFolder()
    for (const [SYNC_ON_START, request] of [
      ['off', { due: true }],
      ['on', {}],
    ] as const) {
      const { deps } = await openRooms({ UPSTREAM_URL, SYNC_ON_START })
      const { requests, notes } = openNotes()
      startJobs(deps, { ...createWorkers(deps), sync: notes }).close()
      expect(requests).toEqual([{ kind: 'sync', request: { ...request } }])
    }
  })

  test('has no sync without an upstream, which the log states', async () => {
    const { deps, logged } = await openRooms({ SYNC_ON_START: 'on' })
    const { requests, notes } = openNotes()
    const jobs = startJobs(deps, { ...createWorkers(deps), sync: notes })
    expect(syncJobs()).toEqual([])
    expect(requests).toEqual([])
    expect(logged.some((line) => line.includes('no mirror is set'))).toBe(true)
    jobs.close()
  })

  test('leaves no job running when it is closed', async () => {
    const { deps } = await openRooms({ UPSTREAM_URL: openFolder().UPSTREAM_URL })
    startJobs(deps, { ...createWorkers(deps), sync: openNotes().notes }).close()
    expect(syncJobs()).toEqual([])
    startJobs(deps, { ...createWorkers(deps), sync: openNotes().notes }).close()
  })

  test('refreshes at a start the games whose run was missed, and no other', async () => {
    const web = openWeb()
    const { deps, config } = await openRooms({ UPSTREAM_URL: web.UPSTREAM_URL })
    const syncWorker = createWorkers(deps).sync
    const start = async () => {
      web.mirror.requests.length = 0
      const jobs = startJobs(deps, { ...createWorkers(deps), sync: syncWorker })
      await ended(syncWorker)
      jobs.close()
      return web.gamesRequested()
    }
    expect(await start()).toEqual(new Set([3, 500]))
    web.upstream.publish(1)
    expect(await start()).toEqual(new Set())

    const db = openDatabase(join(config.dataDir, 'catalog.db'))
    db.exec("UPDATE games SET last_synced_at = '2026-01-01T12:00:00.000Z' WHERE id = 500")
    db.close()
    expect(await start()).toEqual(new Set([500]))
  })
})

// When the server makes backups, the thread that makes them, which ones it keeps, and the metrics about them.
import { describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { scheduledJobs } from 'croner'
import { backUpOnSchedule, type ScheduledBackupReport } from '#actions/operations/back-up.ts'
import { restoreBackup } from '#actions/operations/restore-backup.ts'
import { startJobs } from '#jobs/schedule.ts'
import { createWorkers } from '#jobs/workers.ts'
import { formatBackupName } from '#rules/operations/backup-retention.ts'
import { listBackups } from '#store/backup/folder.ts'
import { historyFolder, separateClosedMonths } from '#store/files/history-files.ts'
import { createTempFolder } from '../support/closers.ts'
import { createCountingWorker, createIdleWorkers } from '../support/counting-worker.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { folderChecksums } from '../support/table-checksums.ts'
import { createTestApp, FROZEN_TIME } from '../support/test-app.ts'

const tempFolder = () => createTempFolder('cardstock-backups-')

async function openRooms(env: Record<string, string> = {}) {
  const dir = join(tempFolder(), 'new/backups')
  const testApp = await createTestApp({ onDisk: true, env: { BACKUP_DIR: dir, ...env } })
  return { dir, testApp, deps: testApp.deps }
}

type Rooms = Awaited<ReturnType<typeof openRooms>>

const HOUR = 3_600_000
const KEEPING = { hours: 24, days: 14 }

/** Makes a backup this many hours after the app's start. */
function backUpAfter({ deps, dir, testApp }: Rooms, hours: number, retention = KEEPING) {
  testApp.setClock(new Date(Date.parse(FROZEN_TIME) + hours * HOUR).toISOString())
  const { config, log, now } = deps
  return backUpOnSchedule({ dataDir: config.dataDir, log, now }, { dir, retention })
}

const inode = (folder: string) => statSync(join(folder, 'catalog.db')).ino
/** Hours since the newest complete backup, as in /metrics; null without one. */
const age = async ({ testApp, deps }: Rooms) => {
  const { text } = await testApp.client.get('/metrics')
  const timestamp = /^cardstock_backup_timestamp_seconds (.+)$/m.exec(text)?.[1]
  if (timestamp === undefined) return undefined
  return timestamp === '0' ? null : (deps.now().getTime() - Number(timestamp) * 1_000) / HOUR
}

describe('backups are made', () => {
  function start({ deps }: Rooms) {
    const backups = createCountingWorker<ScheduledBackupReport>(undefined)
    const jobs = startJobs(deps, createIdleWorkers({ backups: backups.thread }))
    closeAfterUse(() => jobs.close())
    return { notes: backups.notes, jobs }
  }
  const job = () => scheduledJobs.find(({ name }) => name === 'back up')

  test('at the start and every hour, and not after the stop', async () => {
    const { notes, jobs } = start(await openRooms())
    expect(notes.runs).toBe(1)
    await job()?.trigger()
    expect(notes.runs).toBe(2)
    await jobs.close()
    expect(job()).toBeUndefined()
  })

  test('not at all if they are disabled', async () => {
    const rooms = await openRooms({ BACKUP_DIR: 'off' })
    const { notes } = start(rooms)
    expect([notes.runs, job(), await age(rooms)]).toEqual([0, undefined, undefined])
  })
})

describe('the thread', () => {
  test('makes one, and none while the last one is recent', async () => {
    const { deps, dir } = await openRooms()
    const thread = createWorkers(deps).backups
    expect(await thread.run({ kind: 'backup' })).toMatchObject({ outcome: 'made' })
    expect(await thread.run({ kind: 'backup' })).toEqual({ outcome: 'current', removed: 0 })
    const [backup, ...others] = listBackups(dir)
    expect(others).toEqual([])
    expect(folderChecksums(backup?.folder ?? '')).toEqual(folderChecksums(deps.config.dataDir))
  })

  test('logs a failure, and the age shows it', async () => {
    const rooms = await openRooms()
    mkdirSync(join(rooms.dir, '..'), { recursive: true })
    writeFileSync(rooms.dir, 'a file')
    expect(await createWorkers(rooms.deps).backups.run({ kind: 'backup' })).toBeUndefined()
    expect(rooms.testApp.log).toContainEqual({
      level: 'error',
      event: 'backup task failed',
      facts: { reason: expect.stringContaining('Check the free space') },
    })
    expect(await age(rooms)).toBeNull()
  })
})

describe('a backup of the schedule', () => {
  test('shares its catalog with that of the day, and has its own ledger', async () => {
    const rooms = await openRooms()
    expect(await backUpAfter(rooms, 0)).toMatchObject({ catalog: 'copied' })
    await rooms.testApp.createSession('pro')
    expect(await backUpAfter(rooms, 1)).toMatchObject({ catalog: 'shared' })
    expect(await backUpAfter(rooms, 23)).toMatchObject({ catalog: 'shared' })
    expect(await backUpAfter(rooms, 24)).toMatchObject({ catalog: 'copied' })
    const folders = listBackups(rooms.dir).map(({ folder }) => folder)
    const [next = '', last = '', second = '', first = ''] = folders
    expect([inode(second), inode(last)]).toEqual([inode(first), inode(first)])
    expect(inode(next)).not.toBe(inode(first))
    expect(folderChecksums(first)['ledger.sessions']).not.toBe(
      folderChecksums(second)['ledger.sessions'],
    )
    expect(folderChecksums(next)).toEqual(folderChecksums(rooms.deps.config.dataDir))
  })

  test('has the closed months of its catalog, shared while they are the same', async () => {
    const rooms = await openRooms()
    const { dataDir } = rooms.deps.config
    separateClosedMonths(dataDir)
    const months = (folder: string) => statSync(join(folder, 'history.db')).ino
    for (const hours of [0, 1, 25]) await backUpAfter(rooms, hours, { hours: 48, days: 14 })
    const folders = listBackups(rooms.dir).map(({ folder }) => folder)
    const [third = '', second = '', first = ''] = folders
    expect([months(third), months(second)]).toEqual([months(first), months(first)])
    expect(inode(third)).not.toBe(inode(first))

    const restored = tempFolder()
    restoreBackup(restored, { from: third, force: false })
    const [file] = readdirSync(historyFolder(dataDir))
    expect(readdirSync(historyFolder(restored))).toEqual([file ?? ''])
    expect(readFileSync(join(historyFolder(restored), file ?? ''))).toEqual(
      readFileSync(join(third, 'history.db')),
    )
    writeFileSync(join(third, 'history.db'), 'x'.repeat(statSync(join(third, 'history.db')).size))
    expect(() => restoreBackup(restored, { from: third, force: true })).toThrow(
      'history.db has changed since the backup',
    )
  })

  test('does not reuse a catalog that is damaged on disk', async () => {
    const rooms = await openRooms()
    await backUpAfter(rooms, 0)
    const [first] = listBackups(rooms.dir)
    const path = join(first?.folder ?? '', 'catalog.db')
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer())
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(path, bytes)
    expect(await backUpAfter(rooms, 1)).toMatchObject({ catalog: 'copied' })
  })

  test('is the only kind that is removed: expired ones, and nothing else', async () => {
    const rooms = await openRooms()
    for (const hours of [0, 1, 2]) await backUpAfter(rooms, hours)
    for (const name of ['notes', 'cardstock-mine', '.cardstock-mine']) {
      mkdirSync(join(rooms.dir, name))
    }
    const unfinished = `${formatBackupName(new Date(FROZEN_TIME))}.part`
    writeFileSync(join(rooms.dir, unfinished), '')
    const damaged = listBackups(rooms.dir)[1]?.name ?? ''
    appendFileSync(join(rooms.dir, damaged, 'ledger.db'), 'x')

    expect(await backUpAfter(rooms, 24 * 400)).toMatchObject({ outcome: 'made', removed: 2 })
    const left = readdirSync(rooms.dir).sort()
    const newest = formatBackupName(new Date(Date.parse(FROZEN_TIME) + 24 * 400 * HOUR))
    expect(left).toEqual(
      ['.cardstock-mine', damaged, newest, unfinished, 'cardstock-mine', 'notes'].sort(),
    )
    expect(await age(rooms)).toBe(0)
    rooms.testApp.setClock(new Date(Date.parse(FROZEN_TIME) + (24 * 400 + 2) * HOUR).toISOString())
    expect(await age(rooms)).toBe(2)
  })

  test('is made once by several servers at once', async () => {
    const rooms = await openRooms()
    const threads = Array.from({ length: 3 }, () => createWorkers(rooms.deps).backups)
    const reports = await Promise.all(threads.map((thread) => thread.run({ kind: 'backup' })))
    const outcomes = reports.map((report) => report?.outcome ?? '')
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(1)
    expect(outcomes.filter((outcome) => /^(current|elsewhere)$/.test(outcome))).toHaveLength(2)
    expect(listBackups(rooms.dir)).toHaveLength(1)
  })

  test('removes remains of killed ones: its own at once, others after a day', async () => {
    const rooms = await openRooms()
    await backUpAfter(rooms, 0)
    const name = formatBackupName(new Date(FROZEN_TIME))
    const foreign = `.${name}.0123456789ab.unfinished`
    mkdirSync(join(rooms.dir, foreign))
    await backUpAfter(rooms, 1)
    expect(readdirSync(rooms.dir)).toContain(foreign)
    await backUpAfter(rooms, 25)
    expect(readdirSync(rooms.dir).filter((found) => found.startsWith('.'))).toEqual([])
  })

  test('does not count as complete while a file is missing', async () => {
    const rooms = await openRooms()
    await backUpAfter(rooms, 0)
    const [backup] = listBackups(rooms.dir)
    const path = join(backup?.folder ?? '', 'ledger.db')
    renameSync(path, `${path}.away`)
    expect(await age(rooms)).toBeNull()
  })
})

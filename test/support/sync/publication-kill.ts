/**
 * Stops a process while it publishes, and proves from outside that it does: the process is stopped, another
 * connection cannot get the write lock, and readers still see the previous version.
 */
import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProcess } from '../process.ts'

/** Position of a stopped process: in the transaction before or while its pages reach the log, or elsewhere. */
export type StopPlace = 'writing rows' | 'writing the log' | 'not publishing'

type Publisher = Pick<TestProcess, 'pid' | 'hasEnded' | 'signal'>

/** Returns the published version, as a new reader sees it. */
export function publishedVersion(dataDir: string): number {
  const db = new Database(join(dataDir, 'catalog.db'))
  try {
    return db.query<{ version: number }, []>('SELECT version FROM publication').get()?.version ?? 0
  } finally {
    db.close()
  }
}

/** Returns true if readers see this version; false if no reader can open the file at the moment. */
function isPublished(dataDir: string, version: number): boolean {
  try {
    return publishedVersion(dataDir) === version
  } catch {
    // The process was stopped while it replaced the index of the log, or closed the file.
    return false
  }
}

/** Waits until this many sets are staged, or the process has ended. */
export async function waitUntilStaged(
  run: Publisher,
  dataDir: string,
  sets: number,
): Promise<void> {
  while (!run.hasEnded() && countStaged(dataDir) < sets) await Bun.sleep(1)
}

/** Counts the staged sets, one per line. */
export function countStaged(dataDir: string): number {
  try {
    const root = join(dataDir, 'staging')
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
    return files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
      .reduce((sum, text) => sum + text.split('\n').length - 1, 0)
  } catch {
    // A folder was removed between two reads, or does not exist yet.
    return 0
  }
}

/**
 * Stops a process whose sets are all staged. It stays stopped if it is in the publishing transaction, and
 * continues otherwise.
 *
 * @param version published version before the run
 * @param logBytes size of the write-ahead log before the transaction
 */
export async function stopInPublication(
  run: Publisher,
  dataDir: string,
  { version, logBytes }: { version: number; logBytes: number },
): Promise<StopPlace> {
  run.signal('SIGSTOP')
  while (!run.hasEnded() && !isStopped(run.pid)) await Bun.sleep(0)
  const isPublishing = !run.hasEnded() && isWriteLocked(dataDir) && isPublished(dataDir, version)
  if (isPublishing) return logSize(dataDir) > logBytes ? 'writing the log' : 'writing rows'
  run.signal('SIGCONT')
  return 'not publishing'
}

/** Returns the bytes of the write-ahead log of the catalog. */
export function logSize(dataDir: string): number {
  const log = join(dataDir, 'catalog.db-wal')
  return statSync(log, { throwIfNoEntry: false })?.size ?? 0
}

function isStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
  } catch {
    return false
  }
}

/** Returns true if another connection holds the write lock of the catalog. */
function isWriteLocked(dataDir: string): boolean {
  const db = new Database(join(dataDir, 'catalog.db'))
  try {
    db.run('PRAGMA busy_timeout = 0')
    db.run('BEGIN IMMEDIATE')
    db.run('ROLLBACK')
    return false
  } catch {
    return true
  } finally {
    db.close()
  }
}

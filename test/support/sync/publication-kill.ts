/**
 * Stops a process while it publishes, and proves that from outside: the process is stopped, another
 * connection cannot get the write lock, and readers still see the previous version.
 */
import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Columns with times of the local clock. */
const CLOCK_COLUMNS = new Set([
  'last_synced_at',
  'products_read_at',
  'changed_at',
  'stale_since',
  'synced_at',
])

/** Place of a stop: in the transaction before or while its pages reach the log, or elsewhere. */
export type StopPlace = 'writing rows' | 'writing the log' | 'not publishing'

type KillableProcess = Pick<Bun.Subprocess, 'pid' | 'exitCode' | 'kill'>

/** Returns the checksum of each table, without times of the local clock and the log of runs. */
export function catalogChecksums(dataDir: string): Record<string, string> {
  const db = new Database(join(dataDir, 'catalog.db'))
  try {
    const check = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check').get()
    const tables = db
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
      )
      .all()
      .map(({ name }) => name)
      .filter((name) => name !== 'sync_runs' && name !== 'sqlite_sequence')
    const sums = tables.map((table) => [table, tableChecksum(db, table)])
    return { integrity: check?.integrity_check ?? 'unknown', ...Object.fromEntries(sums) }
  } finally {
    db.close()
  }
}

function tableChecksum(db: Database, table: string): string {
  const columns = db
    .query<{ name: string }, []>(`PRAGMA table_info("${table}")`)
    .all()
    .map(({ name }) => name)
    .filter((name) => !CLOCK_COLUMNS.has(name))
  const quoted = columns.map((name) => `"${name}"`).join(', ')
  const hasher = new Bun.CryptoHasher('sha256')
  for (const row of db.query(`SELECT ${quoted} FROM "${table}"`).values()) {
    const plain = row.map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
    )
    hasher.update(`${JSON.stringify(plain)}\n`)
  }
  return hasher.digest('hex')
}

/** Returns the published version as a new reader sees it. */
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

/** Waits until so many sets are staged, or the process has ended. */
export async function waitUntilStaged(
  publisher: KillableProcess,
  dataDir: string,
  sets: number,
): Promise<void> {
  while (publisher.exitCode === null && countStaged(dataDir) < sets) await Bun.sleep(1)
}

function countStaged(dataDir: string): number {
  try {
    const root = join(dataDir, 'staging')
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
    return files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
      .reduce((sum, text) => sum + text.split('\n').length - 1, 0)
  } catch {
    // A folder vanished between two looks, or does not exist yet.
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
  publisher: KillableProcess,
  dataDir: string,
  { version, logBytes }: { version: number; logBytes: number },
): Promise<StopPlace> {
  publisher.kill('SIGSTOP')
  while (publisher.exitCode === null && !isStopped(publisher.pid)) await Bun.sleep(0)
  const isPublishing =
    publisher.exitCode === null && isWriteLocked(dataDir) && isPublished(dataDir, version)
  if (isPublishing) return logSize(dataDir) > logBytes ? 'writing the log' : 'writing rows'
  publisher.kill('SIGCONT')
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

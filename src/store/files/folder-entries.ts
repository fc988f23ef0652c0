import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { ServiceError } from '#rules/primitives/errors.ts'
import { describeStorageFault, hasErrorCode } from '#rules/primitives/system-errors.ts'

// The data folder belongs to a single user. Nothing here opens a database, because closing the file would release
// SQLite's locks on it in the same process.

/** Id of the installation that the secret belongs to; restored from the databases if missing. */
export const INSTALLATION_FILE = 'installation-id'

/** Files in the data folder; `-shm` and the like belong to the file before them. */
const FILES =
  /^((catalog|ledger|ledger-moving|ledger-moved)\.db(-wal|-shm|-journal)?|app-secret.*|deleted-accounts.json.*|history-import.json.*|installation-id.*|[a-z]+\.lock.*)$/
/** Folders in the data folder, each with the required access. */
const FOLDERS: Record<string, number> = {
  backups: constants.R_OK | constants.W_OK | constants.X_OK,
  bulk: constants.R_OK | constants.W_OK | constants.X_OK,
  import: constants.R_OK | constants.X_OK,
  logos: constants.R_OK | constants.X_OK,
  pictures: constants.R_OK | constants.W_OK | constants.X_OK,
  snapshots: constants.R_OK | constants.W_OK | constants.X_OK,
  staging: constants.R_OK | constants.W_OK | constants.X_OK,
  'staging-cardmarket': constants.R_OK | constants.W_OK | constants.X_OK,
  'staging-history': constants.R_OK | constants.W_OK | constants.X_OK,
  uploads: constants.R_OK | constants.W_OK | constants.X_OK,
  program: constants.R_OK | constants.X_OK,
}

/** Folders with as many files as there are cards or more, which are not searched. The folder above protects them. */
const UNSEARCHED = ['import', 'logos', 'pictures', 'program']

/**
 * Creates the data folder, or checks that this process can use its contents, and makes it private.
 *
 * @returns the names that other users could access until now
 * @throws ServiceError UNAVAILABLE naming the first file or folder that cannot be used
 */
export function claimDataFolder(dataDir: string): string[] {
  createPrivateFiles()
  explainFaults(dataDir, () => mkdirSync(dataDir, { recursive: true, mode: 0o700 }))
  assertUsable(dataDir)
  return listExposed(dataDir).flatMap(({ path, name, stats }) => {
    if (stats.uid !== process.geteuid?.()) return []
    try {
      chmodSync(path, stats.mode & 0o700)
      return [name]
    } catch {
      // Some file systems have no permissions, which the doctor reports.
      return []
    }
  })
}

/**
 * Makes files and folders that this process creates from now on readable only by its user, regardless of the umask.
 * Threads have the umask of their process and cannot set it.
 */
export function createPrivateFiles(): void {
  if (isMainThread) process.umask(0o077)
}

/** Runs an action; a fault of a file becomes one line with the path and the remedy. */
export function explainFaults<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const text = describeStorageFault(error, path)
    throw text === undefined ? error : new ServiceError('UNAVAILABLE', text, { cause: error })
  }
}

/** @throws ServiceError for the first entry of the wrong kind, or without access */
export function assertUsable(dataDir: string): void {
  assertEntry(dataDir, 'folder', constants.R_OK | constants.W_OK | constants.X_OK)
  for (const name of explainFaults(dataDir, () => readdirSync(dataDir))) {
    const access = FOLDERS[name]
    if (access !== undefined) assertEntry(join(dataDir, name), 'folder', access)
    else if (name === 'app-secret') assertEntry(join(dataDir, name), 'file', constants.R_OK)
    else if (FILES.test(name)) {
      assertEntry(join(dataDir, name), 'file', constants.R_OK | constants.W_OK)
    }
  }
}

function assertEntry(path: string, kind: 'file' | 'folder', access: number): void {
  explainFaults(path, () => {
    // Temporary files of other processes may have been deleted.
    const stats = readIfExists(() => statSync(path), 'ENOENT')
    if (stats === undefined && !isLink(path)) return
    if (stats === undefined) throw misplaced(path, 'is a broken link')
    const isRight = kind === 'file' ? stats.isFile() : stats.isDirectory()
    if (!isRight) throw misplaced(path, `is not a ${kind}`)
    readIfExists(() => accessSync(path, access), 'ENOENT')
  })
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function misplaced(path: string, problem: string): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `${path} ${problem}. Move it away, or restore a backup with "bun run restore".`,
  )
}

export type ExposedEntry = { name: string; path: string; stats: Stats }

/**
 * Lists what other users may access: the folder (as `.`), its files and the folders in it. Skips a folder shared with
 * others, such as /tmp.
 */
export function listExposed(dataDir: string): ExposedEntry[] {
  const own = lstatEntry(dataDir, '.')
  if (own === undefined) return []
  const entries = listFolder(dataDir).flatMap((name) => lstatEntry(dataDir, name) ?? [])
  const isShared =
    (own.stats.mode & STICKY) !== 0 || entries.some(({ stats }) => stats.uid !== own.stats.uid)
  const ours = entries.filter(({ name }) => FILES.test(name) || name in FOLDERS)
  const inside = ours
    .filter(({ name, stats }) => stats.isDirectory() && !UNSEARCHED.includes(name))
    .flatMap(({ name }) =>
      readdirSync(join(dataDir, name), { recursive: true, encoding: 'utf8' }).flatMap(
        (entry) => lstatEntry(dataDir, join(name, entry)) ?? [],
      ),
    )
  return [...(isShared ? [] : [own]), ...ours, ...inside].filter(
    ({ stats }) => (stats.isFile() || stats.isDirectory()) && (stats.mode & OTHERS) !== 0,
  )
}

const OTHERS = 0o077
const STICKY = 0o1000

function lstatEntry(dataDir: string, name: string): ExposedEntry | undefined {
  const path = join(dataDir, name)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats && { name, path, stats }
}

/** Lists the names in a folder; empty if the folder does not exist. */
export function listFolder(dir: string): string[] {
  return readIfExists(() => readdirSync(dir), 'ENOENT', 'ENOTDIR') ?? []
}

/** Returns undefined if reading fails with one of these codes for missing files. */
export function readIfExists<T>(read: () => T, ...codes: string[]): T | undefined {
  try {
    return read()
  } catch (error) {
    if (hasErrorCode(error, ...codes)) return undefined
    throw error
  }
}

/**
 * Writes a file and deletes it, because SQLite reuses the space of its log, so that its own writes still succeed for
 * a while on a full disk.
 */
export async function probeFolder(dataDir: string): Promise<void> {
  const path = join(dataDir, `.probe-${process.pid}`)
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES, 1))
  } finally {
    await rm(path, { force: true })
  }
}

/** Some pages of a database. */
const PROBE_BYTES = 65_536

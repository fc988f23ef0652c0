import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fault, formatBytes, ok, warning } from '#rules/operations/doctor-finding.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { APP_SECRET_LENGTH_MIN } from '#rules/primitives/secret-box.ts'
import { CATALOG_FILE, LEDGER_FILE, SECRET_FILE } from '#store/files/data-folder.ts'
import { readDiskSpace, readFileSizes } from '#store/files/file-sizes.ts'
import { assertUsable, listExposed } from '#store/files/folder-entries.ts'
import { inspectInstallation } from '#store/files/installation.ts'
import type { Checks } from './doctor-check.ts'

export const DATA_FOLDER_CHECKS: Checks = {
  'data folder'({ config: { dataDir } }) {
    const folder = existingParent(dataDir)
    if (!statSync(folder).isDirectory()) {
      return fault(`${folder} is a file`, 'Set DATA_DIR to a folder, or move the file away.')
    }
    if (!isWritable(folder)) {
      const uid = process.getuid?.() ?? 'this user'
      return fault(
        `${folder} cannot be written by user ${uid}`,
        `Give it to the user that runs the server: chown -R ${uid} ${dataDir}. Also check that it is not mounted read-only.`,
      )
    }
    if (folder !== dataDir) return ok(`the first start creates ${dataDir}`)
    const { uid } = statSync(dataDir)
    const foreign = readdirSync(dataDir).filter((name) => {
      return (lstatSync(join(dataDir, name), NEVER_THROW)?.uid ?? uid) !== uid
    })
    if (foreign.length === 0) return ok(`${dataDir} is writable`)
    return warning(
      `files in ${dataDir} belong to another user than the folder: ${foreign.slice(0, 3).join(', ')}`,
      `A command may have run as root: chown -R ${uid} ${dataDir}`,
    )
  },

  permissions({ config: { dataDir } }) {
    if (!existsSync(dataDir)) return []
    const names = listExposed(dataDir).map(({ name }) => (name === '.' ? 'the folder' : name))
    if (names.length === 0) return ok(`only one user can access ${dataDir}`)
    const rest = names.length > NAMES_LISTED ? ` and ${names.length - NAMES_LISTED} more` : ''
    return warning(
      `other users can access ${names.slice(0, NAMES_LISTED).join(', ')}${rest} in ${dataDir}`,
      `chmod -R go-rwx ${dataDir}, or start the server as the owner of the folder`,
    )
  },

  /** Finds files that would prevent a start. */
  files({ config: { dataDir, ledgerDatabase } }) {
    if (!isUsable(dataDir)) return []
    // The check of the ledger compares a database with the folder.
    const isShared = ledgerDatabase !== undefined
    const text =
      refusalOf(() => assertUsable(dataDir)) ?? (isShared ? undefined : findForeignFile(dataDir))
    if (text === undefined) return ok('all files belong together')
    const [message = '', ...fix] = text.split(/(?<=[.:]) /)
    return fault(`a start fails: ${message.slice(0, -1)}`, fix.join(' '))
  },

  'file system'({ config: { dataDir } }) {
    if (!isUsable(dataDir)) return []
    // The kernel's number is signed on some machines.
    const [name, problem] = FILE_SYSTEMS[statfsSync(dataDir).type >>> 0] ?? []
    if (problem === undefined) return ok('local')
    const result = FILE_SYSTEM_PROBLEMS[problem]
    return { ...result, message: `${dataDir} is on ${name}, ${result.message}` }
  },

  disk({ config: { dataDir } }) {
    const { free_bytes } = readDiskSpace(existingParent(dataDir))
    const data = Object.values(readFileSizes(dataDir)).reduce((sum, size) => sum + size, 0)
    const message = `${formatBytes(free_bytes)} free, ${formatBytes(data)} used by data`
    const fix = 'Free some space, or move DATA_DIR to a larger disk.'
    if (free_bytes < FREE_BYTES_MIN) return fault(message, fix)
    if (free_bytes < 2 * data) {
      return warning(`${message}: too little for a sync and a backup at the same time`, fix)
    }
    return ok(message)
  },

  'write-ahead log'({ config: { dataDir } }) {
    if (!isUsable(dataDir)) return []
    const sizes = readFileSizes(dataDir)
    return [`${CATALOG_FILE}-wal`, `${LEDGER_FILE}-wal`].flatMap((name) => {
      const size = sizes[name] ?? 0
      if (size < WAL_BYTES_MAX) return []
      return warning(
        `${name} has grown to ${formatBytes(size)}: a reader keeps it from being merged`,
        'End the program that reads the file, such as a copy or an sqlite3 shell, or restart the server.',
      )
    })
  },

  secret({ config: { dataDir, appSecret } }) {
    if (!isUsable(dataDir)) return []
    if (appSecret !== undefined) return ok('APP_SECRET is set')
    const path = join(dataDir, SECRET_FILE)
    const stat = statSync(path, NEVER_THROW)
    if (stat === undefined) {
      if (!existsSync(join(dataDir, LEDGER_FILE))) return ok('the first start creates it')
      return warning(
        'app-secret is missing from the data folder; the next start creates a new one',
        'Restore it from your backup: existing webhooks cannot be signed without it.',
      )
    }
    if ((stat.mode & 0o077) !== 0) {
      return fault(`other users can read ${path}`, `chmod 600 ${path}`)
    }
    if (readFileSync(path, 'utf8').trim().length < APP_SECRET_LENGTH_MIN) {
      return fault(`${path} is incomplete`, 'Restore it from your backup.')
    }
    return ok('app-secret exists, and only its owner can read it')
  },
}

const NAMES_LISTED = 3
const FREE_BYTES_MIN = 256 * 1024 ** 2
const WAL_BYTES_MAX = 1024 ** 3
const NEVER_THROW = { throwIfNoEntry: false } as const

const FILE_SYSTEM_PROBLEMS = {
  remote: fault('where processes cannot share a database', 'Put DATA_DIR on a local disk.'),
  temporary: warning(
    'which loses its files at the next restart',
    'Put DATA_DIR on a disk, or on a volume of the container.',
  ),
  unsure: warning(
    'which may not support locks or shared memory',
    'Put DATA_DIR on a local disk, unless you know that this one supports both.',
  ),
}

/** Keys are the numbers in statfs(2) on Linux. */
const FILE_SYSTEMS: Record<number, [name: string, keyof typeof FILE_SYSTEM_PROBLEMS]> = {
  26985: ['NFS', 'remote'],
  20859: ['SMB', 'remote'],
  4283649346: ['CIFS', 'remote'],
  4266872130: ['SMB', 'remote'],
  12805120: ['Ceph', 'remote'],
  1397113167: ['AFS', 'remote'],
  16914839: ['9p', 'unsure'],
  1702057286: ['FUSE', 'unsure'],
  16914836: ['tmpfs', 'temporary'],
  2035054128: ["the container's own layer", 'temporary'],
}

function refusalOf(action: () => void): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

/** Returns nothing for a damaged file, which the check of the file reports. */
function findForeignFile(dataDir: string): string | undefined {
  try {
    return inspectInstallation(dataDir)
  } catch {
    return undefined
  }
}

/** Returns the path, or its closest parent that exists. */
function existingParent(path: string): string {
  let parent = path
  while (parent !== dirname(parent) && !existsSync(parent)) parent = dirname(parent)
  return parent
}

function isUsable(dataDir: string): boolean {
  return statSync(dataDir, NEVER_THROW)?.isDirectory() === true && isWritable(dataDir)
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

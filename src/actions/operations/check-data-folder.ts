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
import type { Config } from '#config.ts'
import { createFindings, type Finding, formatBytes } from '#rules/operations/doctor-finding.ts'
import { APP_SECRET_LENGTH_MIN } from '#rules/primitives/secret-box.ts'
import { CATALOG_FILE, LEDGER_FILE, SECRET_FILE } from '#store/files/data-folder.ts'
import { readDiskSpace, readFileSizes } from '#store/files/file-sizes.ts'

/** Whether the data folder can be written, keeps locks, has room, and keeps its secret. */
export function checkDataFolder({ dataDir, appSecret }: Config): Finding[] {
  const place = placeFinding(dataDir)
  const folder = existing(dataDir)
  if (place.level === 'fault' || folder !== dataDir) return [place, diskFinding(folder, dataDir)]
  return [
    place,
    fileSystemFinding(dataDir),
    diskFinding(folder, dataDir),
    ...logFindings(dataDir),
    secretFinding(dataDir, appSecret),
  ]
}

function placeFinding(dataDir: string): Finding {
  const { ok, warning, fault } = createFindings('data folder')
  const folder = existing(dataDir)
  if (!statSync(folder).isDirectory()) {
    return fault(`${folder} is a file`, 'Set DATA_DIR to a folder, or move the file away.')
  }
  if (!mayWrite(folder)) {
    const uid = process.getuid?.() ?? 'this user'
    return fault(
      `${folder} cannot be written by user ${uid}`,
      `Give it to the user that the server runs as: chown -R ${uid} ${dataDir}; is it mounted read-only?`,
    )
  }
  if (folder !== dataDir) return ok(`${dataDir} is not there yet: the first start makes it`)
  const { uid } = statSync(dataDir)
  const strangers = readdirSync(dataDir).filter((name) => ownerOf(join(dataDir, name)) !== uid)
  if (strangers.length === 0) return ok(`${dataDir} can be written`)
  return warning(
    `${strangers.slice(0, 3).join(', ')} in ${dataDir} belong to another user than the folder`,
    `Was a command run as root? chown -R ${uid} ${dataDir}`,
  )
}

/** The folder, or what is there of the way to it. */
function existing(path: string): string {
  let place = path
  while (place !== dirname(place) && !existsSync(place)) place = dirname(place)
  return place
}

const NEVER_THROW = { throwIfNoEntry: false } as const

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

const ownerOf = (path: string) => lstatSync(path, NEVER_THROW)?.uid ?? statSync(dirname(path)).uid

function fileSystemFinding(dataDir: string): Finding {
  const { ok, warning, fault } = createFindings('file system')
  // The kernel's number is signed on some machines.
  const kind = KINDS[statfsSync(dataDir).type >>> 0]
  if (kind?.is === 'elsewhere') {
    return fault(
      `${dataDir} lies on ${kind.name}: several processes cannot share a database there`,
      'Put DATA_DIR on a disk of this machine.',
    )
  }
  if (kind?.is === 'fleeting') {
    return warning(
      `${dataDir} lies on ${kind.name}: it is gone with the next restart`,
      'Put DATA_DIR on a disk, or on a volume of the container.',
    )
  }
  if (kind?.is === 'doubtful') {
    return warning(
      `${dataDir} lies on ${kind.name}, which may not keep locks or shared memory`,
      'Put DATA_DIR on a disk of this machine, unless you know that it does.',
    )
  }
  return ok('it is one of this machine')
}

type Kind = { name: string; is: 'elsewhere' | 'fleeting' | 'doubtful' }

/** Numbers of statfs(2) on Linux. */
const KINDS: Readonly<Record<number, Kind>> = {
  26985: { name: 'NFS', is: 'elsewhere' },
  20859: { name: 'SMB', is: 'elsewhere' },
  4283649346: { name: 'CIFS', is: 'elsewhere' },
  4266872130: { name: 'SMB', is: 'elsewhere' },
  12805120: { name: 'Ceph', is: 'elsewhere' },
  1397113167: { name: 'AFS', is: 'elsewhere' },
  16914839: { name: '9p', is: 'doubtful' },
  1702057286: { name: 'FUSE', is: 'doubtful' },
  16914836: { name: 'tmpfs', is: 'fleeting' },
  2035054128: { name: "the container's own layer", is: 'fleeting' },
}

function diskFinding(folder: string, dataDir: string): Finding {
  const { ok, warning, fault } = createFindings('disk')
  const { free_bytes } = readDiskSpace(folder)
  const data = Object.values(readFileSizes(dataDir)).reduce((sum, size) => sum + size, 0)
  const says = `${formatBytes(free_bytes)} free, ${formatBytes(data)} of data`
  const mend = 'Make room, or move DATA_DIR to a larger disk.'
  if (free_bytes < FREE_MIN) return fault(`${says}: writing will fail soon`, mend)
  // A sync can write the catalog once more into its log, and a backup once more beside it.
  if (free_bytes < 2 * data + FREE_MIN) {
    return warning(`${says}: a sync and a backup at once may not fit`, mend)
  }
  return ok(says)
}

const FREE_MIN = 256 * 1024 ** 2

function logFindings(dataDir: string): Finding[] {
  const sizes = readFileSizes(dataDir)
  return [CATALOG_FILE, LEDGER_FILE].flatMap((name) => {
    const size = sizes[`${name}-wal`] ?? 0
    if (size < LOG_MAX) return []
    return createFindings('log').warning(
      `${name}-wal has ${formatBytes(size)}: it is not taken over into the file`,
      'Something reads the file without end: a copy, a shell of sqlite3? End it; a restart helps, too.',
    )
  })
}

const LOG_MAX = 1024 ** 3

function secretFinding(dataDir: string, appSecret: string | undefined): Finding {
  const { ok, warning, fault } = createFindings('secret')
  if (appSecret !== undefined) return ok('APP_SECRET is set')
  const path = join(dataDir, SECRET_FILE)
  const stat = statSync(path, NEVER_THROW)
  if (stat === undefined) {
    const isNew = statSync(join(dataDir, LEDGER_FILE), NEVER_THROW) === undefined
    if (isNew) return ok('the first start makes one')
    return warning(
      'app-secret is not in the data folder: the next start makes another one',
      'Put it back from your backup; alerts of before cannot be signed without it.',
    )
  }
  if ((stat.mode & 0o077) !== 0) {
    return fault(`${path} can be read by others`, `chmod 600 ${path}`)
  }
  if (readFileSync(path, 'utf8').trim().length < APP_SECRET_LENGTH_MIN) {
    return fault(`${path} is not whole`, 'Put it back from your backup.')
  }
  return ok('app-secret is there, and its owner alone can read it')
}

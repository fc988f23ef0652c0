import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseBackupName } from '#rules/operations/backup-retention.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { hasErrorCode } from '#rules/primitives/system-errors.ts'
import { SECRET_FILE } from '../files/data-folder.ts'
import { renameDurably, syncToDisk, writeDurably } from '../files/durable-files.ts'
import { createPrivateFiles, listFolder } from '../files/folder-entries.ts'
import { acquireLock } from '../files/lock.ts'
import {
  BACKUP_MANIFEST,
  type Backup,
  type BackupFile,
  type BackupManifest,
  hashFile,
} from './folder.ts'

/** A backup that is being written, in a hidden folder beside the finished ones. */
export type BackupDraft = {
  /** Creates the hidden folder. @returns its path */
  begin(name: string): string
  /** Links files of an earlier backup; if that is not possible, links none and returns undefined. */
  share(earlier: Backup, names: readonly string[]): BackupFile[] | undefined
  /** Copies the secret; undefined if the data folder has none. */
  copySecret(at: Date): BackupFile | undefined
  /** Renames the folder, which completes the backup. @returns its path */
  publish(name: string, manifest: BackupManifest): string
  /** Deletes a backup. */
  delete(backup: Backup): void
  /** Deletes an unfinished folder and releases the lock. */
  close(): void
}

/**
 * Locks a folder of backups, which is created if missing, and deletes leftovers of killed backups; undefined while
 * another backup of this data folder is running.
 */
export function createBackupDraft(
  dataDir: string,
  dir: string,
  now: Date,
): BackupDraft | undefined {
  createPrivateFiles()
  const unlock = acquireLock(dataDir, 'backup')
  if (unlock === undefined) return undefined
  const owner = dataFolderId(dataDir)
  let folder = ''
  try {
    // Backups contain accounts and the secret.
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    removeLeftovers(dir, owner, now)
  } catch (error) {
    unlock()
    throw error
  }
  return {
    begin(name) {
      folder = join(dir, `.${name}.${owner}${UNFINISHED}`)
      mkdirSync(folder, { mode: 0o700 })
      return folder
    },
    share: (earlier, names) => share(earlier, names, folder),
    copySecret: (at) => copySecret(dataDir, folder, at),
    publish(name, manifest) {
      writeDurably(join(folder, BACKUP_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
      syncToDisk(folder)
      const target = join(dir, name)
      renameDurably(folder, target)
      return target
    },
    delete(backup) {
      // Renamed first, so that readers see a complete backup or none.
      const hidden = join(dir, `.${backup.name}.${owner}${UNFINISHED}`)
      renameDurably(backup.folder, hidden)
      rmSync(hidden, { recursive: true, force: true })
    },
    close() {
      try {
        if (folder !== '') rmSync(folder, { recursive: true, force: true })
      } finally {
        unlock()
      }
    },
  }
}

/** Returns an id of this data folder, because several may share a folder of backups. */
function dataFolderId(dataDir: string): string {
  const { ino, dev } = statSync(dataDir)
  const text = `${realpathSync(dataDir)} ${dev} ${ino}`
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 12)
}

/** Deletes leftovers of this data folder, whose lock is held, and those of other data folders after a day. */
function removeLeftovers(dir: string, owner: string, now: Date): void {
  for (const name of listFolder(dir)) {
    const [, of, by] = LEFTOVER.exec(name) ?? []
    const begunAt = of === undefined ? undefined : parseBackupName(of)
    if (begunAt === undefined) continue
    const isOld = now.getTime() - begunAt.getTime() > MS_PER_DAY
    if (by === owner || isOld) rmSync(join(dir, name), { recursive: true, force: true })
  }
}

const UNFINISHED = '.unfinished'
const LEFTOVER = /^\.(cardstock-.+Z)\.([0-9a-f]{12})\.unfinished$/

/** Links files into both folders; a file is deleted with its last folder. */
function share(
  { folder: from, manifest }: Backup,
  names: readonly string[],
  folder: string,
): BackupFile[] | undefined {
  const files = manifest.files.filter(({ name }) => names.includes(name))
  // A corrupted file must not be passed on.
  const areWhole = files.every(({ name, sha256 }) => hashFile(join(from, name)) === sha256)
  if (files.length < names.length || !areWhole) return undefined
  try {
    for (const { name } of files) linkSync(join(from, name), join(folder, name))
    return files
  } catch (error) {
    // Otherwise a copy would be written into the earlier backup.
    for (const { name } of files) rmSync(join(folder, name), { force: true })
    // The file system supports no links, or no further ones.
    if (hasErrorCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK')) {
      return undefined
    }
    throw error
  }
}

function copySecret(dataDir: string, folder: string, at: Date): BackupFile | undefined {
  const [from, to] = [join(dataDir, SECRET_FILE), join(folder, SECRET_FILE)]
  if (!existsSync(from)) return undefined
  writeFileSync(to, readFileSync(from), { mode: 0o600, flush: true })
  const taken_at = at.toISOString()
  return {
    name: SECRET_FILE,
    size: statSync(to).size,
    sha256: hashFile(to),
    taken_at,
    schema: null,
  }
}

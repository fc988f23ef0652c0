import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorCode } from '#rules/primitives/system-error-code.ts'
import { type Backup, brokenBackupError, findBackup, hashFile } from '#store/backup/folder.ts'
import { finishSwap, removeLeftovers, stageFile, swapIn } from '#store/backup/restore.ts'
import { LEDGER_FILE, lockDataFolder } from '#store/files/data-folder.ts'
import { latestSchemaVersion } from '#store/index.ts'

export type RestoreReport = {
  /** The backup that was taken. */
  backup: string
  /** When the copy of the ledger was taken; what happened later is not in it. */
  taken_at: string
  program: string
  files: string[]
  bytes: number
}

/**
 * Puts the files of a backup into a data folder on which nothing runs. Killed before the last step it
 * leaves the old files as they were; killed in it, the next program that opens the folder ends it.
 *
 * @param from a backup, or a folder of several, of which the newest is taken
 * @param force whether files that are there may be replaced
 * @throws ServiceError for a backup that is missing, damaged or too new, a folder that is in use or has
 *   files already, and a disk that is full
 */
export function restoreBackup(
  dataDir: string,
  { from, force }: { from: string; force: boolean },
): RestoreReport {
  const backup = findBackup(from)
  const { files, program } = backup.manifest
  assertKnown(backup)
  mkdirSync(dataDir, { recursive: true })
  const release = lockDataFolder(dataDir)
  try {
    finishSwap(dataDir)
    const names = files.map(({ name }) => name)
    if (!force) assertFree(dataDir, names)
    removeLeftovers(dataDir)
    try {
      stage(dataDir, backup)
    } catch (error) {
      removeLeftovers(dataDir)
      throw inWords(error, dataDir)
    }
    swapIn(dataDir, names)
    return {
      backup: backup.folder,
      taken_at: files.find(({ name }) => name === LEDGER_FILE)?.taken_at ?? '',
      program,
      files: names,
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    }
  } finally {
    release()
  }
}

function assertKnown({ folder, manifest }: Backup): void {
  for (const { name, schema } of manifest.files) {
    const known = latestSchemaVersion(name)
    if (known === undefined) throw brokenBackupError(folder, `this program knows no ${name}.`)
    if (schema !== null && known !== null && schema > known) {
      throw new ServiceError(
        'VALIDATION_ERROR',
        `The ${name} in ${folder} has schema version ${schema}, this program knows ${known}. Restore it with Cardstock ${manifest.program} or newer.`,
      )
    }
  }
}

function assertFree(dataDir: string, names: readonly string[]): void {
  const taken = names.filter((name) => existsSync(join(dataDir, name)))
  if (taken.length === 0) return
  throw new ServiceError(
    'VALIDATION_ERROR',
    `${dataDir} has ${taken.join(' and ')} already. Give --force to replace them, or set DATA_DIR to an empty folder.`,
  )
}

/** The copies are what is judged, so neither the backup nor the way here can have spoilt them. */
function stage(dataDir: string, { folder, manifest }: Backup): void {
  for (const { name, sha256 } of manifest.files) {
    const copy = stageFile(dataDir, name, join(folder, name))
    if (hashFile(copy) !== sha256) {
      throw brokenBackupError(
        folder,
        `${name} is not the file that was written (its SHA-256 is another one).`,
      )
    }
  }
}

function inWords(error: unknown, dataDir: string): unknown {
  const code = errorCode(error)
  if (!['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EACCES', 'EROFS'].includes(code)) return error
  return new ServiceError(
    'UNAVAILABLE',
    `The backup could not be copied to ${dataDir} (${code}); the files there are as they were. See that there is room, that the folder may be written, and try again.`,
  )
}

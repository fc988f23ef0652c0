import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  compareSchemas,
  countSchemaSteps,
  UNRELEASED_SCHEMA,
} from '#rules/operations/schema-version.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorCode } from '#rules/primitives/system-errors.ts'
import { type Backup, brokenBackupError, findBackup, hashFile } from '#store/backup/folder.ts'
import { finishSwap, removeLeftovers, stageFile, swapIn } from '#store/backup/restore.ts'
import { HISTORY_FILE, LEDGER_FILE, lockDataFolder } from '#store/files/data-folder.ts'
import { copyDeletions } from '#store/files/deletion-list.ts'
import { createPrivateFiles, explainFaults } from '#store/files/folder-entries.ts'
import { placeHistory } from '#store/files/history-files.ts'
import { latestSchemaVersion } from '#store/prepare-files.ts'

export type RestoreReport = {
  /** Path of the backup. */
  backup: string
  /** Time of the ledger's copy; the catalog's if the backup has no ledger. */
  taken_at: string
  program: string
  files: string[]
  bytes: number
}

/**
 * Restores a backup into a data folder that no process uses. If it is killed, the old files stay, or the
 * next program that opens the folder finishes the restore.
 *
 * @param from a backup, or a folder of backups, whose newest is used
 * @param force replaces existing files
 * @throws ServiceError if the backup is missing, damaged or too new, the folder is in use or has files
 *   already, or the disk is full
 */
export function restoreBackup(
  dataDir: string,
  { from, force }: { from: string; force: boolean },
): RestoreReport {
  const backup = findBackup(from)
  const { files, program } = backup.manifest
  assertSupported(backup)
  createPrivateFiles()
  explainFaults(dataDir, () => mkdirSync(dataDir, { recursive: true, mode: 0o700 }))
  const release = lockDataFolder(dataDir)
  try {
    finishSwap(dataDir)
    const names = files.map(({ name }) => name).filter((name) => name !== HISTORY_FILE)
    if (!force) assertNoFiles(dataDir, names)
    removeLeftovers(dataDir)
    // The next start repeats deletions of accounts that happened after the backup.
    copyDeletions(dirname(backup.folder), dataDir)
    try {
      stage(dataDir, backup)
    } catch (error) {
      removeLeftovers(dataDir)
      throw describeError(error, dataDir)
    }
    swapIn(dataDir, names)
    return {
      backup: backup.folder,
      taken_at: (files.find(({ name }) => name === LEDGER_FILE) ?? files[0])?.taken_at ?? '',
      program,
      files: files.map(({ name }) => name),
      bytes: files.reduce((sum, { size }) => sum + size, 0),
    }
  } finally {
    release()
  }
}

function assertSupported({ folder, manifest }: Backup): void {
  for (const { name, schema } of manifest.files) {
    const supported = latestSchemaVersion(name)
    if (supported === undefined)
      throw brokenBackupError(folder, `this program does not know the file ${name}.`)
    if (schema === null || supported === null) continue
    const order = compareSchemas(schema, supported)
    if (order === 'unreleased') {
      throw brokenBackupError(folder, `its ${name} ${UNRELEASED_SCHEMA}.`)
    }
    if (order === 'newer') {
      throw new ServiceError(
        'VALIDATION_ERROR',
        `The ${name} in ${folder} has schema version ${countSchemaSteps(schema)}, but this program supports ${countSchemaSteps(supported)}. Restore it with Cardstock ${manifest.program} or newer.`,
      )
    }
  }
}

function assertNoFiles(dataDir: string, wanted: readonly string[]): void {
  const existing = wanted.filter((name) => existsSync(join(dataDir, name)))
  if (existing.length === 0) return
  const names = new Intl.ListFormat('en-GB').format(existing)
  throw new ServiceError(
    'VALIDATION_ERROR',
    `${dataDir} already has ${names}. Add --force to replace them, or set DATA_DIR to an empty folder.`,
  )
}

/**
 * Checks the copies instead of the originals, to find copying errors, too. Files of closed months have unique names,
 * and several may exist.
 */
function stage(dataDir: string, { folder, manifest }: Backup): void {
  for (const { name, sha256 } of manifest.files) {
    const copy = stageFile(dataDir, name, join(folder, name))
    if (hashFile(copy) !== sha256) {
      throw brokenBackupError(folder, `${name} has changed since the backup (its SHA-256 differs).`)
    }
    if (name === HISTORY_FILE) placeHistory(dataDir, copy, { sha256 })
  }
}

function describeError(error: unknown, dataDir: string): unknown {
  const code = errorCode(error)
  if (!['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EACCES', 'EROFS'].includes(code)) return error
  return new ServiceError(
    'UNAVAILABLE',
    `The backup could not be copied to ${dataDir} (${code}); the files there are unchanged. Check the free space and the permissions of the folder, then try again.`,
  )
}

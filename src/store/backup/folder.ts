import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseBackupName } from '#rules/operations/backup-retention.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { CATALOG_FILE } from '../files/data-folder.ts'
import { explainFaults, listFolder, readIfExists } from '../files/folder-entries.ts'

export const BACKUP_MANIFEST = 'manifest.json'
/** Format of the manifest and its folder. */
export const BACKUP_FORMAT = 1

export type BackupFile = {
  name: string
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  /** Time of the snapshot, ISO 8601: it contains earlier commits, but no later ones. */
  taken_at: string
  /** Schema version; null for files other than databases. */
  schema: number | null
}

/** Manifest of a backup. */
export type BackupManifest = {
  format: number
  /** Version of the program that created it. */
  program: string
  begun_at: string
  ended_at: string
  files: BackupFile[]
}

export type Backup = { folder: string; name: string; begunAt: Date; manifest: BackupManifest }

/**
 * Lists the complete backups in a folder, newest first. A complete backup has a valid name, a manifest, and all files
 * with their sizes. Contents are not read.
 */
export function listBackups(dir: string): Backup[] {
  return listFolder(dir)
    .flatMap((name) => {
      const begunAt = parseBackupName(name)
      const folder = join(dir, name)
      const manifest = begunAt && readManifest(folder)
      const isWhole =
        typeof manifest === 'object' &&
        manifest.files.every((file) => findFault(folder, file) === '')
      return begunAt && isWhole ? [{ folder, name, begunAt, manifest }] : []
    })
    .sort((a, b) => b.begunAt.getTime() - a.begunAt.getTime())
}

/** Returns the disk space of backups in bytes; a file shared by several of them counts once. */
export function measureBackups(backups: readonly Backup[]): number {
  const sizes = new Map<string, number>()
  for (const { folder, manifest } of backups) {
    for (const { name } of manifest.files) {
      // Files of a backup that is being deleted do not count.
      const file = statSync(join(folder, name), { throwIfNoEntry: false })
      if (file !== undefined) sizes.set(`${file.dev}:${file.ino}`, file.size)
    }
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}

/**
 * Returns the backup at a path, or the newest one in the folder at that path.
 * @throws ServiceError NOT_FOUND if neither exists; VALIDATION_ERROR if the backup is incomplete
 */
export function findBackup(path: string): Backup {
  const folder = resolve(path)
  const manifest = readManifest(folder)
  if (manifest === undefined) {
    const newest = listBackups(folder)[0]
    if (newest !== undefined) return newest
    throw new ServiceError(
      'NOT_FOUND',
      `${path} is not a backup and does not contain a complete one. Specify a folder that "bun run backup" created.`,
    )
  }
  if (typeof manifest === 'string') throw brokenBackupError(folder, manifest)
  for (const file of manifest.files) {
    const fault = findFault(folder, file)
    if (fault !== '') throw brokenBackupError(folder, fault)
  }
  const name = folder.split('/').at(-1) ?? ''
  return { folder, name, begunAt: new Date(manifest.begun_at), manifest }
}

export function brokenBackupError(folder: string, fault: string): ServiceError {
  return new ServiceError(
    'VALIDATION_ERROR',
    `The backup in ${folder} cannot be used: ${fault} Use another one.`,
  )
}

/** @returns the fault as a string; undefined without a manifest */
function readManifest(folder: string): BackupManifest | string | undefined {
  const path = join(folder, BACKUP_MANIFEST)
  const read = <T>(action: () => T) =>
    explainFaults(path, () => readIfExists(action, 'ENOENT', 'ENOTDIR'))
  if (read(() => statSync(path))?.isFile() === false) {
    return `its ${BACKUP_MANIFEST} is not a regular file.`
  }
  const text = read(() => readFileSync(path, 'utf8'))
  if (text === undefined) return undefined
  const found = parse(text)
  if (found === undefined) return `its ${BACKUP_MANIFEST} is not valid JSON.`
  if (found.format > BACKUP_FORMAT) {
    return `it has format ${found.format}, but this program supports only ${BACKUP_FORMAT}; use a newer version of Cardstock.`
  }
  return isManifest(found) ? found : `its ${BACKUP_MANIFEST} is invalid.`
}

function parse(text: string): { format: number } | undefined {
  try {
    const found = JSON.parse(text)
    return Number.isSafeInteger(found?.format) ? found : undefined
  } catch {
    return undefined
  }
}

function isManifest(found: Partial<BackupManifest>): found is BackupManifest {
  const times = [found.begun_at, found.ended_at]
  return (
    typeof found.program === 'string' &&
    times.every((time) => typeof time === 'string' && !Number.isNaN(Date.parse(time))) &&
    Array.isArray(found.files) &&
    found.files.every(isFile) &&
    // A ledger on PostgreSQL is backed up by its own tools.
    found.files.some(({ name }) => name === CATALOG_FILE)
  )
}

function isFile(file: Partial<BackupFile> | null): boolean {
  return (
    typeof file?.name === 'string' &&
    // A name without separators cannot leave the folder.
    /^[a-z][a-z.-]{0,40}$/.test(file.name) &&
    Number.isSafeInteger(file.size) &&
    /^[0-9a-f]{64}$/.test(file.sha256 ?? '') &&
    typeof file.taken_at === 'string' &&
    (file.schema === null || Number.isSafeInteger(file.schema))
  )
}

/** Returns the fault of a file that is visible without reading it; empty if it has none. */
function findFault(folder: string, { name, size }: BackupFile): string {
  const found = readIfExists(() => statSync(join(folder, name)).size, 'ENOENT', 'ENOTDIR')
  if (found === undefined) return `${name} is missing.`
  return found === size ? '' : `${name} has ${found} bytes instead of ${size}.`
}

/** Returns the hexadecimal SHA-256 of a file of any size. */
export function hashFile(path: string): string {
  const hasher = new Bun.CryptoHasher('sha256')
  const part = Buffer.allocUnsafe(PART_BYTES)
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const read = readSync(file, part)
      if (read === 0) return hasher.digest('hex')
      hasher.update(part.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
}

const PART_BYTES = 4 * 1024 * 1024

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import { historyKey, type Snapshot } from '#rules/operations/snapshot-list.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { BACKUP_FORMAT, BACKUP_MANIFEST, type BackupManifest } from '#store/backup/folder.ts'
import { CATALOG_FILE, HISTORY_FILE } from '#store/files/data-folder.ts'
import { claimDataFolder } from '#store/files/folder-entries.ts'
import { createDraftFolder } from '#store/files/snapshot-files.ts'
import { downloadFile } from './fetch-snapshot.ts'
import { readSnapshots } from './read-snapshots.ts'
import { type RestoreReport, restoreBackup } from './restore-backup.ts'

export type RestoreSnapshotOptions = {
  /** Version to restore; undefined: the newest. */
  version: number | undefined
  /** Replaces an existing catalog. */
  force: boolean
}

/**
 * Restores the catalog from a bucket into a data folder that no process uses, like a backup of it.
 *
 * @throws ServiceError NOT_FOUND without such a snapshot; otherwise like `restoreBackup`
 */
export async function restoreSnapshot(
  { dataDir, bucket }: { dataDir: string; bucket: Bucket },
  { version, force }: RestoreSnapshotOptions,
): Promise<RestoreReport> {
  const snapshot = await findSnapshot(bucket, version)
  claimDataFolder(dataDir)
  const folder = createDraftFolder(dataDir, 'restore')
  try {
    for (const file of filesOf(snapshot)) await downloadFile(bucket, file, join(folder, file.name))
    writeFileSync(join(folder, BACKUP_MANIFEST), JSON.stringify(describe(snapshot)))
    return { ...restoreBackup(dataDir, { from: folder, force }), backup: snapshot.key }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function findSnapshot(bucket: Bucket, version: number | undefined): Promise<Snapshot> {
  const { snapshots } = await readSnapshots(bucket)
  const [newest] = snapshots.filter((one) => version === undefined || one.version === version)
  if (newest !== undefined) return newest
  const known = snapshots.map((one) => one.version).join(', ') || 'none'
  throw new ServiceError('NOT_FOUND', `The bucket has no such snapshot. Versions in it: ${known}.`)
}

/** Returns the files of a snapshot, by their names in a backup. */
function filesOf({ history, ...snapshot }: Snapshot) {
  const catalog = { ...snapshot, name: CATALOG_FILE }
  if (history === undefined) return [catalog]
  const months = { ...history, name: HISTORY_FILE, key: historyKey(history), schema: null }
  return [catalog, months]
}

/** Describes a snapshot as a backup of the catalog alone. */
function describe(snapshot: Snapshot): BackupManifest {
  const { changed_at, program } = snapshot
  const files = filesOf(snapshot).map(({ name, bytes, sha256, schema }) => ({
    name,
    size: bytes,
    sha256,
    schema,
    taken_at: changed_at,
  }))
  return { format: BACKUP_FORMAT, program, begun_at: changed_at, ended_at: changed_at, files }
}

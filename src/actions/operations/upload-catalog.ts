import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '#log.ts'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import {
  isSnapshotKey,
  SNAPSHOT_FOLDER,
  type Snapshot,
  snapshotKey,
} from '#rules/operations/snapshot-list.ts'
import { openFrozenFiles } from '#store/backup/snapshot.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { describeCatalog } from '#store/files/describe-catalog.ts'
import {
  createDraftFolder,
  packSnapshot,
  snapshotFileName,
  snapshotFolder,
} from '#store/files/snapshot-files.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/**
 * Uploads a copy of the catalog as it is now. Servers read on while it is copied.
 *
 * @param keepsFile true if this server will serve it: then it need not be fetched
 */
export async function uploadCatalog(
  { dataDir, now }: { dataDir: string; now: () => Date },
  bucket: Bucket,
  keepsFile = false,
): Promise<Snapshot> {
  const folder = createDraftFolder(dataDir, 'upload')
  const frozen = openFrozenFiles(dataDir, now, true)
  try {
    await frozen.copyCatalog(folder, () => {})
    const copy = join(folder, CATALOG_FILE)
    const snapshot = await uploadFile(copy, bucket)
    if (keepsFile) renameSync(copy, join(snapshotFolder(dataDir), snapshotFileName(snapshot)))
    return snapshot
  } finally {
    frozen.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Uploads a catalog's file that nobody writes. The caller deletes its folder, with the compressed file in it. */
export async function uploadFile(path: string, bucket: Bucket): Promise<Snapshot> {
  const packed = `${path}.zst`
  const state = describeCatalog(path)
  if (state === undefined) throw new Error('a catalog without a publication was to be uploaded')
  const sizes = await packSnapshot(path, packed)
  const key = snapshotKey({ ...state, ...sizes })
  // A file of this name has these contents: an earlier run was killed after it.
  await bucket.upload(key, packed)
  return { ...state, ...sizes, key, program: packageJson.version }
}

/** Deletes the snapshots that nothing refers to any more. Never rejects: the next publication tries again. */
export async function deleteOtherSnapshots(
  { bucket, log }: { bucket: Bucket; log: Log },
  kept: readonly Snapshot[],
): Promise<void> {
  const referred = new Set(kept.map(({ key }) => key))
  try {
    for (const name of await bucket.list(SNAPSHOT_FOLDER)) {
      if (isSnapshotKey(name) && !referred.has(name)) await bucket.delete(name)
    }
  } catch (error) {
    log.warn('failed to delete old snapshots', { error })
  }
}

import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '#log.ts'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import {
  historyKey,
  isSnapshotObject,
  objectsOf,
  SNAPSHOT_FOLDER,
  type Snapshot,
  snapshotKey,
} from '#rules/operations/snapshot-list.ts'
import { openFrozenFiles } from '#store/backup/snapshot.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { describeCatalog } from '#store/files/describe-catalog.ts'
import { locateHistory, separateClosedMonths } from '#store/files/history-files.ts'
import { acquireLock } from '#store/files/lock.ts'
import {
  createDraftFolder,
  packFile,
  snapshotFileName,
  snapshotFolder,
} from '#store/files/snapshot-files.ts'
import packageJson from '../../../package.json' with { type: 'json' }

/**
 * Uploads a copy of the current catalog. Servers can read the catalog during the copy.
 *
 * @param keepsFile true if this server will serve the copy, so that it need not be fetched
 */
export async function uploadCatalog(
  { dataDir, now }: { dataDir: string; now: () => Date },
  bucket: Bucket,
  keepsFile = false,
): Promise<Snapshot> {
  separateHistory(dataDir)
  const folder = createDraftFolder(dataDir, 'upload')
  const frozen = openFrozenFiles(dataDir, now, true)
  try {
    await frozen.copyCatalog(folder, () => {})
    const copy = join(folder, CATALOG_FILE)
    const snapshot = await uploadFile(copy, { dataDir, bucket })
    if (keepsFile) renameSync(copy, join(snapshotFolder(dataDir), snapshotFileName(snapshot)))
    return snapshot
  } finally {
    frozen.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Excludes years of closed months from the copy. During a sync, this is left to the next run. */
function separateHistory(dataDir: string): void {
  const unlock = acquireLock(dataDir, 'intake')
  if (unlock === undefined) return
  try {
    separateClosedMonths(dataDir)
  } finally {
    unlock()
  }
}

/**
 * Uploads the file of a catalog without a writer, and its file of closed months if the bucket lacks it. The caller
 * deletes its folder, with the compressed files in it.
 */
export async function uploadFile(
  path: string,
  { dataDir, bucket }: { dataDir: string; bucket: Bucket },
): Promise<Snapshot> {
  const state = describeCatalog(path)
  if (state === undefined) throw new Error('a catalog without a publication was to be uploaded')
  const { history } = state
  if (history !== undefined && (await bucket.list(historyKey(history))).length === 0) {
    const months = locateHistory(dataDir, history)
    const packed = `${path}.history.zst`
    await packFile(months, packed)
    await bucket.upload(historyKey(history), packed)
  }
  const packed = `${path}.zst`
  const sizes = await packFile(path, packed)
  const key = snapshotKey({ ...state, ...sizes })
  // An existing file of this name has the same contents, because an earlier run was killed after its upload.
  await bucket.upload(key, packed)
  return { ...state, ...sizes, key, program: packageJson.version }
}

/**
 * Deletes snapshots without a reference. Never rejects: the next publication tries again.
 *
 * @param listKept lists the snapshots to keep, after the names in the bucket were read; undefined if another server
 * has begun to lead and may have uploaded one of them
 */
export async function deleteOtherSnapshots(
  { bucket, log }: { bucket: Bucket; log: Log },
  listKept: () => Promise<readonly Snapshot[] | undefined>,
): Promise<void> {
  try {
    const names = await bucket.list(SNAPSHOT_FOLDER)
    const kept = await listKept()
    if (kept === undefined) return
    const referred = objectsOf(kept)
    for (const name of names) {
      if (isSnapshotObject(name) && !referred.has(name)) await bucket.delete(name)
    }
  } catch (error) {
    log.warn('failed to delete old snapshots', { error })
  }
}

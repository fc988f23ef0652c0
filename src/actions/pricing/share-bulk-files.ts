import { join } from 'node:path'
import type { Log } from '#log.ts'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import {
  BULK_FOLDER,
  BULK_LIST,
  BULK_VERSIONS_KEPT,
  type BulkManifest,
  bulkObject,
  bulkPrefix,
  bulkVersionOf,
  formatBulkList,
} from '#rules/pricing/bulk-list.ts'
import { bulkFolder, bulkVersionFolder, readBulkManifest } from '#store/files/bulk-files.ts'
import { readBulkList } from './find-bulk-files.ts'

export type ShareBulkDeps = {
  dataDir: string
  bucket: Bucket
  /** True if versions never go back, so that files older than the newest ones come from a former leader. */
  isInFleet: boolean
  log: Log
}

/**
 * Uploads the bulk files of a version to the bucket, from which other servers offer them. They become visible
 * together. Does nothing if the bucket has them or newer ones.
 *
 * @throws ServiceError UNAVAILABLE if the bucket fails
 */
export async function shareBulkFiles(
  { dataDir, bucket, isInFleet, log }: ShareBulkDeps,
  version: number,
): Promise<void> {
  const manifest = readBulkManifest(bulkFolder(dataDir), version)
  if (manifest === undefined) return
  const { versions, etag } = await readBulkList(bucket)
  const [newest] = versions
  const isShared = newest?.version === version && newest.updated_at === manifest.updated_at
  if (isShared || (isInFleet && newest !== undefined && newest.version >= version)) return
  const folder = join(bulkFolder(dataDir), bulkVersionFolder(version))
  const shared = objectsOf(versions)
  for (const file of manifest.files) {
    const object = bulkObject(manifest, file)
    if (!shared.has(object)) await bucket.upload(object, join(folder, file.game, file.name))
  }
  const list = [manifest, ...versions].slice(0, BULK_VERSIONS_KEPT)
  // Another server was faster, and its files are at least as new.
  if (!(await bucket.replace(BULK_LIST, formatBulkList(list), etag))) return
  await deleteOtherFiles({ bucket, log }, list, shared)
}

function objectsOf(versions: readonly BulkManifest[]): Set<string> {
  return new Set(
    versions.flatMap((manifest) => manifest.files.map((file) => bulkObject(manifest, file))),
  )
}

/**
 * Deletes files of versions that are no longer listed. Files of later versions stay, because another server may be
 * uploading them, as do months of the history that were never listed. Never rejects: the next version tries again.
 *
 * @param before objects that were listed until now
 */
async function deleteOtherFiles(
  { bucket, log }: Pick<ShareBulkDeps, 'bucket' | 'log'>,
  list: readonly BulkManifest[],
  before: ReadonlySet<string>,
): Promise<void> {
  const objects = objectsOf(list)
  const prefixes = list.map(bulkPrefix)
  const newest = Math.max(...list.map(({ version }) => version))
  try {
    for (const name of await bucket.list(BULK_FOLDER)) {
      const version = bulkVersionOf(name)
      const isListed = objects.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
      const isOld = version === undefined ? before.has(name) : version <= newest
      if (isOld && !isListed) await bucket.delete(name)
    }
  } catch (error) {
    log.warn('failed to delete old bulk files', { error })
  }
}

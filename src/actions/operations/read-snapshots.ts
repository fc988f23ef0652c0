import type { Bucket } from '#outbound/bucket/bucket.ts'
import { parseSnapshotList, SNAPSHOT_LIST, type Snapshot } from '#rules/operations/snapshot-list.ts'

/** Snapshots in a bucket, newest first, and the entity tag of their list; undefined if the bucket has none. */
export type FoundSnapshots = { snapshots: Snapshot[]; etag: string | undefined }

/**
 * Reads the list of snapshots.
 *
 * @throws ServiceError UNAVAILABLE if the bucket fails, or the object is not such a list
 */
export async function readSnapshots(bucket: Bucket): Promise<FoundSnapshots> {
  const found = await bucket.read(SNAPSHOT_LIST)
  if (found === undefined || found === 'unchanged') return { snapshots: [], etag: undefined }
  return { snapshots: parseSnapshotList(found.text), etag: found.etag }
}

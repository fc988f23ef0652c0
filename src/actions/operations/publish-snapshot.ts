import { join } from 'node:path'
import type { Log } from '#log.ts'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import {
  addSnapshot,
  formatSnapshotList,
  keptSnapshots,
  SNAPSHOT_LIST,
  type Snapshot,
} from '#rules/operations/snapshot-list.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { describeCatalog } from '#store/files/describe-catalog.ts'
import { acquireLock } from '#store/files/lock.ts'
import { type FoundSnapshots, readSnapshots } from './read-snapshots.ts'
import { deleteOtherSnapshots, uploadCatalog } from './upload-catalog.ts'

export type PublishSnapshotDeps = {
  dataDir: string
  bucket: Bucket
  /** Number of days for which the bucket keeps the last snapshot of each day. */
  keepDays: number
  log: Log
  now: () => Date
}

export type SnapshotReport = {
  /** `current`: the bucket has the newest version. `elsewhere`: another process is publishing it. */
  outcome: 'published' | 'current' | 'elsewhere'
  version?: number
  bytes?: number
  compressed_bytes?: number
  ms: number
}

/**
 * Uploads the catalog to the bucket, unless the bucket has the newest version. Servers can read the catalog during
 * the copy. A killed process leaves at most a file without a reference, which a later run deletes.
 *
 * @throws ServiceError UNAVAILABLE if the bucket or the disk fails, or another server publishes to the bucket
 */
export async function publishSnapshot(deps: PublishSnapshotDeps): Promise<SnapshotReport> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const unlock = acquireLock(deps.dataDir, 'snapshot')
  if (unlock === undefined) return { outcome: 'elsewhere', ms: elapsed() }
  try {
    const found = await readSnapshots(deps.bucket)
    const state = describeCatalog(join(deps.dataDir, CATALOG_FILE))
    const [newest] = found.snapshots
    const isCurrent = STATE.every((part) => newest?.[part] === state?.[part])
    // Replicas wait for the first sync.
    if (isCurrent || state === undefined) return { outcome: 'current', ms: elapsed() }
    const snapshot = await uploadCatalog(deps, deps.bucket)
    await announce(deps, found, snapshot)
    const { version, bytes, compressed_bytes } = snapshot
    return { outcome: 'published', version, bytes, compressed_bytes, ms: elapsed() }
  } finally {
    unlock()
  }
}

/** Members that are equal in two snapshots with equal contents. */
const STATE = ['version', 'changed_at', 'schema', 'pictures'] as const

/** Registers the snapshot as the newest one, and deletes files without a reference. */
async function announce(
  { bucket, keepDays, log, now }: PublishSnapshotDeps,
  { snapshots, etag }: FoundSnapshots,
  snapshot: Snapshot,
): Promise<void> {
  const list = keptSnapshots(addSnapshot(snapshots, snapshot), now(), keepDays)
  if (!(await bucket.replace(SNAPSHOT_LIST, formatSnapshotList(list), etag))) {
    throw new ServiceError(
      'UNAVAILABLE',
      'Another server has published a snapshot to this bucket. Give each publishing server its own prefix in SNAPSHOTS_URL.',
    )
  }
  await deleteOtherSnapshots({ bucket, log }, async () => list)
}

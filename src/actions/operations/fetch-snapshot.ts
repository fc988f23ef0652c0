import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import type { Snapshot } from '#rules/operations/snapshot-list.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  findServedSnapshot,
  locateCatalog,
  snapshotFileName,
  snapshotFolder,
  unpackSnapshot,
} from '#store/files/snapshot-files.ts'
import { prepareSnapshot } from '#store/replica-snapshot.ts'

export type FetchSnapshotDeps = {
  dataDir: string
  bucket: Bucket
  /** True if the ledger is a database of several servers. */
  isLedgerShared: boolean
  now: () => Date
}

export type FetchedSnapshot = {
  /** The file, ready to be opened. */
  path: string
  version: number
  bytes: number
  /** Alerts of this replica's own accounts that the new prices give rise to. */
  alerts: number
  ms: number
}

/**
 * Fetches a snapshot, checks it, and prepares it for this server.
 *
 * @throws ServiceError UNAVAILABLE if the bucket or the disk fails, or the file is not what was published
 */
export async function fetchSnapshot(
  { dataDir, bucket, isLedgerShared, now }: FetchSnapshotDeps,
  snapshot: Snapshot,
  folder = snapshotFolder(dataDir),
): Promise<FetchedSnapshot> {
  const started = performance.now()
  const known = join(folder, snapshotFileName(snapshot))
  // This server has made it itself, or was stopped before it served it.
  const path = existsSync(known)
    ? known
    : await unpackSnapshot(folder, snapshot, await downloadSnapshot(bucket, snapshot))
  const isFirst = findServedSnapshot(dataDir) === undefined
  const served = isFirst ? undefined : locateCatalog(dataDir, true)
  const alerts = prepareSnapshot({ path, served, dataDir, isLedgerShared, now })
  const { version, bytes } = snapshot
  return { path, version, bytes, alerts, ms: Math.round(performance.now() - started) }
}

/** Opens a snapshot in the bucket. @throws ServiceError UNAVAILABLE if it is missing */
export async function downloadSnapshot(
  bucket: Bucket,
  { key }: Snapshot,
): Promise<AsyncIterable<Uint8Array>> {
  const packed = await bucket.download(key)
  if (packed !== undefined) return packed
  throw new ServiceError(
    'UNAVAILABLE',
    `${key} is missing in the bucket. The publishing server adds the next one.`,
  )
}

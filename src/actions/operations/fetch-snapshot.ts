import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import { historyKey, type Snapshot, type SnapshotHistory } from '#rules/operations/snapshot-list.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  deleteUnfinishedHistory,
  deleteUnusedHistory,
  historyFolder,
  locateHistory,
} from '#store/files/history-files.ts'
import {
  findServedSnapshot,
  locateCatalog,
  type PublishedFile,
  snapshotFileName,
  snapshotFolder,
  unpackFile,
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
  /** Number of alerts that the new prices cause for this replica's own accounts. */
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
  const path = join(folder, snapshotFileName(snapshot))
  if (snapshot.history !== undefined) await fetchHistory({ dataDir, bucket }, snapshot.history)
  // An existing file was created by this server, or fetched before a restart.
  if (!existsSync(path)) await downloadFile(bucket, snapshot, path)
  const isFirst = findServedSnapshot(dataDir) === undefined
  const served = isFirst ? undefined : locateCatalog(dataDir, true)
  const alerts = prepareSnapshot({ path, served, dataDir, isLedgerShared, now })
  const { version, bytes } = snapshot
  return { path, version, bytes, alerts, ms: Math.round(performance.now() - started) }
}

/** Fetches a file of closed months unless this server has it, and deletes files that are no longer needed. */
async function fetchHistory(
  { dataDir, bucket }: Pick<FetchSnapshotDeps, 'dataDir' | 'bucket'>,
  history: SnapshotHistory,
): Promise<void> {
  deleteUnusedHistory(dataDir, history)
  const path = locateHistory(dataDir, history)
  if (existsSync(path)) return
  deleteUnfinishedHistory(dataDir)
  mkdirSync(historyFolder(dataDir), { recursive: true, mode: 0o700 })
  await downloadFile(bucket, { ...history, key: historyKey(history) }, path)
}

/**
 * Downloads an object of a snapshot, which appears once it is complete and checked.
 *
 * @throws ServiceError UNAVAILABLE if it is missing, or not what was published
 */
export async function downloadFile(
  bucket: Bucket,
  file: PublishedFile,
  path: string,
): Promise<void> {
  const packed = await bucket.download(file.key)
  if (packed !== undefined) return unpackFile(path, file, packed)
  throw new ServiceError(
    'UNAVAILABLE',
    `${file.key} is missing in the bucket. The publishing server adds the next one.`,
  )
}

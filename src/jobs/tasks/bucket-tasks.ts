import { fetchSnapshot } from '#actions/operations/fetch-snapshot.ts'
import { packNextVersion, rebaseCatalog } from '#actions/operations/lead-catalog.ts'
import { publishSnapshot } from '#actions/operations/publish-snapshot.ts'
import { sharePictureIndex } from '#actions/photos/share-picture-index.ts'
import { type Config, isInFleet } from '#config.ts'
import type { Log } from '#log.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import type { FetchTask, PackTask, RebaseTask } from '../workers.ts'

export async function putSnapshot(config: Config, log: Log): Promise<object> {
  const keepDays = config.backupRetention.days
  const report = await publishSnapshot({ ...bucketDeps(config), keepDays, log })
  await sharePictures(config, log)
  return report
}

async function sharePictures(config: Config, log: Log): Promise<void> {
  const { dataDir, bucket } = bucketDeps(config)
  await sharePictureIndex({ dataDir, bucket, isInFleet: isInFleet(config), log })
}

export function fetchSnapshotFile(config: Config, { snapshot }: FetchTask): Promise<object> {
  return fetchSnapshot(bucketDeps(config), snapshot)
}

export async function packVersion(config: Config, log: Log, { base }: PackTask): Promise<object> {
  await sharePictures(config, log)
  return packNextVersion(bucketDeps(config), base)
}

export function rebaseWork(config: Config, { newest }: RebaseTask): Promise<object> {
  return rebaseCatalog(bucketDeps(config), newest)
}

/** Returns the dependencies of the actions on the bucket. */
export function bucketDeps({ dataDir, catalogSource, snapshots, ledgerDatabase }: Config) {
  const settings = catalogSource ?? snapshots
  if (settings === undefined) throw new Error('a snapshot was requested without a bucket')
  const isLedgerShared = ledgerDatabase !== undefined
  return { dataDir, bucket: openBucket(settings), isLedgerShared, now: () => new Date() }
}

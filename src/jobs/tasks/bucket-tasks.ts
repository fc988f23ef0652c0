import { fetchSnapshot } from '#actions/operations/fetch-snapshot.ts'
import { packNextVersion, rebaseCatalog } from '#actions/operations/lead-catalog.ts'
import { publishSnapshot } from '#actions/operations/publish-snapshot.ts'
import { loadReferences } from '#actions/photos/load-references.ts'
import { sharePictureIndex } from '#actions/photos/share-picture-index.ts'
import { type Config, isInFleet } from '#config.ts'
import { openConfiguredLedger } from '#deps/storage.ts'
import type { Log } from '#log.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import type { StoredReferences } from '#store/catalog/pictures/reference-copies.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { embedderVersion } from '#vision/retrieval/embedder-version.ts'
import type { FetchTask, PackTask, RebaseTask } from '../workers.ts'

export async function putSnapshot(config: Config, log: Log): Promise<object> {
  const keepDays = config.backupRetention.days
  const report = await publishSnapshot({ ...bucketDeps(config), keepDays, log })
  await sharePictures(config, log)
  return report
}

async function sharePictures(config: Config, log: Log): Promise<void> {
  const { dataDir, bucket } = bucketDeps(config)
  const references = await readReferences(config, log)
  await sharePictureIndex({ dataDir, bucket, isInFleet: isInFleet(config), references, log })
}

async function readReferences(config: Config, log: Log): Promise<StoredReferences> {
  const { dataDir, publicUrl } = config
  const ledger = await openConfiguredLedger(config, log)
  const catalog = openCatalog(dataDir, createPictureUrl(publicUrl))
  try {
    return await loadReferences({ config, catalog, ledger }, embedderVersion())
  } finally {
    catalog.close()
    await ledger.close()
  }
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

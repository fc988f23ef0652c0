import { buildBulkFiles } from '#actions/pricing/build-bulk-files.ts'
import { shareBulkFiles } from '#actions/pricing/share-bulk-files.ts'
import { type Config, isInFleet, servesSnapshots } from '#config.ts'
import type { Log } from '#log.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { locateCatalog } from '#store/files/snapshot-files.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { bucketDeps } from './bucket-tasks.ts'

/** Builds the bulk files, and shares them through the bucket if there is one. */
export async function writeBulkFiles(config: Config, log: Log): Promise<object> {
  const { dataDir, publicUrl } = config
  const path = locateCatalog(dataDir, servesSnapshots(config))
  const catalog = openCatalog(dataDir, createPictureUrl(publicUrl), path)
  try {
    const report = await buildBulkFiles({ catalog, dataDir, log, now: () => new Date() })
    if (config.snapshots !== undefined) await shareBulk(config, report.version, log)
    return report
  } finally {
    catalog.close()
  }
}

async function shareBulk(config: Config, version: number, log: Log): Promise<void> {
  const { dataDir, bucket } = bucketDeps(config)
  await shareBulkFiles({ dataDir, bucket, isInFleet: isInFleet(config), log }, version)
}

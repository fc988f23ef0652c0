import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { createDraftFolder } from '#store/files/snapshot-files.ts'
import { succeedVersion } from '#store/fleet-catalog.ts'
import type { CatalogVersionStore } from '#store/ledger/fleet/postgres-catalog-versions.ts'
import { downloadFile } from './fetch-snapshot.ts'
import { uploadFile } from './upload-catalog.ts'

export type RollBackDeps = {
  dataDir: string
  bucket: Bucket
  catalogVersions: CatalogVersionStore
  now: () => Date
}

/** Version that was replaced, that has the rows from now on, and that the servers know it by. */
export type RollBackReport = { replaced: number; restored: number; version: number }

/**
 * Publishes an earlier version of a fleet's catalog again, as the newest one: versions never go back. The
 * leader continues from it.
 *
 * @param wanted version to go back to; undefined: the one before the newest
 * @throws ServiceError NOT_FOUND if it is not kept any more; UNAVAILABLE if the bucket fails, or a version
 *   was published in the meantime
 */
export async function rollBackCatalog(
  { dataDir, bucket, catalogVersions, now }: RollBackDeps,
  wanted?: number,
): Promise<RollBackReport> {
  const versions = await catalogVersions.list()
  const [newest, before] = versions
  const target =
    wanted === undefined ? before : versions.find(({ snapshot }) => snapshot.version === wanted)
  if (newest === undefined || target === undefined || target === newest) {
    const known = versions.slice(1).map(({ snapshot }) => snapshot.version)
    throw new ServiceError(
      'NOT_FOUND',
      `The fleet has no such earlier version. It can go back to: ${known.join(', ') || 'none'}.`,
    )
  }
  const folder = createDraftFolder(dataDir, 'rollback')
  try {
    const path = join(folder, CATALOG_FILE)
    await downloadFile(bucket, target.snapshot, path)
    const replaced = { version: newest.snapshot.version, activateAt: newest.activate_at }
    succeedVersion(path, replaced, now())
    const snapshot = await uploadFile(path, { dataDir, bucket })
    const base = replaced.version
    const outcome = await catalogVersions.publish(undefined, { snapshot, base }, now())
    if (outcome !== 'published') {
      throw new ServiceError(
        'UNAVAILABLE',
        'Another version was published at the same time. Try again.',
      )
    }
    const { version } = snapshot
    return { replaced: base, restored: target.snapshot.version, version }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

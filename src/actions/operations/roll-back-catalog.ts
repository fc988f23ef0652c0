import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { describeCatalog } from '#store/files/describe-catalog.ts'
import {
  createDraftFolder,
  findServedSnapshot,
  snapshotFolder,
} from '#store/files/snapshot-files.ts'
import { succeedVersion } from '#store/fleet-catalog.ts'
import type {
  CatalogVersion,
  CatalogVersionStore,
} from '#store/ledger/fleet/postgres-catalog-versions.ts'
import { downloadFile } from './fetch-snapshot.ts'
import { uploadFile } from './upload-catalog.ts'

export type RollBackDeps = {
  dataDir: string
  bucket: Bucket
  catalogVersions: CatalogVersionStore
  now: () => Date
}

/** The newest version so far, the version whose rows are published again, and its new number. */
export type RollBackReport = { replaced: number | undefined; restored: number; version: number }

/**
 * Publishes an earlier version of a fleet's catalog again, with the next version number: numbers never go back. The
 * leader continues from it.
 *
 * @param wanted version to go back to; by default the previous one
 * @throws ServiceError NOT_FOUND if it is no longer kept; UNAVAILABLE if the bucket fails, or a version was published
 * in the meantime
 */
export async function rollBackCatalog(
  deps: RollBackDeps,
  wanted?: number,
): Promise<RollBackReport> {
  const versions = await deps.catalogVersions.list()
  const [newest, before] = versions
  const target =
    wanted === undefined ? before : versions.find(({ snapshot }) => snapshot.version === wanted)
  if (target === undefined || target === newest) {
    const known = versions.slice(1).map(({ snapshot }) => snapshot.version)
    throw new ServiceError(
      'NOT_FOUND',
      `The fleet has no such earlier version. It can go back to: ${known.join(', ') || 'none'}.`,
    )
  }
  return publishAgain(deps, newest, (path) => downloadFile(deps.bucket, target.snapshot, path))
}

/**
 * Publishes the version that this server served last as the newest one of its fleet. Needed after a restore of the
 * database, which then only knows older versions than clients have seen, or if the bucket has lost the files of the
 * active version.
 *
 * @throws ServiceError NOT_FOUND if this server has not served any version; otherwise like `rollBackCatalog`
 */
export async function republishCatalog(deps: RollBackDeps): Promise<RollBackReport> {
  const name = findServedSnapshot(deps.dataDir)
  if (name === undefined) {
    throw new ServiceError(
      'NOT_FOUND',
      'This server has served no version of the catalog. Run the command on another one.',
    )
  }
  const [newest] = await deps.catalogVersions.list()
  return publishAgain(deps, newest, async (path) => {
    copyFileSync(join(snapshotFolder(deps.dataDir), name), path)
  })
}

/** @param place puts the version's file at a path */
async function publishAgain(
  { dataDir, bucket, catalogVersions, now }: RollBackDeps,
  newest: CatalogVersion | undefined,
  place: (path: string) => Promise<void>,
): Promise<RollBackReport> {
  const folder = createDraftFolder(dataDir, 'rollback')
  try {
    const path = join(folder, CATALOG_FILE)
    await place(path)
    const restored = describeCatalog(path)?.version ?? 0
    const base = newest?.snapshot.version
    const replaced = {
      version: Math.max(restored, base ?? 0),
      activateAt: newest?.activate_at ?? 0,
    }
    succeedVersion(path, replaced, now())
    const snapshot = await uploadFile(path, { dataDir, bucket })
    const outcome = await catalogVersions.publish(undefined, { snapshot, base }, now())
    if (outcome !== 'published') {
      throw new ServiceError(
        'UNAVAILABLE',
        'Another version was published at the same time. Try again.',
      )
    }
    return { replaced: base, restored, version: snapshot.version }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

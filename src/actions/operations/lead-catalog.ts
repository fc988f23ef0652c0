// Work of a fleet's leader on its own catalog file, from which it creates each next version.

import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import { objectsOf, type Snapshot } from '#rules/operations/snapshot-list.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { describeCatalog } from '#store/files/describe-catalog.ts'
import { acquireLock } from '#store/files/lock.ts'
import { createDraftFolder, snapshotFileName, snapshotFolder } from '#store/files/snapshot-files.ts'
import { settleVersion, startVersion } from '#store/fleet-catalog.ts'
import type { CatalogVersion } from '#store/ledger/fleet/postgres-catalog-versions.ts'
import { type FetchSnapshotDeps, fetchSnapshot } from './fetch-snapshot.ts'
import { uploadCatalog } from './upload-catalog.ts'

export type PackReport = {
  /** The next version in the bucket; undefined if nothing has changed since the base. */
  snapshot?: Snapshot
  ms: number
}

/**
 * Uploads the next version of the catalog to the bucket if anything has changed since the active version, or if the
 * bucket has lost the active version.
 *
 * @param base the active version, from which the file was made; undefined before the first
 */
export async function packNextVersion(
  { dataDir, bucket, now }: FetchSnapshotDeps,
  base: CatalogVersion | undefined,
): Promise<PackReport> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const path = join(dataDir, CATALOG_FILE)
  if (base !== undefined) settleVersion(path, base.snapshot.version, base.activate_at)
  const state = describeCatalog(path)
  if (state === undefined) return { ms: elapsed() }
  if (state.version === base?.snapshot.version) {
    if ((await isKept(bucket, base.snapshot)) && state.pictures === base.snapshot.pictures)
      return { ms: elapsed() }
    startVersion(path, now())
  }
  return { snapshot: await uploadCatalog({ dataDir, now }, bucket, true), ms: elapsed() }
}

/** Returns true if the bucket still has the files of a version. */
async function isKept(bucket: Bucket, snapshot: Snapshot): Promise<boolean> {
  for (const name of objectsOf([snapshot])) {
    if ((await bucket.list(name)).length === 0) return false
  }
  return true
}

export type RebaseReport = {
  /** `current`: the file is already based on the newest version. */
  outcome: 'replaced' | 'current'
  ms: number
}

/**
 * Replaces this server's catalog file with the newest version, unless the file is based on it. Called when the server
 * begins to lead, because another server may have published in the meantime.
 *
 * @throws ServiceError UNAVAILABLE while a command writes the file, or if the version cannot be fetched
 */
export async function rebaseCatalog(
  deps: FetchSnapshotDeps,
  { snapshot, activate_at }: CatalogVersion,
): Promise<RebaseReport> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  const { dataDir } = deps
  const path = join(dataDir, CATALOG_FILE)
  const state = describeCatalog(path)
  const moments = [snapshot.changed_at, new Date(activate_at).toISOString()]
  if (state?.version === snapshot.version && moments.includes(state.changed_at)) {
    return { outcome: 'current', ms: elapsed() }
  }
  const folder = createDraftFolder(dataDir, 'rebase')
  const locks = ['intake', 'pictures'].map((name) => acquireLock(dataDir, name))
  try {
    if (locks.includes(undefined)) {
      throw new ServiceError('UNAVAILABLE', 'A command is writing the catalog. Wait until it ends.')
    }
    // This server may already serve this version, so that the bucket is not needed.
    const name = snapshotFileName(snapshot)
    const served = join(snapshotFolder(dataDir), name)
    if (existsSync(served)) copyFileSync(served, join(folder, name), constants.COPYFILE_FICLONE)
    const fetched = await fetchSnapshot(deps, snapshot, folder)
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true })
    renameSync(fetched.path, path)
    return { outcome: 'replaced', ms: elapsed() }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    for (const unlock of locks) unlock?.()
  }
}

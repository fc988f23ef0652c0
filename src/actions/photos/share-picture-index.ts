import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '#log.ts'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import {
  formatPictureIndexList,
  PICTURE_INDEX_FOLDER,
  PICTURE_INDEX_LIST,
  PICTURE_INDEXES_KEPT,
  type PictureIndexCopy,
  parsePictureIndexList,
  pictureIndexKey,
  pictureIndexVersionOf,
} from '#rules/photos/picture-index/picture-index-list.ts'
import type { StoredReferences } from '#store/catalog/pictures/reference-copies.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { describeCatalog } from '#store/files/describe-catalog.ts'
import { copyPictureIndex } from '#store/files/picture-index-files.ts'
import { createDraftFolder, packFile } from '#store/files/snapshot-files.ts'

export type SharePictureDeps = {
  dataDir: string
  bucket: Bucket
  /** True if versions never go back, so that an index older than the newest one comes from a former leader. */
  isInFleet: boolean
  /** Photos that people have named, and their version in the ledger. */
  references: StoredReferences
  log: Log
}

/**
 * Uploads the picture index to the bucket, from which photo workers fetch it, unless the bucket has it.
 *
 * @throws ServiceError UNAVAILABLE if the bucket or the disk fails
 */
export async function sharePictureIndex(deps: SharePictureDeps): Promise<void> {
  const { dataDir, bucket, isInFleet, references } = deps
  const found = await bucket.read(PICTURE_INDEX_LIST)
  const known = typeof found === 'object' ? found : undefined
  const indexes = known === undefined ? [] : parsePictureIndexList(known.text)
  const listed = indexes[0]?.version ?? 0
  const pictures = describeCatalog(join(dataDir, CATALOG_FILE))?.pictures ?? 0
  const version = pictures + references.version
  if (version === listed || (isInFleet && version < listed)) return
  const list = [await uploadIndex(deps), ...indexes].slice(0, PICTURE_INDEXES_KEPT)
  // Another server was faster, and its index is at least as new.
  if (!(await bucket.replace(PICTURE_INDEX_LIST, formatPictureIndexList(list), known?.etag))) return
  await deleteOtherCopies(deps, list)
}

async function uploadIndex({
  dataDir,
  bucket,
  references,
}: SharePictureDeps): Promise<PictureIndexCopy> {
  const folder = createDraftFolder(dataDir, 'pictures')
  try {
    const [path, packed] = [join(folder, 'index.db'), join(folder, 'index.db.zst')]
    const version = copyPictureIndex(dataDir, path, references)
    const { sha256, bytes } = await packFile(path, packed)
    const key = pictureIndexKey({ version, sha256 })
    await bucket.upload(key, packed)
    return { version, key, sha256, bytes }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Deletes copies that are no longer listed. Newer copies stay, because another server may be uploading them. Never
 * rejects: the next version tries again.
 */
async function deleteOtherCopies(
  { bucket, log }: SharePictureDeps,
  list: readonly PictureIndexCopy[],
): Promise<void> {
  const keys = list.map(({ key }) => key)
  const newest = Math.max(...list.map(({ version }) => version))
  try {
    for (const name of await bucket.list(PICTURE_INDEX_FOLDER)) {
      const version = pictureIndexVersionOf(name)
      const isOld = version !== undefined && version <= newest && !keys.includes(name)
      if (isOld) await bucket.delete(name)
    }
  } catch (error) {
    log.warn('failed to delete old picture indexes', { error })
  }
}

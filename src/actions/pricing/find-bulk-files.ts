import type { Deps } from '#deps.ts'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import {
  BULK_LIST,
  type BulkFile,
  type BulkManifest,
  bulkObject,
  parseBulkList,
} from '#rules/pricing/bulk-list.ts'
import type { ByteRange } from '#rules/primitives/byte-range.ts'

type BulkDeps = Pick<Deps, 'files'>

/** A bulk file and its location: the data folder or a bucket. */
export type FoundBulkFile = BulkFile & {
  source: { path: string } | BucketSource
}

export type BucketSource = {
  /** Opens a range of the file; undefined if it was deleted in the meantime. */
  open(range: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Returns a signed URL for a client that may download the file; undefined if clients cannot reach a bucket. */
  sign(file: { fileName: string; contentType: string }): string | undefined
}

/** Returns the newest bulk files; undefined before the first. @throws ServiceError UNAVAILABLE if the bucket fails */
export async function getBulkFiles({
  files: { bulk, bulkBucket },
}: BulkDeps): Promise<BulkManifest | undefined> {
  if (bulkBucket === undefined) return bulk.getCurrent()
  return (await readBulkList(bulkBucket)).versions[0]
}

/**
 * Finds a bulk file. Its location comes from the list, not from the request.
 *
 * @throws ServiceError UNAVAILABLE if the bucket fails
 */
export async function findBulkFile(
  { files: { bulk, bulkBucket } }: BulkDeps,
  { version, game, name }: { version: number; game: string; name: string },
): Promise<FoundBulkFile | undefined> {
  if (bulkBucket === undefined) {
    const file = bulk.find(version, game, name)
    return file && { ...file, source: { path: file.path } }
  }
  const { versions } = await readBulkList(bulkBucket)
  const manifest = versions.find((one) => one.version === version)
  const file = manifest?.files.find((one) => one.game === game && one.name === name)
  if (manifest === undefined || file === undefined) return undefined
  const key = bulkObject(manifest, file)
  const source = {
    open: (range: ByteRange) => bulkBucket.download(key, range),
    sign: (as: { fileName: string; contentType: string }) => bulkBucket.sign(key, as),
  }
  return { ...file, source }
}

/**
 * Reads the list in a bucket, newest first. Each request checks it again, so that no two servers disagree, but
 * transfers it only if it has changed.
 */
export async function readBulkList(
  bucket: Bucket,
): Promise<{ versions: readonly BulkManifest[]; etag: string | undefined }> {
  const known = LISTS.get(bucket)
  const found = await bucket.read(BULK_LIST, known?.etag)
  if (found === undefined) return { versions: [], etag: undefined }
  if (found === 'unchanged') return known ?? { versions: [], etag: undefined }
  const list = { versions: parseBulkList(found.text), etag: found.etag }
  LISTS.set(bucket, list)
  return list
}

/** The last list of each bucket. */
const LISTS = new WeakMap<Bucket, { versions: readonly BulkManifest[]; etag: string }>()

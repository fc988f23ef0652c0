import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { downloadFile } from '#actions/operations/fetch-snapshot.ts'
import type { Log } from '#log.ts'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import {
  PICTURE_INDEX_LIST,
  parsePictureIndexList,
} from '#rules/photos/picture-index/picture-index-list.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import {
  deleteOtherPictureIndexes,
  findPictureIndex,
  pictureIndexFolder,
} from '#store/files/picture-index-files.ts'
import { openPictureReader } from '#store/open-catalog.ts'
import type { VectorSource } from '#vision/retrieval/index-updates.ts'
import type { ReferenceSource } from '#vision/retrieval/reference-source.ts'

/** The pictures and references of a photo worker, from the newest copy of the index. */
export type FollowedPictures = {
  pictures: VectorSource
  references: ReferenceSource
  /** Stops checking for newer copies, and closes the file. */
  close(): void
}

/**
 * Follows the picture index in a bucket. Resolves once the worker has an index, which may be one that it fetched
 * earlier if the bucket is unavailable. Without an index in the bucket, there are no pictures.
 */
export async function followPictureIndex({
  dataDir,
  bucket,
  log,
  lookMs = LOOK_MS,
}: {
  dataDir: string
  bucket: Bucket
  log: Log
  /** Interval between two checks of the bucket, in milliseconds. */
  lookMs?: number
}): Promise<FollowedPictures> {
  let etag: string | undefined
  let path = findPictureIndex(dataDir)
  let current = path === undefined ? undefined : openPictureReader(dataDir, path)
  let previous: typeof current

  /** Fetches the newest copy, unless the worker already has it. */
  async function look(): Promise<void> {
    const found = await bucket.read(PICTURE_INDEX_LIST, etag)
    if (found === undefined || found === 'unchanged') return
    const [newest] = parsePictureIndexList(found.text)
    if (newest === undefined) return
    const next = join(pictureIndexFolder(dataDir), basename(newest.key, '.zst'))
    if (!existsSync(next)) await downloadFile(bucket, newest, next)
    if (next !== path) {
      // Threads may still be reading the previous file.
      previous?.close()
      previous = current
      current = openPictureReader(dataDir, next)
      path = next
      log.info('picture index taken over', { version: newest.version })
    }
    etag = found.etag
    deleteOtherPictureIndexes(dataDir, next)
  }

  const tryToLook = () =>
    look().then(
      () => true,
      (error) => {
        log.warn('failed to fetch the picture index', { reason: errorMessage(error) })
        return false
      },
    )

  while (!(await tryToLook()) && current === undefined) await Bun.sleep(RETRY_MS)
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    await tryToLook()
    isLooking = false
  }, lookMs)
  return {
    pictures: {
      getVersion: () => current?.pictures.getVersion() ?? 0,
      listChangesSince: (since) => current?.pictures.listChangesSince(since) ?? [],
      getHashes: (cardIds) => current?.pictures.getHashes(cardIds) ?? new Map(),
    },
    references: {
      getVersion: () => current?.references.getVersion() ?? 0,
      listReferences: () => current?.references.listReferences() ?? [],
    },
    close() {
      clearInterval(timer)
      for (const file of [previous, current]) file?.close()
    },
  }
}

/** A check costs one small request. */
const LOOK_MS = 60_000
/** Pause before the first index is requested again, in milliseconds. */
const RETRY_MS = 5_000

import { ServiceError } from '../../primitives/errors.ts'

/** A copy of the picture index in a bucket, for photo workers. */
export type PictureIndexCopy = {
  /** Version of the index. */
  version: number
  /** Name of the compressed file in the bucket. */
  key: string
  /** Hash and size of the file, before compression. */
  sha256: string
  bytes: number
}

/** Copies that a bucket keeps: the newest one, and the previous one, which a worker may be fetching. */
export const PICTURE_INDEXES_KEPT = 2

/** Name of the list of copies in a bucket. */
export const PICTURE_INDEX_LIST = 'pictures/index.json'

/** Folder of the copies in a bucket. */
export const PICTURE_INDEX_FOLDER = 'pictures/'

const FORMAT = 1
const KEY = /^pictures\/v(\d+)-[0-9a-f]{16}\.db\.zst$/

/** Returns the name of a copy, which no other file ever gets. */
export function pictureIndexKey({
  version,
  sha256,
}: Pick<PictureIndexCopy, 'version' | 'sha256'>): string {
  return `${PICTURE_INDEX_FOLDER}v${version}-${sha256.slice(0, 16)}.db.zst`
}

/** Returns the version in the name of an object; undefined if it is not a copy of the index. */
export function pictureIndexVersionOf(name: string): number | undefined {
  const version = KEY.exec(name)?.[1]
  return version === undefined ? undefined : Number(version)
}

/** Formats the list of a bucket, newest first. */
export function formatPictureIndexList(indexes: readonly PictureIndexCopy[]): string {
  return `${JSON.stringify({ format: FORMAT, indexes }, null, 2)}\n`
}

/**
 * Parses the list of a bucket, newest first.
 *
 * @throws ServiceError UNAVAILABLE if it was written by a newer program or by another program
 */
export function parsePictureIndexList(text: string): PictureIndexCopy[] {
  const { format, indexes } = parseJson(text)
  if (format === FORMAT && Array.isArray(indexes) && indexes.every(isCopy)) return indexes
  throw new ServiceError(
    'UNAVAILABLE',
    `${PICTURE_INDEX_LIST} in the bucket is not a list of picture indexes, or a newer version of Cardstock wrote it.`,
  )
}

function parseJson(text: string): { format?: unknown; indexes?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function isCopy(value: unknown): value is PictureIndexCopy {
  const { version, key, sha256, bytes }: Partial<Record<keyof PictureIndexCopy, unknown>> =
    Object(value)
  const areNumbers = Number.isSafeInteger(version) && Number.isSafeInteger(bytes)
  return areNumbers && KEY.test(String(key)) && /^[0-9a-f]{64}$/.test(String(sha256))
}

import { ServiceError } from '../primitives/errors.ts'

/** A bulk file of the whole catalog or of one game. */
export type BulkFile = {
  type: 'cards' | 'prices' | 'catalog' | 'history'
  /** A game's slug, or `all`. */
  game: string
  format: 'jsonl.gz' | 'csv.gz' | 'sqlite.gz' | 'tar.zst'
  /** Month of a history, `YYYY-MM`. */
  month?: string
  /** File name within the game's folder. */
  name: string
  /** Time of the catalog version, ISO 8601; of a history, of the first version that had these prices. */
  updated_at: string
  /** Bytes of the file. */
  size: number
  sha256: string
  rows: number
}

/** The bulk files of one version of the catalog. */
export type BulkManifest = {
  version: number
  built_at: string
  published_at: string | null
  updated_at: string
  files: BulkFile[]
}

/** Versions whose files are kept: the newest one, and the previous one, from which downloads may be resumed. */
export const BULK_VERSIONS_KEPT = 2

/** Name of the list of bulk files in a bucket. */
export const BULK_LIST = 'bulk/files.json'

/** Folder of the bulk files in a bucket. */
export const BULK_FOLDER = 'bulk/'

const FORMAT = 1

/** Returns the folder of a version's files in a bucket, which no other build ever gets. */
export function bulkPrefix({
  version,
  built_at,
}: Pick<BulkManifest, 'version' | 'built_at'>): string {
  return `${BULK_FOLDER}v${version}-${built_at.replace(/\D/g, '')}/`
}

/** Returns the name of a file in a bucket: for a month of the history, the same in all versions that have its prices. */
export function bulkObject(manifest: BulkManifest, file: BulkFile): string {
  if (file.type === 'history') return `${BULK_FOLDER}history/${file.sha256}-${file.name}`
  return `${bulkPrefix(manifest)}${file.game}/${file.name}`
}

/** Returns the version in the name of an object; undefined if it is not a bulk file. */
export function bulkVersionOf(name: string): number | undefined {
  const version = /^bulk\/v(\d+)-\d+\//.exec(name)?.[1]
  return version === undefined ? undefined : Number(version)
}

/** Formats the list of a bucket, newest first. */
export function formatBulkList(versions: readonly BulkManifest[]): string {
  return JSON.stringify({ format: FORMAT, versions })
}

/**
 * Parses the list of a bucket, newest first.
 *
 * @throws ServiceError UNAVAILABLE if it was written by a newer program or by another program
 */
export function parseBulkList(text: string): BulkManifest[] {
  const { format, versions } = parseJson(text)
  if (format === FORMAT && Array.isArray(versions) && versions.every(isManifest)) return versions
  throw new ServiceError(
    'UNAVAILABLE',
    `${BULK_LIST} in the bucket is not a list of bulk files, or a newer version of Cardstock wrote it.`,
  )
}

function parseJson(text: string): { format?: unknown; versions?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function isManifest(value: unknown): value is BulkManifest {
  const { version, built_at, updated_at, files }: Partial<Record<keyof BulkManifest, unknown>> =
    Object(value)
  const areTimes = [built_at, updated_at].every((time) => !Number.isNaN(Date.parse(String(time))))
  return Number.isSafeInteger(version) && areTimes && Array.isArray(files) && files.every(isFile)
}

function isFile(value: unknown): boolean {
  const { game, name, size, sha256 }: Partial<Record<keyof BulkFile, unknown>> = Object(value)
  // Returns true if these can be parts of an object's name, without separators.
  const areNames = [game, name].every((part) => /^[\w.-]+$/.test(String(part)))
  return areNames && Number.isSafeInteger(size) && /^[0-9a-f]{64}$/.test(String(sha256))
}

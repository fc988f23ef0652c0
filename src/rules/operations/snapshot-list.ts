import { ServiceError } from '../primitives/errors.ts'

/** A published version of the catalog's file in a bucket. */
export type Snapshot = {
  version: number
  /** Time of the publication, ISO 8601: tells versions with one number apart after a restore. */
  changed_at: string
  /** Name of the compressed file in the bucket. */
  key: string
  /** Hash of the file, hexadecimal. */
  sha256: string
  /** Sizes of the file and of its compressed form. */
  bytes: number
  compressed_bytes: number
  /** Schema version of the file. */
  schema: number
  /** Version of the picture index, which grows between publications. */
  pictures: number
  /** Version of the program that made it. */
  program: string
}

/** Name of the list of snapshots in a bucket. */
export const SNAPSHOT_LIST = 'catalog/snapshots.json'

/** Folder of the snapshots in a bucket. */
export const SNAPSHOT_FOLDER = 'catalog/'

/** Snapshots that a bucket keeps: the newest one, and those to go back to. */
export const SNAPSHOTS_KEPT = 5

const FORMAT = 1

/** Returns the name of a snapshot: no other file ever gets it. */
export function snapshotKey({ version, sha256 }: Pick<Snapshot, 'version' | 'sha256'>): string {
  return `${SNAPSHOT_FOLDER}v${version}-${sha256.slice(0, 16)}.db.zst`
}

/** Tells a snapshot from other objects in its folder. */
export function isSnapshotKey(name: string): boolean {
  return /^catalog\/v\d+-[0-9a-f]{16}\.db\.zst$/.test(name)
}

/** Adds a snapshot as the newest one. @returns the list, without the snapshots that are no longer kept */
export function addSnapshot(list: readonly Snapshot[], snapshot: Snapshot): Snapshot[] {
  return [snapshot, ...list.filter(({ key }) => key !== snapshot.key)].slice(0, SNAPSHOTS_KEPT)
}

/** Formats the list, newest first. */
export function formatSnapshotList(snapshots: readonly Snapshot[]): string {
  return `${JSON.stringify({ format: FORMAT, snapshots }, null, 2)}\n`
}

/**
 * Parses the list of a bucket, newest first.
 *
 * @throws ServiceError UNAVAILABLE if a newer program wrote it, or something else did
 */
export function parseSnapshotList(text: string): Snapshot[] {
  const found: { format?: unknown; snapshots?: unknown } = parseJson(text)
  if (typeof found.format === 'number' && found.format > FORMAT) {
    throw new ServiceError(
      'UNAVAILABLE',
      'A newer Cardstock publishes the snapshots in this bucket. Upgrade this one.',
    )
  }
  const { snapshots } = found
  if (found.format === FORMAT && Array.isArray(snapshots) && snapshots.every(isSnapshot)) {
    return snapshots
  }
  throw new ServiceError(
    'UNAVAILABLE',
    `${SNAPSHOT_LIST} in the bucket is not a list of snapshots.`,
  )
}

function parseJson(text: string): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function isSnapshot(value: unknown): value is Snapshot {
  const { version, changed_at, key, sha256, bytes, compressed_bytes, schema, pictures, program } =
    Object(value) as Partial<Record<keyof Snapshot, unknown>>
  const isCount = [version, bytes, compressed_bytes, schema, pictures].every(
    (number) => Number.isSafeInteger(number) && Number(number) >= 0,
  )
  return (
    isCount &&
    typeof key === 'string' &&
    isSnapshotKey(key) &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    typeof changed_at === 'string' &&
    !Number.isNaN(Date.parse(changed_at)) &&
    typeof program === 'string'
  )
}

import { ServiceError } from '../primitives/errors.ts'
import { expiredBackups } from './backup-retention.ts'

/** A published version of the catalog file in a bucket. */
export type Snapshot = {
  version: number
  /** Time of the publication, ISO 8601. It distinguishes versions with the same number after a restore. */
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
  /** Version of the program that created it. */
  program: string
  /** Its file of closed months; undefined if it contains all months itself. */
  history?: SnapshotHistory
}

/** A file of closed months shared by several snapshots: hash and size before compression. */
export type SnapshotHistory = Pick<Snapshot, 'sha256' | 'bytes'>

/** Name of the list of snapshots in a bucket. */
export const SNAPSHOT_LIST = 'catalog/snapshots.json'

/** Folder of the snapshots in a bucket. */
export const SNAPSHOT_FOLDER = 'catalog/'

/** Newest snapshots that a bucket always keeps: the current one, and those to roll back to. */
const NEWEST_KEPT = 5

const FORMAT = 1

/** Returns the name of a snapshot, which no other file ever gets. */
export function snapshotKey({ version, sha256 }: Pick<Snapshot, 'version' | 'sha256'>): string {
  return `${SNAPSHOT_FOLDER}v${version}-${sha256.slice(0, 16)}.db.zst`
}

/** Returns the name of a file of closed months in a bucket. */
export function historyKey({ sha256 }: Pick<SnapshotHistory, 'sha256'>): string {
  return `${SNAPSHOT_FOLDER}history-${sha256.slice(0, 16)}.db.zst`
}

/** Returns the names of all objects that belong to snapshots. */
export function objectsOf(snapshots: readonly Snapshot[]): Set<string> {
  return new Set(
    snapshots.flatMap(({ key, history }) =>
      history === undefined ? [key] : [key, historyKey(history)],
    ),
  )
}

/** Returns true if an object in the folder of snapshots belongs to a snapshot. */
export function isSnapshotObject(name: string): boolean {
  return /^catalog\/(v\d+|history)-[0-9a-f]{16}\.db\.zst$/.test(name)
}

/** Adds a snapshot as the newest one. */
export function addSnapshot(list: readonly Snapshot[], snapshot: Snapshot): Snapshot[] {
  return [snapshot, ...list.filter(({ key }) => key !== snapshot.key)]
}

/**
 * Returns the snapshots to keep: the newest ones, and as backups the last one of each day.
 *
 * @param list newest first
 * @param days number of UTC days, including today
 */
export function keptSnapshots(list: readonly Snapshot[], now: Date, days: number): Snapshot[] {
  const times = list.map(({ changed_at }) => new Date(changed_at))
  const expired = expiredBackups(times, now, { hours: 0, days })
  return list.filter((_, index) => {
    const time = times[index]
    return index < NEWEST_KEPT || (time !== undefined && !expired.has(time))
  })
}

/** Formats the list, newest first. */
export function formatSnapshotList(snapshots: readonly Snapshot[]): string {
  return `${JSON.stringify({ format: FORMAT, snapshots }, null, 2)}\n`
}

/**
 * Parses the list of a bucket, newest first.
 *
 * @throws ServiceError UNAVAILABLE if it was written by a newer program or by another program
 */
export function parseSnapshotList(text: string): Snapshot[] {
  const found: { format?: unknown; snapshots?: unknown } = parseJson(text)
  if (typeof found.format === 'number' && found.format > FORMAT) {
    throw new ServiceError(
      'UNAVAILABLE',
      'A newer version of Cardstock publishes the snapshots in this bucket. Upgrade this server.',
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
  const { changed_at, key, sha256, program, history, ...counts }: Unchecked<Snapshot> =
    Object(value)
  const { version, bytes, compressed_bytes, schema, pictures } = counts
  return (
    [version, bytes, compressed_bytes, schema, pictures].every(isCount) &&
    typeof key === 'string' &&
    isSnapshotObject(key) &&
    isHash(sha256) &&
    (history === undefined || isHistory(history)) &&
    typeof changed_at === 'string' &&
    !Number.isNaN(Date.parse(changed_at)) &&
    typeof program === 'string'
  )
}

function isHistory(value: unknown): boolean {
  const { sha256, bytes }: Unchecked<SnapshotHistory> = Object(value)
  return isHash(sha256) && isCount(bytes)
}

type Unchecked<Type> = Partial<Record<keyof Type, unknown>>

const isHash = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0

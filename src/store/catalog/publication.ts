import { MS_PER_DAY, nextTimestamp } from '#rules/primitives/days.ts'
import { type Db, openDataVersion } from '../db.ts'
import { type Logos, NO_LOGOS } from '../files/logos.ts'
import type { SetRow } from './schema/catalog.ts'

export type Publication = {
  /** Increases by one with every change of the catalog. */
  version: number
  /** ETag of all responses. Includes the time, because numbers repeat after a restore, and the logos. */
  tag: string
  /** Newest upstream publish time; null before the first sync. */
  published_at: string | null
  changed_at: string
}

/**
 * The published version of the catalog. Other processes and the sync thread may publish at any time, so the file is
 * checked again at most every 100 ms. A response may therefore be newer than its version label, but never older:
 * clients may refetch unnecessarily, but never keep stale data.
 */
export type PublicationStore = {
  /** Returns the published version, at most 100 ms old. */
  getCurrent(): Publication
  /** Returns the upstream publish time of a set's prices, ISO 8601. */
  getPricedAt(setId: number): string
  /** Returns the version at a moment in epoch milliseconds; BEFORE_ALL_VERSIONS if unknown. */
  findVersionAt(moment: number): number
  /** Reads the file now, for the process that has just published. Does nothing after the file is closed. */
  refresh(): void
  /**
   * Keeps all queries on one version until the returned function is called. Each query otherwise takes and returns a
   * lock that the connections of a process share, and a thread of low priority may be interrupted with it.
   */
  hold(): () => void
  /** Registers a listener for new versions, which drops data derived from the old version. */
  onChange(listener: () => void): void
}

export function openPublicationStore(db: Db, logos: Logos = NO_LOGOS): PublicationStore {
  const dataVersion = openDataVersion(db)
  const row = db.prepare<[], Omit<Publication, 'tag'>>(
    'SELECT version, published_at, changed_at FROM publication WHERE id = 1',
  )
  const times = db.prepare<[], Pick<SetRow, 'id' | 'priced_at'>>('SELECT id, priced_at FROM sets')
  const versionAt = db
    .prepare<[number], number>(
      'SELECT version FROM versions WHERE changed_at <= ? ORDER BY version DESC LIMIT 1',
    )
    .pluck()
  let checkedAt = Number.NEGATIVE_INFINITY
  let seenVersion = -1
  let current = withTag({ version: 0, published_at: null, changed_at: '' })
  let timesOfSets = new Map<number, string>()
  const listeners: (() => void)[] = []

  function refresh(now = performance.now()): void {
    // A thread may end after this process has closed its files.
    if (!db.open) return
    checkedAt = now
    const found = dataVersion()
    if (found === seenVersion) return
    seenVersion = found
    const next = row.get()
    if (next === undefined || next.version === current.version) return
    current = withTag(next)
    timesOfSets = new Map(times.all().map((set) => [set.id, formatEpochSeconds(set.priced_at)]))
    for (const listener of listeners) listener()
  }

  function latest(now: number): Publication {
    if (now - checkedAt > RECHECK_MS) refresh(now)
    return current
  }

  return {
    getCurrent() {
      const now = performance.now()
      const found = latest(now)
      const logoTag = logos.getTag(now)
      return logoTag === '' ? found : { ...found, tag: `${found.tag}-${logoTag}` }
    },
    getPricedAt(setId) {
      latest(performance.now())
      return timesOfSets.get(setId) ?? formatEpochSeconds(0)
    },
    findVersionAt: (moment) => versionAt.get(moment) ?? BEFORE_ALL_VERSIONS,
    refresh: () => refresh(),
    hold() {
      // A part of another transaction already reads one version.
      if (db.inTransaction) return () => {}
      db.exec('BEGIN')
      refresh()
      return () => void db.exec('COMMIT')
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

function withTag(found: Omit<Publication, 'tag'>): Publication {
  const moment = Date.parse(found.changed_at) || 0
  return { ...found, tag: `v${found.version}-${moment.toString(36)}` }
}

/** Formats epoch seconds as ISO 8601. */
function formatEpochSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** Lower than the version of every row, whose minimum is 0. */
export const BEFORE_ALL_VERSIONS = -1

const RECHECK_MS = 100

/** Numbers the versions of the catalog; each has a different time. */
type VersionWriter = {
  /** Returns the version in progress, with which changes are marked. */
  next(): number
  /**
   * Publishes the version last, so that readers during the write request the changes after it.
   * @param publishedAt upstream publish time; empty if nothing new was read
   */
  put(version: number, now: Date, publishedAt: string): void
}

export function openVersionWriter(db: Db): VersionWriter {
  const next = db.prepare<[], number>('SELECT version + 1 FROM publication').pluck()
  const last = db
    .prepare<[], number>('SELECT changed_at FROM versions ORDER BY version DESC LIMIT 1')
    .pluck()
  const add = db.prepare<[number, number]>('INSERT INTO versions VALUES (?, ?)')
  // A stored time after tomorrow was wrong when it was accepted, and must not hide correct times.
  const put = db.prepare(
    `UPDATE publication SET version = @version, changed_at = @changed_at,
       published_at = CASE WHEN published_at > @latest_valid AND @published_at <> '' THEN @published_at
         ELSE nullif(max(coalesce(published_at, ''), @published_at), '') END`,
  )

  return {
    next: () => next.get() ?? 1,
    put(version, now, publishedAt) {
      const moment = nextTimestamp(last.get(), now)
      add.run(version, moment)
      put.run({
        version,
        changed_at: new Date(moment).toISOString(),
        latest_valid: new Date(now.getTime() + MS_PER_DAY).toISOString(),
        published_at: publishedAt,
      })
    },
  }
}

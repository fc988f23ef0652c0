import Database from 'better-sqlite3'

export type Db = Database.Database

export type OpenOptions = {
  readonly?: boolean
  /** How long a writer waits for another process's transaction, in milliseconds. */
  busyTimeoutMs?: number
  /** Page cache in KiB. */
  cacheKib?: number
}

/**
 * Opens one SQLite file (or `:memory:`, or the bytes of a serialised database) with this project's
 * settings. Every connection sets all of them: drivers differ in their defaults.
 */
export function openDatabase(source: string | Buffer, options: OpenOptions = {}): Db {
  const { readonly = false, busyTimeoutMs = 5_000, cacheKib = 16_384 } = options
  const db = new Database(source, { readonly, timeout: busyTimeoutMs })
  if (!readonly) db.pragma('journal_mode = WAL')
  // In WAL mode NORMAL loses at most the last transactions on a power cut, never consistency.
  db.pragma('synchronous = NORMAL')
  db.pragma('foreign_keys = ON')
  db.pragma('trusted_schema = OFF')
  db.pragma('temp_store = MEMORY')
  db.pragma(`cache_size = -${cacheKib}`)
  if (!readonly) {
    db.pragma('wal_autocheckpoint = 4000')
    db.pragma('journal_size_limit = 67108864')
  }
  return db
}

/** Runs `deed` in one write transaction; what it throws undoes all of it. */
export function inTransaction<T>(db: Db, deed: () => T): T {
  return db.transaction(deed).immediate()
}

/**
 * The same for money: it is on the disk before anybody is told, also if the power fails. That costs some
 * milliseconds, for which everything else of this process waits.
 */
export function durable<T>(db: Db, deed: () => T): T {
  db.pragma('synchronous = FULL')
  try {
    return inTransaction(db, deed)
  } finally {
    db.pragma('synchronous = NORMAL')
  }
}

/** Answers several questions from one snapshot, so that a commit in between cannot mix two states. */
export function inSnapshot<T>(db: Db, questions: () => T): T {
  return db.transaction(questions).deferred()
}

/** A number that changes when another connection has written to the file. */
export function openDataVersion(db: Db): () => number {
  const version = db.prepare<[], number>('PRAGMA data_version').pluck()
  return () => version.get() ?? 0
}

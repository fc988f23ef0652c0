import Database from 'better-sqlite3'

export type Db = Database.Database

export type OpenOptions = {
  readonly?: boolean
  /** Maximum wait for another process's transaction, in milliseconds. */
  busyTimeoutMs?: number
  /** Page cache in KiB. */
  cacheKib?: number
  /** Number of pages in the write-ahead log after which a commit moves them into the file. */
  checkpointPages?: number
}

/** Maximum wait for another writer of the catalog: a sync's last transaction can take many seconds. */
export const WRITER_WAIT_MS = 120_000

/** Opens a file, `:memory:` or bytes. Sets all pragmas, because the defaults of drivers differ. */
export function openDatabase(source: string | Buffer, options: OpenOptions = {}): Db {
  const { readonly = false, busyTimeoutMs = 5_000, cacheKib = 16_384 } = options
  const { checkpointPages = 4_000 } = options
  const db = new Database(source, { readonly, timeout: busyTimeoutMs })
  const pragmas = [
    ...(readonly ? [] : ['journal_mode = WAL']),
    // With a WAL, NORMAL can lose the last transactions in a power cut, but never consistency.
    'synchronous = NORMAL',
    'foreign_keys = ON',
    'trusted_schema = OFF',
    'temp_store = MEMORY',
    `cache_size = -${cacheKib}`,
    ...(readonly
      ? []
      : [`wal_autocheckpoint = ${checkpointPages}`, 'journal_size_limit = 67108864']),
  ]
  db.exec(pragmas.map((pragma) => `PRAGMA ${pragma};`).join('\n'))
  return db
}

/** Runs `action` in one write transaction; an exception rolls it back. */
export function inTransaction<T>(db: Db, action: () => T): T {
  return db.transaction(action).immediate()
}

/**
 * Like `inTransaction`, but the transaction is on disk when the function returns, and survives a power cut. Used for
 * alerts, because it blocks the process for some milliseconds.
 */
export function durable<T>(db: Db, action: () => T): T {
  return durably(db, () => inTransaction(db, action))
}

/** Runs an action whose transactions are on disk when they end. */
export function durably<T>(db: Db, action: () => T): T {
  db.pragma('synchronous = FULL')
  try {
    return action()
  } finally {
    db.pragma('synchronous = NORMAL')
  }
}

/** Runs several queries on one snapshot, so that commits in between cannot mix two states. */
export function inSnapshot<T>(db: Db, queries: () => T): T {
  return db.transaction(queries).deferred()
}

/** Creates statements on first use, because building one with Drizzle takes longer than running it. */
export function onFirstUse<Statements>(create: () => Statements): () => Statements {
  let statements: Statements | undefined
  return () => {
    statements ??= create()
    return statements
  }
}

/** Returns an object whose members are created when they are first read. */
export function createOnFirstUse<Members extends object>(
  create: {
    [Name in keyof Members]: () => Members[Name]
  },
): Members {
  const members = Object.entries<() => unknown>(create).map(([name, createMember]) => [
    name,
    { get: onFirstUse(createMember), enumerable: true },
  ])
  // Each member has the type that its function returns.
  return Object.defineProperties({}, Object.fromEntries(members)) as Members
}

/** Prepares a number that changes when another connection has written to the file. */
export function openDataVersion(db: Db): () => number {
  const version = db.prepare<[], number>('PRAGMA data_version').pluck()
  return () => version.get() ?? 0
}

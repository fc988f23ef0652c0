import { join } from 'node:path'
import { type Db, openDatabase } from '#store/db.ts'

/** Columns of a catalog with times of the local clock. */
const CLOCK_COLUMNS = new Set([
  'last_synced_at',
  'products_read_at',
  'changed_at',
  'stale_since',
  'synced_at',
])

/** Returns the SHA-256 of the rows of every table of a file, by table name. */
export function tableChecksums(
  db: Db,
  ignored: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const tables = db
    // Virtual tables keep their rows in other tables.
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .pluck()
    .all()
  return Object.fromEntries(
    tables.map((table) => {
      const hasher = new Bun.CryptoHasher('sha256')
      const columns = db.prepare<[], { name: string }>(`PRAGMA table_info("${table}")`).all()
      const names = columns.map(({ name }) => name).filter((name) => !ignored.has(name))
      const list = names.map((name) => `"${name}"`).join(', ')
      const rows = db.prepare<[], unknown[]>(`SELECT ${list} FROM "${table}"`).raw().safeIntegers()
      for (const row of rows.iterate()) {
        for (const value of row) {
          hasher.update(`${typeof value} `)
          hasher.update(value instanceof Buffer ? value : String(value))
          hasher.update('\n')
        }
      }
      return [table, hasher.digest('hex')]
    }),
  )
}

/** Returns the checksums of a catalog, without times of the local clock and the log of runs, and its integrity. */
export function catalogChecksums(dataDir: string): Record<string, string> {
  const db = openDatabase(join(dataDir, 'catalog.db'))
  try {
    const integrity = String(db.pragma('integrity_check', { simple: true }))
    const { sync_runs: _, sqlite_sequence: __, ...sums } = tableChecksums(db, CLOCK_COLUMNS)
    const orphans = JSON.stringify(db.pragma('foreign_key_check'))
    return { ...sums, orphans, integrity }
  } finally {
    db.close()
  }
}

/** Returns the checksums of both files of a data folder or a backup. */
export function folderChecksums(folder: string): Record<string, string> {
  const both = ['catalog', 'ledger'].map((file) => {
    const db = openDatabase(join(folder, `${file}.db`), { readonly: true })
    try {
      return Object.entries(tableChecksums(db)).map(([table, sum]) => [`${file}.${table}`, sum])
    } finally {
      db.close()
    }
  })
  return Object.fromEntries(both.flat())
}

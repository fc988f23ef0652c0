import { join } from 'node:path'
import { type Db, openDatabase } from '#store/db.ts'

/** The SHA-256 of the rows of every table of a file, by the table's name. */
export function tableChecksums(db: Db): Record<string, string> {
  const tables = db
    // What a virtual table keeps stands in tables of its own.
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .pluck()
    .all()
  return Object.fromEntries(
    tables.map((table) => {
      const hasher = new Bun.CryptoHasher('sha256')
      const rows = db.prepare<[], unknown[]>(`SELECT * FROM "${table}"`).raw().safeIntegers()
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

/** Those of both files of a data folder, or of a backup. */
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

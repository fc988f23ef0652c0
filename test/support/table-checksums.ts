import { join } from 'node:path'
import { type Db, openDatabase } from '#store/db.ts'

/** The SHA-256 of the rows of every table of a file, by the table's name. */
export function tableChecksums(db: Db): Record<string, string> {
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

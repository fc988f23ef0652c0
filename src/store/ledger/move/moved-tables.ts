import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db.ts'
import { keyOf } from '../../table-sql.ts'
import * as schema from '../schema.ts'

export type MovedColumn = { name: string; type: 'integer' | 'text' | 'blob' }

/** A table that is moved row by row, in the order of its key. */
export type MovedTable = {
  name: string
  columns: readonly MovedColumn[]
  /** Positions of the key in `columns`. */
  key: readonly number[]
}

/** A value of a row, in the order of the columns. */
export type MovedValue = number | string | Buffer | null
export type MovedRow = readonly MovedValue[]

/**
 * Returns the tables of the ledger, each after the tables that it refers to. Excludes the installation, whose row
 * decides which of two databases is the ledger.
 *
 * @param db a file with the schema of this program
 * @param withRowid tables whose rows PostgreSQL numbers in an additional column, like SQLite's `rowid`
 */
export function listMovedTables(db: Db, withRowid: ReadonlySet<string>): MovedTable[] {
  const tables = Object.values(schema)
    .filter((one) => one !== schema.ledgerInstallation)
    .map((one) => describeTable(one, withRowid))
  const sorted: MovedTable[] = []
  const references = db.prepare<[string]>('SELECT "table" FROM pragma_foreign_key_list(?)').pluck()
  const add = (table: MovedTable) => {
    if (sorted.includes(table)) return
    const names = references.all(table.name)
    for (const other of tables) if (other !== table && names.includes(other.name)) add(other)
    sorted.push(table)
  }
  for (const table of tables) add(table)
  return sorted
}

function describeTable(table: SQLiteTable, withRowid: ReadonlySet<string>): MovedTable {
  const { name, columns } = getTableConfig(table)
  const described = columns.map((column) => ({
    name: column.name,
    type: column.getSQLType() as MovedColumn['type'],
  }))
  if (withRowid.has(name)) {
    return { name, columns: [{ name: 'rowid', type: 'integer' }, ...described], key: [0] }
  }
  return { name, columns: described, key: keyOf(table).map((column) => columns.indexOf(column)) }
}

import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'

/** Returns the columns of a table's primary key; empty if it has no primary key. */
export function keyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}

/** Returns names of columns or tables as text of a statement. */
export function namesOf(named: readonly { name: string }[]): string {
  return named.map(({ name }) => name).join(', ')
}

/** Returns all columns of a table as text of a statement. */
export function columnsOf(table: SQLiteTable): string {
  return namesOf(getTableConfig(table).columns)
}

/** Returns a statement that adds a row; its parameters have the names of the columns. */
export function insertInto(table: SQLiteTable, columns = getTableConfig(table).columns): string {
  const values = columns.map(({ name }) => `@${name}`).join(', ')
  return `INSERT INTO ${getTableConfig(table).name} (${namesOf(columns)}) VALUES (${values})`
}

/** Returns a statement that adds a row, or replaces the row with its key. */
export function upsertInto(table: SQLiteTable): string {
  const key = keyOf(table)
  const changed = getTableConfig(table).columns.filter((column) => !key.includes(column))
  const values = changed.map(({ name }) => `${name} = excluded.${name}`).join(', ')
  return `${insertInto(table)} ON CONFLICT (${namesOf(key)}) DO UPDATE SET ${values}`
}

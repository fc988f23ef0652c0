import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'

/** Returns the columns of a table's primary key; none if its rows have only their position. */
export function keyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}

/** Returns names of columns or tables as text of a statement. */
export function namesOf(named: readonly { name: string }[]): string {
  return named.map(({ name }) => name).join(', ')
}

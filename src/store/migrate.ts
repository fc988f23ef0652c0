import { ServiceError } from '#rules/primitives/errors.ts'
import { type Db, inTransaction, openDatabase } from './db.ts'

/** A step of a schema, named like its file: `0001-catalog`. */
export type Migration = { name: string; sql: string }

/**
 * Migrates a file to the newest schema, one transaction per step: two processes may do so at once.
 * @throws ServiceError if a newer program wrote the file, which this one would misread
 */
export function migrate(db: Db, migrations: readonly Migration[]): void {
  for (const [index, step] of migrations.entries()) {
    inTransaction(db, () => {
      if (schemaVersion(db) > index) return
      db.exec(step.sql)
      db.pragma(`user_version = ${index + 1}`)
    })
  }
  assertSchema(db, migrations)
}

/** @throws ServiceError unless the schema of the file is exactly the one that this program knows */
export function assertSchema(db: Db, migrations: readonly Migration[]): void {
  const found = schemaVersion(db)
  if (found > migrations.length) throw newerSchema(db, found, migrations)
  if (found < migrations.length) {
    throw schemaError(`${db.name} has schema version ${found} of ${migrations.length}.`)
  }
}

/** Returns the number of steps that a file has. */
export function schemaVersion(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }))
}

/** Returns true if the file has no tables: it is new, or was emptied. */
export function hasNoTables(db: Db): boolean {
  return listColumns(db).size === 0
}

/**
 * Checks that a file with tables is Cardstock's before anything writes to it: it has the tables and columns
 * of its version. Further ones, which an operator may have added, do not matter.
 *
 * @throws ServiceError for a newer file, one of another program, and one whose migrations were edited
 */
export function assertOwnSchema(db: Db, migrations: readonly Migration[]): void {
  const version = schemaVersion(db)
  const found = listColumns(db)
  const missing = findMissing(found, migrations.slice(0, Math.max(1, version)))
  if (version > 0 && version <= migrations.length && missing === undefined) return
  const first = expectedColumns(migrations.slice(0, 1))
  if (version === 0 || ![...first].some((column) => found.has(column))) {
    throw schemaError(
      `${db.name} is a database of another program. Move it away, and put the right file back or restore a backup with "bun run restore".`,
    )
  }
  if (version > migrations.length) throw newerSchema(db, version, migrations)
  throw schemaError(
    `${db.name} has schema version ${version} without ${missing}: another program changed it, or an unreleased version wrote it. Restore a backup with "bun run restore".`,
  )
}

function findMissing(found: ReadonlySet<string>, steps: readonly Migration[]): string | undefined {
  return [...expectedColumns(steps)].find((column) => !found.has(column))
}

function newerSchema(db: Db, found: number, migrations: readonly Migration[]): ServiceError {
  return schemaError(
    `${db.name} has schema version ${found}, but this program supports only ${migrations.length}. ` +
      'Start the newer Cardstock that wrote it, or restore a backup.',
  )
}

function schemaError(message: string): ServiceError {
  return new ServiceError('UNAVAILABLE', message)
}

/** Lists all columns as `table.column`. */
function listColumns(db: Db): Set<string> {
  const columns = db.prepare<[], string>(
    `SELECT entry.name || '.' || field.name
       FROM sqlite_schema AS entry, pragma_table_info(entry.name) AS field
      WHERE entry.type = 'table' AND entry.name NOT LIKE 'sqlite_%'`,
  )
  return new Set(columns.pluck().all())
}

/** Expected columns by the SQL that makes them: a process may open many files. */
const known = new Map<string, ReadonlySet<string>>()

function expectedColumns(migrations: readonly Migration[]): ReadonlySet<string> {
  const sql = migrations.map((step) => step.sql).join('\n')
  const columns = known.get(sql) ?? columnsOf(sql)
  known.set(sql, columns)
  return columns
}

function columnsOf(sql: string): Set<string> {
  const db = openDatabase(':memory:')
  try {
    db.exec(sql)
    return listColumns(db)
  } finally {
    db.close()
  }
}

import {
  compareSchemas,
  countSchemaSteps,
  schemaVersionOf,
  UNRELEASED_SCHEMA,
} from '#rules/operations/schema-version.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type Db, inTransaction, openDatabase } from './db.ts'

/**
 * A step of a schema: the baseline, or a migration of a later release. It has the name of its file, such as
 * `0002-notes`.
 */
export type Migration = { name: string; sql: string }

/** Returns the version of a schema after some of its steps, by default after all steps. */
export function schemaVersionAfter(
  migrations: readonly Migration[],
  steps: number = migrations.length,
): number {
  return schemaVersionOf(migrations[0]?.sql ?? '', steps)
}

/**
 * Migrates a file to the newest schema, one transaction per step: two processes may migrate it concurrently. The
 * first step is the baseline, which an empty file gets.
 *
 * @throws ServiceError if a newer or an unreleased program wrote the file, which this one would misread
 */
export function migrate(db: Db, migrations: readonly Migration[]): void {
  for (const [index, step] of migrations.entries()) {
    inTransaction(db, () => {
      const version = schemaVersionAfter(migrations, index + 1)
      const found = schemaVersion(db)
      if (index === 0 ? found !== 0 : compareSchemas(found, version) !== 'older') return
      db.exec(step.sql)
      db.pragma(`user_version = ${version}`)
    })
  }
  assertSchema(db, migrations)
}

/** @throws ServiceError unless the schema of the file is exactly the one that this program knows */
export function assertSchema(db: Db, migrations: readonly Migration[]): void {
  const found = schemaVersion(db)
  const order = compareSchemas(found, schemaVersionAfter(migrations))
  if (order === 'older') {
    throw schemaError(
      `${db.name} has schema version ${countSchemaSteps(found)} of ${migrations.length}.`,
    )
  }
  assertReadable(db, migrations)
}

/** @throws ServiceError for a file of a newer or an unreleased program */
function assertReadable(db: Db, migrations: readonly Migration[]): void {
  assertBaseline(db, migrations)
  const found = schemaVersion(db)
  if (compareSchemas(found, schemaVersionAfter(migrations)) !== 'newer') return
  throw schemaError(
    `${db.name} has schema version ${countSchemaSteps(found)}, but this program supports only ${migrations.length}. ` +
      'Start the newer version of Cardstock that wrote it, or restore a backup.',
  )
}

/** @throws ServiceError for a file of an unreleased program, which had another baseline */
export function assertBaseline(db: Db, migrations: readonly Migration[]): void {
  const order = compareSchemas(schemaVersion(db), schemaVersionAfter(migrations))
  if (order !== 'unreleased') return
  throw schemaError(
    `${db.name} ${UNRELEASED_SCHEMA}: move the data folder away and start with an empty one.`,
  )
}

/** Returns the version of a file's schema; 0 if it has none. */
export function schemaVersion(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }))
}

/** Returns true if the file has no tables: it is new, or was emptied. */
export function hasNoTables(db: Db): boolean {
  return listColumns(db).size === 0
}

/**
 * Checks that a file with tables is Cardstock's before anything writes to it: it has the tables and columns of its
 * version. Others, which an operator may have added, are ignored.
 *
 * @throws ServiceError for a file of a newer, unreleased or other program, and for an edited file
 */
export function assertOwnSchema(db: Db, migrations: readonly Migration[]): void {
  const version = schemaVersion(db)
  const found = listColumns(db)
  const first = expectedColumns(migrations.slice(0, 1))
  if (version === 0 || ![...first].some((column) => found.has(column))) {
    throw schemaError(
      `${db.name} is a database of another program. Move it away, and put the right file back or restore a backup with "bun run restore".`,
    )
  }
  assertReadable(db, migrations)
  const steps = countSchemaSteps(version)
  const expected = expectedColumns(migrations.slice(0, steps))
  const missing = [...expected].find((column) => !found.has(column))
  if (missing === undefined) return
  throw schemaError(
    `${db.name} has schema version ${steps} without ${missing}: another program changed it. Restore a backup with "bun run restore".`,
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

/** Expected columns by the SQL that creates them: a process may open many files. */
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

import { type Db, inTransaction } from './db.ts'

/** A step of a schema, named like its file: `0001-catalog`. */
export type Migration = { name: string; sql: string }

/**
 * Migrates a file to the newest schema, one transaction per step: two processes may do so at once.
 * @throws Error if a newer program wrote the file, which this one would misread
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

/** @throws Error unless the schema of the file is exactly the one that this program knows */
export function assertSchema(db: Db, migrations: readonly Migration[]): void {
  const found = schemaVersion(db)
  if (found > migrations.length) {
    throw new Error(
      `${db.name} has schema version ${found}, but this program supports only ${migrations.length}. ` +
        'Start the newer Cardstock that wrote it, or restore a backup.',
    )
  }
  if (found < migrations.length) {
    throw new Error(`${db.name} has schema version ${found} of ${migrations.length}.`)
  }
}

/** Returns the number of steps that a file has. */
export function schemaVersion(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }))
}

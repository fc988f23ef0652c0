import { type Db, inTransaction } from './db.ts'

/** One step of a schema: `0001-catalog.sql` and what it says. */
export type Migration = { name: string; sql: string }

/**
 * Brings a file to the newest schema, one transaction a step, and refuses a file that a newer
 * program wrote: it would be read wrongly. Two processes may start at once; the second finds the
 * work done.
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

/** Throws when the file's schema is not exactly the one that this program knows. */
export function assertSchema(db: Db, migrations: readonly Migration[]): void {
  const found = schemaVersion(db)
  if (found > migrations.length) {
    throw new Error(
      `${db.name} has schema version ${found}, this program knows ${migrations.length}: ` +
        'start the newer Cardstock that wrote it, or restore a backup.',
    )
  }
  if (found < migrations.length) {
    throw new Error(`${db.name} has schema version ${found} of ${migrations.length}.`)
  }
}

/** How far a file's schema is: so many steps. */
export function schemaVersion(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }))
}

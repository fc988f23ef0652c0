import { namesOf } from '../../table-sql.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import { PERSONAL_TABLES, type PersonalTable } from './personal-tables.ts'

/** A row of an account, without secrets. */
export type PersonalRow = Readonly<Record<string, number | string | null>>

/** All data of an account, table by table. */
export type PersonalDataStore = {
  /** Names of the tables in the order of the export. */
  tables: readonly string[]
  /** Lists some of an account's rows in a table, in the order of their keys. */
  list(
    table: string,
    accountId: number,
    window: { limit: number; offset: number },
  ): Promise<PersonalRow[]>
}

export function openPersonalDataStore(engine: LedgerEngine): PersonalDataStore {
  const statements = new Map(
    PERSONAL_TABLES.map((table) => [
      table.name,
      // The columns are those of the schema.
      engine.prepare<[number, number, number]>(
        `SELECT ${exportedColumns(table)} FROM ${table.name} WHERE ${table.owner}
          ORDER BY ${table.order} LIMIT ? OFFSET ?`,
      ),
    ]),
  )
  return {
    tables: [...statements.keys()],
    async list(table, accountId, { limit, offset }) {
      const statement = statements.get(table)
      if (statement === undefined) throw new Error(`no personal table is called ${table}`)
      const rows: PersonalRow[] = await engine.query(statement.all(accountId, limit, offset))
      return rows
    },
  }
}

/** Secrets and digests are bytes, except for the password hash. */
function exportedColumns({ columns }: PersonalTable): string {
  return namesOf(columns.filter((one) => one.getSQLType() !== 'blob' && !SECRETS.has(one.name)))
}

const SECRETS: ReadonlySet<string> = new Set(['password_hash', 'email_skeleton'])

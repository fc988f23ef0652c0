import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { namesOf } from '../../table-sql.ts'
import type { LedgerEngine, Value } from '../engine/operation.ts'
import { PERSONAL_TABLES, type PersonalTable } from './personal-tables.ts'

/** A row of an account, without secrets. Only the rows of drafts are bytes. */
export type PersonalRow = Readonly<Record<string, number | string | Uint8Array | null>>

/** All data of an account, table by table. */
export type PersonalDataStore = {
  /** Names of the tables in the order of the export. */
  tables: readonly string[]
  /** Reads an account's rows in a table, in the order of their keys: pages of `limit` rows, none of them empty. */
  read(table: string, accountId: number, limit: number): AsyncGenerator<PersonalRow[]>
}

type ReadTable = (accountId: number, limit: number) => AsyncGenerator<PersonalRow[]>

export function openPersonalDataStore(engine: LedgerEngine): PersonalDataStore {
  const tables = new Map(
    PERSONAL_TABLES.map((table) => [
      table.name,
      table.list === undefined || table.order === table.list
        ? openTable(engine, table)
        : openListTable(engine, table, table.list),
    ]),
  )
  return {
    tables: [...tables.keys()],
    read(name, accountId, limit) {
      const read = tables.get(name)
      if (read === undefined) throw new Error(`no personal table is called ${name}`)
      return read(accountId, limit)
    },
  }
}

function openTable({ prepare, query }: LedgerEngine, table: PersonalTable): ReadTable {
  // The columns are those of the schema.
  const rowsAt = prepare<[number, number, number], PersonalRow>(
    `SELECT ${exportedColumns(table)} FROM ${table.name} WHERE ${table.owner}
      ORDER BY ${table.order} LIMIT ? OFFSET ?`,
  )
  return async function* (accountId, limit) {
    for (let offset = 0; ; offset += limit) {
      const rows = await query(rowsAt.all(accountId, limit, offset))
      if (rows.length > 0) yield rows
      if (rows.length < limit) return
    }
  }
}

/** Reads list by list and after the last row, because a list may have so many rows that skipping them takes long. */
function openListTable(
  { prepare, query }: LedgerEngine,
  table: PersonalTable,
  list: string,
): ReadTable {
  const key = table.order.split(', ').filter((column) => column !== list)
  const lists = prepare<[number], { id: string }>(
    'SELECT id FROM lists WHERE account_id = ? ORDER BY id',
  )
  const selectRows = (condition: string) =>
    `SELECT ${exportedColumns(table)} FROM ${table.name} WHERE ${list} = ? ${condition}
      ORDER BY ${table.order} LIMIT ?`
  const first = prepare<Value[], PersonalRow>(selectRows(''))
  const others = prepare<Value[], PersonalRow>(
    selectRows(`AND (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`),
  )
  return async function* (accountId, limit) {
    for (const { id } of await query(lists.all(accountId))) {
      let rows = await query(first.all(id, limit))
      while (rows.length > 0) {
        yield rows
        const last = rows.at(-1)
        if (rows.length < limit || last === undefined) break
        rows = await query(others.all(id, ...key.map((column) => last[column] ?? null), limit))
      }
    }
  }
}

/** Secrets and digests are bytes, except for the password hash. The rows of drafts are bytes, too. */
function exportedColumns({ columns }: PersonalTable): string {
  const isBytes = (one: SQLiteColumn) => one.getSQLType() === 'blob' && one.name !== 'content'
  return namesOf(columns.filter((one) => !isBytes(one) && !SECRETS.has(one.name)))
}

const SECRETS: ReadonlySet<string> = new Set(['password_hash', 'email_skeleton'])

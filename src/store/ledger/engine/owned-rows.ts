import type { GetColumnData } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { RowPage, RowWindow } from '../../rows.ts'
import { insertInto } from '../../table-sql.ts'
import type { LedgerEngine, LedgerOperation, Value } from './operation.ts'

/** Identifies a row of an account. */
export type OwnedKey<Id = string> = { id: Id; account_id: number }

/** A stored row with its flags as booleans. */
export type OwnedRow<Stored> = {
  [Member in keyof Stored]: Member extends `is_${string}` ? boolean : Stored[Member]
}

/** SQL that reads the rows of an account. */
export type OwnedSelection = {
  /** Text after SELECT without a condition: columns, and the table with joined ones. */
  select: string
  /** Condition on the table's own columns; undefined for all rows. */
  where?: string
  /** Condition on the rows that count towards an account's limit; undefined for all. */
  limited?: string
  /** Additional condition on listed rows; undefined for all. */
  listed?: string
  /** Order of lists. */
  order: string
  /** True if changes must survive a power cut. */
  isDurable?: boolean
}

/**
 * Rows that accounts own. A change locks the account, and runs further operations of its caller in the same transaction.
 */
export type OwnedRows<Row, New, Id, Extra, Filter> = {
  /** Creates a row after `also`; false if the account already has `max` rows that count. */
  create(row: New, max: number, also?: () => LedgerOperation<unknown>): Promise<boolean>
  /** Lists a page of the rows of an account, or all. */
  list(owner: Owner & Extra & Filter, page?: RowWindow): Promise<RowPage<Row>>
  /** Returns a row; undefined if the account has none with this id. */
  get(key: OwnedKey<Id> & Extra): Promise<Row | undefined>
  /** Finds a row like `get`, within a transaction. */
  find(key: OwnedKey<Id> & Extra): LedgerOperation<Row | undefined>
  /** Changes a row with the caller's statements. @returns the changed row; undefined if not found */
  update(
    key: OwnedKey<Id> & Extra,
    change: (row: Row) => LedgerOperation<unknown>,
  ): Promise<Row | undefined>
  /** Deletes a row after `also`. @returns the row; undefined if not found */
  delete(
    key: OwnedKey<Id> & Extra,
    also?: (row: Row) => LedgerOperation<unknown>,
  ): Promise<Row | undefined>
}

type OwnedTable = SQLiteTable & Record<'id' | 'account_id', SQLiteColumn>

/** A new row with all columns except those with a default. */
export type NewRow<Table extends SQLiteTable> = {
  [Name in keyof Columns<Table> as Columns<Table>[Name]['_']['hasDefault'] extends true
    ? never
    : Name]: ParameterOf<GetColumnData<Columns<Table>[Name]>>
}

type Columns<Table extends SQLiteTable> = Table['_']['columns']

type ParameterOf<Data> = Data extends Uint8Array ? Uint8Array : Data

/**
 * Opens the rows of a table that accounts own.
 *
 * @typeParam Selected row of the selection as it is stored
 * @typeParam Extra parameters of the selection
 * @typeParam Filter parameters of the condition on listed rows
 */
export function openOwnedRows<
  Selected extends { id: string | number },
  Table extends OwnedTable,
  Extra extends Record<string, Value> = Record<never, Value>,
  Filter extends Record<string, Value> = Record<never, Value>,
>(
  engine: LedgerEngine,
  table: Table,
  {
    select,
    where = 'TRUE',
    limited = 'TRUE',
    listed = 'TRUE',
    order,
    isDurable = false,
  }: OwnedSelection,
): OwnedRows<OwnedRow<Selected>, NewRow<Table> & Owner, Selected['id'], Extra, Filter> {
  type Row = OwnedRow<Selected>
  type Key = OwnedKey<Selected['id']> & Extra
  const { query, transact } = engine
  const { name, columns } = getTableConfig(table)
  const given = columns.filter((column) => !column.hasDefault)
  const isOwned = `${name}.account_id = +@account_id AND ${where}`
  const isKey = `${name}.id = @id AND ${isOwned}`
  const add = engine.prepare<[NewRow<Table> & Owner]>(insertInto(table, given))
  const find = engine.prepare<[Key], Selected>(`SELECT ${select} WHERE ${isKey}`)
  const list = engine.prepare<[Owner & Extra & Filter & RowWindow], Selected>(
    `SELECT ${select} WHERE ${isOwned} AND ${listed} ORDER BY ${order} LIMIT @limit OFFSET @offset`,
  )
  const count = engine.prepare<[Owner & Extra & Filter], Count>(
    `SELECT count(*) AS total FROM ${name} WHERE ${isOwned} AND ${listed}`,
  )
  const countLimited = engine.prepare<[number], Count>(
    `SELECT count(*) AS total FROM ${name} WHERE account_id = ? AND ${where} AND ${limited}`,
  )
  const remove = engine.prepare<[Key]>(`DELETE FROM ${name} WHERE ${isKey}`)

  function* findRow(key: Key): LedgerOperation<Row | undefined> {
    const row = yield* find.get(key)
    return row && toRow(row)
  }

  return {
    create: (row, max, also) =>
      transact(
        function* () {
          const known = yield* countLimited.get(row.account_id)
          if ((known?.total ?? 0) >= max) return false
          if (also !== undefined) yield* also()
          yield* add.run(row)
          return true
        },
        { account: row.account_id, isDurable },
      ),
    async list(owner, page) {
      const rows = (await query(list.all({ ...owner, ...(page ?? ALL) }))).map(toRow)
      if (page === undefined) return { rows, total: rows.length }
      return { rows, total: (await query(count.get(owner)))?.total ?? 0 }
    },
    get: (key) => query(findRow(key)),
    find: findRow,
    update: (key, change) =>
      transact(
        function* () {
          const before = yield* findRow(key)
          if (before === undefined) return undefined
          yield* change(before)
          return yield* findRow(key)
        },
        { account: key.account_id, isDurable },
      ),
    delete: (key, also) =>
      transact(
        function* () {
          const before = yield* findRow(key)
          if (before === undefined) return undefined
          if (also !== undefined) yield* also(before)
          yield* remove.run(key)
          return before
        },
        { account: key.account_id, isDurable },
      ),
  }
}

type Owner = { account_id: number }

type Count = { total: number }

const ALL: RowWindow = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }

function toRow<Selected extends object>(row: Selected): OwnedRow<Selected> {
  const members = Object.entries(row).map(([name, value]) =>
    name.startsWith('is_') ? [name, value === 1] : [name, value],
  )
  return Object.fromEntries(members) as OwnedRow<Selected> // The flags are converted.
}

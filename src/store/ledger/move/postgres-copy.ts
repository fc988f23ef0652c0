import pg from 'pg'
import { ServiceError } from '#rules/primitives/errors.ts'
import { namesOf } from '../../table-sql.ts'
import {
  type CopyTarget,
  type Counter,
  CREATE_PROGRESS,
  joinPieces,
  PIECE_ROWS,
  parseProgress,
  progressStatement,
  progressValues,
} from './ledger-copy.ts'
import type { MovedColumn, MovedTable, MovedValue } from './moved-tables.ts'

/** The installation that a database belongs to; `moved_at` is set while the database is not the ledger. */
export type DatabaseInstallation = { id: string; moved_at: number | null }

/** A ledger on PostgreSQL, as one side of a copy. */
export type PostgresCopy = CopyTarget & {
  /** Lists tables whose rows are numbered in a column `rowid`. */
  listRowidTables(): Promise<Set<string>>
  listCounters(): Promise<Counter[]>
  /** Lists the schema steps of the database; none in an empty one. */
  listSteps(): Promise<string[]>
  /** Counts connections of other programs to the database. */
  countOthers(): Promise<number>
  readInstallation(): Promise<DatabaseInstallation | undefined>
  hasAccounts(): Promise<boolean>
  hasProgress(): Promise<boolean>
  /** Empties the tables, starts to store the progress, and marks the database as not being the ledger. */
  begin(tables: readonly MovedTable[], installation: Installation): Promise<void>
  /** Deletes the stored progress, and makes the database the ledger. */
  finish(installation: Installation): Promise<void>
  /** Marks the database as no longer being the ledger, or as the ledger again. */
  mark(isMoved: boolean): Promise<void>
}

type Installation = { id: string; secretHash: Uint8Array }

/** @param client separate connection, which the caller ends */
export function openPostgresCopy(client: pg.Client): PostgresCopy {
  async function all<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) {
    return (await client.query<Row>(sql, values)).rows
  }
  const exists = async (sql: string) => (await all(`SELECT 1 WHERE EXISTS (${sql})`)).length > 0
  const hasTable = (name: string) =>
    exists(`SELECT 1 FROM information_schema.tables
             WHERE table_schema = current_schema() AND table_name = '${name}'`)

  async function transact(run: () => Promise<unknown>): Promise<void> {
    await client.query('BEGIN')
    try {
      await run()
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    }
  }

  return {
    name: 'the database',

    async countRows(table) {
      const [row] = await all<{ count: number }>(`SELECT count(*) FROM ${table.name}`)
      return row?.count ?? 0
    },

    readRows: (table, after) => joinPieces(readPieces(client, table, after)),

    async readCounter({ table, column }) {
      const [sequence] = await all<{ name: string }>(
        'SELECT pg_get_serial_sequence($1, $2) AS name',
        [table, column],
      )
      const [row] = await all<{ last: number }>(
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${sequence?.name}`,
      )
      return row?.last ?? 0
    },

    async readProgress(table) {
      const [row] = await all<{ last_key: string; row_count: number }>(
        'SELECT last_key, row_count FROM moved_tables WHERE name = $1',
        [table.name],
      )
      return parseProgress(row)
    },

    async addRows(table, rows, progress) {
      const arrays = table.columns.map(({ type }, at) => `$${at + 1}::${ARRAYS[type]}`)
      const columns = table.columns.map((_, at) => rows.map((row) => row[at]))
      try {
        await transact(async () => {
          await client.query(
            `INSERT INTO ${table.name} (${namesOf(table.columns)}) SELECT * FROM unnest(${arrays})`,
            columns,
          )
          await client.query(progressStatement('$1', '$2', '$3'), progressValues(table, progress))
        })
      } catch (error) {
        throw explainRow(error, table.name)
      }
    },

    async writeCounter({ table, column }, last) {
      await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3, $4)', [
        table,
        column,
        Math.max(1, last),
        last > 0,
      ])
    },

    async listRowidTables() {
      const rows = await all<{ table_name: string }>(
        `SELECT table_name FROM information_schema.columns
          WHERE table_schema = current_schema() AND column_name = 'rowid'`,
      )
      return new Set(rows.map(({ table_name }) => table_name))
    },

    listCounters: () =>
      all<Counter>(
        `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
          WHERE table_schema = current_schema() AND is_identity = 'YES' ORDER BY 1`,
      ),

    async listSteps() {
      if (!(await hasTable('schema_steps'))) return []
      const rows = await all<{ name: string }>('SELECT name FROM schema_steps ORDER BY name')
      return rows.map(({ name }) => name)
    },

    async countOthers() {
      // Only users with more rights see the kind of another user's session.
      const [row] = await all<{ count: number }>(
        `SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
            AND coalesce(backend_type, 'client backend') = 'client backend'`,
      )
      return row?.count ?? 0
    },

    async readInstallation() {
      const rows = await all<DatabaseInstallation>('SELECT id, moved_at FROM installation')
      return rows[0]
    },

    hasAccounts: () => exists('SELECT 1 FROM accounts'),
    hasProgress: () => hasTable('moved_tables'),

    begin: (tables, { id, secretHash }) =>
      transact(async () => {
        await client.query(`TRUNCATE ${namesOf(tables)}`)
        await client.query('DROP TABLE IF EXISTS moved_tables')
        await client.query(CREATE_PROGRESS)
        await client.query('DELETE FROM installation')
        await client.query(
          'INSERT INTO installation (id, secret_hash, moved_at) VALUES ($1, $2, $3)',
          [id, Buffer.from(secretHash), Date.now()],
        )
      }),

    finish: ({ secretHash }) =>
      transact(async () => {
        await client.query('DROP TABLE moved_tables')
        await client.query('UPDATE installation SET moved_at = NULL, secret_hash = $1', [
          Buffer.from(secretHash),
        ])
      }),

    async mark(isMoved) {
      await client.query('UPDATE installation SET moved_at = $1', [isMoved ? Date.now() : null])
    },
  }
}

/** Uses a cursor, because SQLite's byte order may differ from the order of the index. */
async function* readPieces(
  client: pg.Client,
  table: MovedTable,
  after: readonly MovedValue[] | undefined,
): AsyncGenerator<MovedValue[][]> {
  const behind = after === undefined ? '' : `WHERE (${keyOf(table)}) > (${literalsOf(after)})`
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    await client.query(`DECLARE moved CURSOR FOR
      SELECT ${namesOf(table.columns)} FROM ${table.name} ${behind} ORDER BY ${keyOf(table)}`)
    for (;;) {
      const text = `FETCH ${PIECE_ROWS} FROM moved`
      const { rows } = await client.query<MovedValue[]>({ text, rowMode: 'array' })
      if (rows.length === 0) break
      yield rows
    }
  } finally {
    await client.query('ROLLBACK')
  }
}

const ARRAYS: Record<MovedColumn['type'], string> = {
  integer: 'bigint[]',
  text: 'text[]',
  blob: 'bytea[]',
}

/** Returns the key in SQLite's order, which compares texts by their bytes. */
function keyOf({ columns, key }: MovedTable): string {
  return key
    .map((at) => columns[at])
    .map((column) => (column?.type === 'text' ? `${column.name} COLLATE "C"` : column?.name))
    .join(', ')
}

/** Returns a key as SQL text, because a cursor has no parameters. */
function literalsOf(key: readonly MovedValue[]): string {
  return key
    .map((value) => {
      if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`
      return typeof value === 'string' ? pg.escapeLiteral(value) : `${value}`
    })
    .join(', ')
}

/**
 * Explains a row that SQLite accepted but PostgreSQL rejects: two addresses that differ only in the case of `É`, or a
 * zero character.
 */
function explainRow(error: unknown, table: string): unknown {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : ''
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(code)) return error
  const detail = error.detail === undefined ? '' : ` (${error.detail.replace(/\.$/, '')})`
  return new ServiceError(
    'UNAVAILABLE',
    `PostgreSQL does not accept a row of ${table}: ${error.message}${detail}. The ledger is still in ledger.db. Correct the row there, then run the same command with --restart.`,
    { cause: error },
  )
}

import { type Db, inTransaction } from '../../db.ts'
import { namesOf } from '../../table-sql.ts'
import {
  type CopyTarget,
  CREATE_PROGRESS,
  joinPieces,
  PIECE_ROWS,
  parseProgress,
  progressStatement,
  progressValues,
} from './ledger-copy.ts'
import type { MovedRow, MovedTable, MovedValue } from './moved-tables.ts'

/** A ledger in a file, as one side of a copy. */
export type SqliteCopy = CopyTarget & {
  /** True if the file has an unfinished copy, with its progress. */
  hasProgress(): boolean
  /** Empties the tables of a new file, and starts to store the progress. */
  begin(tables: readonly MovedTable[]): void
  /** Deletes the stored progress. */
  finish(): void
}

export function openSqliteCopy(db: Db, name: string): SqliteCopy {
  const pluck = (sql: string, ...parameters: string[]) =>
    Number(
      db
        .prepare<string[]>(sql)
        .pluck()
        .get(...parameters),
    )

  return {
    name,
    countRows: async (table) => pluck(`SELECT count(*) FROM ${table.name}`),

    readRows: (table, after) => joinPieces(readPieces(db, table, after)),

    async readCounter({ table, column }) {
      const highest = pluck(`SELECT coalesce(max(${column}), 0) FROM ${table}`)
      const counted = pluck(
        'SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0)',
        table,
      )
      return Math.max(highest, counted)
    },

    async readProgress(table) {
      const find = db.prepare<[string]>('SELECT * FROM moved_tables WHERE name = ?')
      return parseProgress(find.get(table.name) as Parameters<typeof parseProgress>[0])
    },

    async addRows(table, rows, progress) {
      const add = db.prepare<unknown[]>(
        `INSERT INTO ${table.name} (${namesOf(table.columns)}) VALUES (${table.columns.map(() => '?')})`,
      )
      inTransaction(db, () => {
        for (const row of rows) add.run(...row)
        db.prepare<unknown[]>(progressStatement('?', '?', '?')).run(
          ...progressValues(table, progress),
        )
      })
    },

    async writeCounter({ table }, last) {
      // Other tables continue after their highest row.
      const counts = pluck(
        "SELECT count(*) FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'",
        table,
      )
      if (counts === 0) return
      inTransaction(db, () => {
        db.prepare<[string]>('DELETE FROM sqlite_sequence WHERE name = ?').run(table)
        db.prepare<[string, number]>('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(
          table,
          last,
        )
      })
    },

    hasProgress: () =>
      pluck("SELECT count(*) FROM sqlite_schema WHERE name = 'moved_tables'") === 1,

    begin(tables) {
      inTransaction(db, () => {
        for (const { name: table } of tables) db.exec(`DELETE FROM ${table}`)
        db.exec(CREATE_PROGRESS)
      })
    },

    finish: () => void db.exec('DROP TABLE IF EXISTS moved_tables'),
  }
}

function* readPieces(
  db: Db,
  table: MovedTable,
  after: readonly MovedValue[] | undefined,
): Generator<MovedRow[]> {
  const read = (condition: string) =>
    db.prepare<unknown[]>(`SELECT ${namesOf(table.columns)} FROM ${table.name} ${condition}
      ORDER BY ${keyOf(table)} LIMIT ${PIECE_ROWS}`)
  const [first, next] = [
    read(''),
    read(`WHERE (${keyOf(table)}) > (${table.key.map(() => '?')})`),
  ].map((statement) => statement.raw())
  let rows = (after === undefined ? first?.all() : next?.all(...after)) as MovedRow[]
  while (rows.length > 0) {
    yield rows
    const last = rows.at(-1) ?? []
    rows = next?.all(...table.key.map((at) => last[at])) as MovedRow[]
  }
}

function keyOf({ columns, key }: MovedTable): string {
  return key.map((at) => columns[at]?.name).join(', ')
}

import type { MovedRow, MovedTable, MovedValue } from './moved-tables.ts'

/** Progress of the copy of a table: the key of the last copied row, and the number of rows. */
export type TableProgress = { lastKey: readonly MovedValue[] | undefined; rows: number }

/** A column whose values the database assigns to new rows. */
export type Counter = { table: string; column: string }

/** A database to copy from, or to compare. */
export type CopySource = {
  /** Name in messages, such as `ledger.db`. */
  name: string
  countRows(table: MovedTable): Promise<number>
  /** Reads the rows after a key in the order of the key, in batches of `joinPieces`. */
  readRows(table: MovedTable, after?: readonly MovedValue[]): AsyncIterable<MovedRow[]>
  /** Returns the highest number that was ever assigned to a row, even a deleted one; 0 if none was assigned. */
  readCounter(counter: Counter): Promise<number>
}

/** A database to copy to. It stores the progress, so that a killed copy can continue. */
export type CopyTarget = CopySource & {
  readProgress(table: MovedTable): Promise<TableProgress>
  /** Adds rows and updates the progress of their table, in one transaction. */
  addRows(table: MovedTable, rows: readonly MovedRow[], progress: TableProgress): Promise<void>
  /** Makes a counter continue after a number. */
  writeCounter(counter: Counter, last: number): Promise<void>
}

/** Rows per transaction: more are hardly faster, and a kill loses the work on them. */
const BATCH_ROWS = 5_000

/** Size of a batch, which is in memory several times: as rows, as parameters, and as a message. */
const BATCH_BYTES = 8 * 1024 * 1024

/** Rows that are read together. Those of drafts have up to some 100 KB each. */
export const PIECE_ROWS = 100

/** Joins pieces of rows to batches, which end after `BATCH_ROWS` or `BATCH_BYTES`. */
export async function* joinPieces(
  pieces: Iterable<MovedRow[]> | AsyncIterable<MovedRow[]>,
): AsyncGenerator<MovedRow[]> {
  let [batch, bytes]: [MovedRow[], number] = [[], 0]
  for await (const piece of pieces) {
    batch.push(...piece)
    bytes += piece.reduce((sum, row) => sum + sizeOf(row), 0)
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

function sizeOf(row: MovedRow): number {
  return row.reduce<number>((sum, value) => {
    return sum + (typeof value === 'object' ? (value?.length ?? 0) : String(value).length)
  }, 0)
}

/** Tables and counters of a ledger. */
export type LedgerContents = { tables: readonly MovedTable[]; counters: readonly Counter[] }

/**
 * A step of a copy. The target has `rows` of a table, `kept` of which are from an interrupted copy; `total` is the
 * number of rows in the source.
 */
export type CopyStep =
  | { step: 'copying'; table: string; rows: number; total: number }
  | { step: 'copied'; table: string; rows: number; kept: number; seconds: number }

/** Copies all rows that the target does not have yet, according to its stored progress. */
export async function copyLedger(
  source: CopySource,
  target: CopyTarget,
  { tables, counters }: LedgerContents,
  report: (step: CopyStep) => void,
): Promise<void> {
  for (const table of tables) await copyTable(source, target, table, report)
  for (const counter of counters) {
    await target.writeCounter(counter, await source.readCounter(counter))
  }
}

async function copyTable(
  source: CopySource,
  target: CopyTarget,
  table: MovedTable,
  report: (step: CopyStep) => void,
): Promise<void> {
  const start = performance.now()
  const total = await source.countRows(table)
  const kept = await target.readProgress(table)
  let { rows } = kept
  for await (const batch of source.readRows(table, kept.lastKey)) {
    const last = batch.at(-1) ?? []
    rows += batch.length
    await target.addRows(table, batch, { lastKey: table.key.map((at) => last[at] ?? null), rows })
    report({ step: 'copying', table: table.name, rows, total })
  }
  const seconds = (performance.now() - start) / 1000
  report({ step: 'copied', table: table.name, rows, kept: kept.rows, seconds })
}

/** Table of the progress, which the target has while a copy is unfinished. */
export const CREATE_PROGRESS =
  'CREATE TABLE moved_tables (name TEXT PRIMARY KEY, last_key TEXT NOT NULL, row_count BIGINT NOT NULL)'

/** Stores the progress of a table; the parameters are `?` or `$n`. */
export const progressStatement = (first: string, second: string, third: string) =>
  `INSERT INTO moved_tables (name, last_key, row_count) VALUES (${first}, ${second}, ${third})
   ON CONFLICT (name) DO UPDATE SET last_key = excluded.last_key, row_count = excluded.row_count`

/** Returns the parameters of `progressStatement`. */
export function progressValues(
  table: MovedTable,
  { lastKey, rows }: TableProgress,
): [string, string, number] {
  return [table.name, JSON.stringify(lastKey), rows]
}

/** Parses the stored progress of a table; JSON writes a blob as `{ type: 'Buffer', data: number[] }`. */
export function parseProgress(
  row: { last_key: string; row_count: number } | undefined,
): TableProgress {
  if (row === undefined) return { lastKey: undefined, rows: 0 }
  const lastKey = JSON.parse(row.last_key, (_name, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data) : value,
  )
  return { lastKey, rows: row.row_count }
}

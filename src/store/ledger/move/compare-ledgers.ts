import { createHash, type Hash } from 'node:crypto'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { CopySource } from './ledger-copy.ts'
import type { MovedRow, MovedTable, MovedValue } from './moved-tables.ts'

/** A table in both databases. `sums` contains the sum of each numeric column, in the order of the columns. */
export type ComparedTable = { table: string; rows: number; sums: Record<string, string> }

/**
 * Compares a table in two databases: its number of rows, the sum of each numeric column, and a hash of each column's
 * values in the order of the key. Every changed, lost or duplicated value changes the hash.
 *
 * @throws ServiceError UNAVAILABLE naming the table and the first difference
 */
export async function compareTable(
  source: CopySource,
  target: CopySource,
  table: MovedTable,
): Promise<ComparedTable> {
  const [left, right] = await Promise.all([source, target].map((one) => sumTable(one, table)))
  const difference = left && right && findDifference(left, right, [source.name, target.name])
  if (left === undefined || difference !== undefined) throw differs(table.name, `${difference}`)
  const sums = left.columns.flatMap(({ name, sum }) =>
    sum === undefined ? [] : [[name, `${sum}`]],
  )
  return { table: table.name, rows: left.rows, sums: Object.fromEntries(sums) }
}

type TableSums = {
  rows: number
  columns: { name: string; sum: bigint | undefined; hash: string }[]
}

async function sumTable(side: CopySource, table: MovedTable): Promise<TableSums> {
  const columns = table.columns.map(({ name, type }) => ({
    name,
    sum: type === 'integer' ? 0n : undefined,
    hash: createHash('sha256'),
  }))
  let rows = 0
  for await (const batch of side.readRows(table)) {
    rows += batch.length
    for (const [at, column] of columns.entries()) {
      if (column.sum !== undefined)
        column.sum += sumColumn(batch, at, `${table.name}.${column.name}`)
      hashColumn(column.hash, batch, at)
    }
  }
  return {
    rows,
    columns: columns.map(({ hash, ...one }) => ({ ...one, hash: hash.digest('hex') })),
  }
}

/** @throws ServiceError for a number that JavaScript rounds, because two of them could look equal */
function sumColumn(batch: readonly MovedRow[], at: number, name: string): bigint {
  let sum = 0n
  for (const row of batch) {
    const value = row[at] ?? 0
    if (!Number.isSafeInteger(value)) {
      throw new ServiceError(
        'UNAVAILABLE',
        `${name} has the number ${value}, which is too large to move exactly.`,
      )
    }
    sum += BigInt(value as number)
  }
  return sum
}

/** Hashes values with their types and lengths, so that no value has the same hash as another value or as two values. */
function hashColumn(hash: Hash, batch: readonly MovedRow[], at: number): void {
  hash.update(batch.map((row) => `${textOf(row[at] ?? null)}\n`).join(''))
}

function textOf(value: MovedValue): string {
  return Buffer.isBuffer(value) ? value.toString('hex') : JSON.stringify(value)
}

function findDifference(
  left: TableSums,
  right: TableSums,
  [leftName, rightName]: readonly string[],
): string | undefined {
  if (left.rows !== right.rows) {
    return `${left.rows} rows in ${leftName}, ${right.rows} in ${rightName}`
  }
  for (const [at, { name, sum, hash }] of left.columns.entries()) {
    const other = right.columns[at]
    if (sum !== other?.sum) {
      return `the sum of ${name} is ${sum} in ${leftName}, ${other?.sum} in ${rightName}`
    }
    if (hash !== other?.hash) return `values of ${name} differ`
  }
  return undefined
}

function differs(table: string, difference: string): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `The copy of ${table} differs: ${difference}. The ledger was not moved. Make sure that nothing else writes to either of the two, then run the same command with --restart.`,
  )
}

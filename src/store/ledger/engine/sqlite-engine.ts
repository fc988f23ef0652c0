import type { Statement as SqliteStatement } from 'better-sqlite3'
import { type Db, durably } from '../../db.ts'
import {
  type LedgerEngine,
  type LedgerOperation,
  type Parameter,
  type StatementCall,
  statementOf,
  type TransactOptions,
} from './operation.ts'

export type SqliteEngine = LedgerEngine & {
  /** Prepares every declared statement now instead of on first use. @throws if one does not fit the schema */
  prepareAll(): void
  /** Returns the number of operations so far. */
  countOperations(): number
}

/**
 * Runs each operation on an open connection without a pause, so that nothing else in this process runs in between; in
 * a transaction, no other process either.
 */
export function openSqliteEngine(db: Db): SqliteEngine {
  /** Undefined until prepared. */
  const prepared = new Map<string, SqliteStatement<unknown[]> | undefined>()
  let operations = 0

  function statementFor(sql: string): SqliteStatement<unknown[]> {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    if (!prepared.has(sql)) throw new Error(`statement not prepared: ${sql}`)
    const statement = db.prepare<unknown[]>(sql.replace(CLOCK, '$1'))
    prepared.set(sql, statement)
    return statement
  }

  function perform({ sql, expects, parameters }: StatementCall): unknown {
    const statement = statementFor(sql)
    if (expects === 'changes') return statement.run(...parameters).changes
    // `get` stops at the first row. A writing statement commits after its last row, and can fail there because the
    // disk is full.
    if (expects === 'row' && statement.readonly) return statement.get(...parameters)
    const rows = statement.all(...parameters)
    return expects === 'row' ? rows[0] : rows
  }

  function finish<Result>(operation: LedgerOperation<Result>): Result {
    operations++
    let next = operation.next()
    while (!next.done) next = operation.next(perform(next.value))
    return next.value
  }

  // Created once, because creating a transaction function per operation would cost as much as the operation.
  const transaction = db.transaction((operation: () => LedgerOperation<unknown>) =>
    finish(operation()),
  )

  return {
    prepare<Parameters extends readonly Parameter[], Row>(sql: string) {
      prepared.set(sql, undefined)
      return statementOf<Parameters, Row>(sql)
    },
    query: async (operation) => finish(operation),
    transact: async <Result>(
      operation: () => LedgerOperation<Result>,
      { isDurable = false }: TransactOptions = {},
    ) => {
      const run = () => transaction.immediate(operation) as Result
      return isDurable ? durably(db, run) : run()
    },
    forgetOperations: async () => 0,
    countOperations: () => operations,
    prepareAll() {
      for (const sql of prepared.keys()) statementFor(sql)
    },
  }
}

/** The server and the file are on the same machine, so the caller's time is used. */
const CLOCK = /\bclock\((@\w+)\)/g

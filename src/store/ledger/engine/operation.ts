// An operation of the ledger is a generator that yields statements and receives their results. It is written once; an
// engine runs it in one transaction on SQLite or PostgreSQL.

/** A statement with its parameters, and the result that the operation expects: a row, all rows, or a count. */
export type StatementCall = {
  sql: string
  expects: 'row' | 'rows' | 'changes'
  parameters: readonly Parameter[]
}

/** `?` takes values in order; `@name` takes them from one object. */
export type Parameter = Value | Readonly<Record<string, Value>>
export type Value = string | number | Uint8Array | null

/**
 * An operation before it runs. PostgreSQL may run it several times, so it has no effects except through its
 * statements, and does not catch their errors.
 */
export type LedgerOperation<Result> = Generator<StatementCall, Result, unknown>

/** A statement for both engines. Each function is used with `yield*`. */
export type Statement<Parameters extends readonly Parameter[], Row> = {
  get(...parameters: Parameters): LedgerOperation<Row | undefined>
  all(...parameters: Parameters): LedgerOperation<Row[]>
  /** @returns number of written rows */
  run(...parameters: Parameters): LedgerOperation<number>
}

export type TransactOptions = {
  /** Account whose row is locked first, so that concurrent operations of an account wait instead of being repeated. */
  account?: number
  /**
   * True if the operation must survive a power cut after it has returned. On SQLite, this blocks the process for some
   * milliseconds; PostgreSQL always does it.
   */
  isDurable?: boolean
}

/**
 * Lease on rows. Only the owner changes them until `leaseMs` after the statement that acquires or renews the lease,
 * by the database's clock. After that, anybody may lease them.
 */
export type Lease = { owner: string; now: Date; leaseMs: number }

/** Parameters of a statement that acquires or renews a lease, which ends at `clock(@at) + @leaseMs`. */
export type LeaseParameters = { owner: string; at: number; leaseMs: number }

/** Runs the operations of the ledger on one database. */
export type LedgerEngine = {
  /**
   * Declares a statement in the SQL that both databases understand. `INDEXED BY` and the planner's hint `+?` are only
   * for SQLite. `clock(@now)` is the time of leases and holds, in epoch milliseconds: on PostgreSQL the database's
   * clock, because servers' clocks differ; on SQLite the caller's time.
   */
  prepare<Parameters extends readonly Parameter[], Row = never>(
    sql: string,
  ): Statement<Parameters, Row>
  /** Runs an operation of one statement, which is atomic by itself. */
  query<Result>(operation: LedgerOperation<Result>): Promise<Result>
  /** Runs an operation of several statements in one transaction, so that others run before or after it. */
  transact<Result>(
    operation: () => LedgerOperation<Result>,
    options?: TransactOptions,
  ): Promise<Result>
  /**
   * Deletes at most `limit` stored ids of operations that ended long ago; only PostgreSQL's engine stores them.
   *
   * @returns their number
   */
  forgetOperations(limit: number): Promise<number>
}

/** Creates the functions of a statement from its text. */
export function statementOf<Parameters extends readonly Parameter[], Row>(
  sql: string,
): Statement<Parameters, Row> {
  return {
    *get(...parameters) {
      return (yield { sql, expects: 'row', parameters }) as Row | undefined
    },
    *all(...parameters) {
      return (yield { sql, expects: 'rows', parameters }) as Row[]
    },
    *run(...parameters) {
      return (yield { sql, expects: 'changes', parameters }) as number
    },
  }
}

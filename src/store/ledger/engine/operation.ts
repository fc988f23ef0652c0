// An operation of the ledger is a generator that yields statements and receives their answers. It is
// written once; an engine runs it in one transaction on SQLite or PostgreSQL.

/** A statement with its parameters, and the answer that the operation expects: a row, all rows, or a count. */
export type StatementCall = {
  sql: string
  expects: 'row' | 'rows' | 'changes'
  parameters: readonly Parameter[]
}

/** `?` takes values in turn; `@name` takes them from one object. */
export type Parameter = Value | Readonly<Record<string, Value>>
export type Value = string | number | Uint8Array | null

/**
 * An operation, from its start. PostgreSQL may run it several times, so it has no effects except by its
 * statements, and does not catch their errors.
 */
export type LedgerOperation<Result> = Generator<StatementCall, Result, unknown>

/** A statement of both engines. Each function is used with `yield*`. */
export type Statement<Parameters extends readonly Parameter[], Row> = {
  get(...parameters: Parameters): LedgerOperation<Row | undefined>
  all(...parameters: Parameters): LedgerOperation<Row[]>
  /** @returns how many rows were written */
  run(...parameters: Parameters): LedgerOperation<number>
}

export type TransactOptions = {
  /** Account whose row is locked first, so that operations of one account wait instead of being repeated. */
  account?: number
  /**
   * True if the operation must survive a power cut once it has returned. On SQLite this blocks the process for
   * some milliseconds; PostgreSQL does it always.
   */
  isDurable?: boolean
}

/**
 * Lease of rows. Only the owner changes them until `leaseMs` after the statement that acquires or renews the lease,
 * by the clock of the database. After that, anybody may lease them.
 */
export type Lease = { owner: string; now: Date; leaseMs: number }

/** Values of a statement that acquires or renews a lease: it ends at `clock(@at) + @leaseMs`. */
export type LeaseParameters = { owner: string; at: number; leaseMs: number }

/** Runs the operations of the ledger on one database. */
export type LedgerEngine = {
  /**
   * Declares a statement in the SQL that both databases understand. `INDEXED BY` and the planner's hint `+?` are for
   * SQLite only. `clock(@now)` is the time of leases and holds, in epoch milliseconds: on PostgreSQL the clock of the
   * database, because servers' clocks differ; on SQLite the caller's time.
   */
  prepare<Parameters extends readonly Parameter[], Row = never>(
    sql: string,
  ): Statement<Parameters, Row>
  /** Runs an operation of one statement, which is atomic by itself. */
  query<Result>(operation: LedgerOperation<Result>): Promise<Result>
  /** Runs an operation of several statements in one transaction: others run before or after it. */
  transact<Result>(
    operation: () => LedgerOperation<Result>,
    options?: TransactOptions,
  ): Promise<Result>
  /**
   * Deletes at most `limit` stored ids of operations that ended long ago; only PostgreSQL's engine stores them.
   *
   * @returns how many
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

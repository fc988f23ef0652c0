import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createFairQueue } from '#concurrency/fair-queue.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  type LedgerEngine,
  type LedgerOperation,
  type Parameter,
  type StatementCall,
  statementOf,
} from './operation.ts'
import { ANSWER_MS, clientOptions, type PostgresAddress } from './postgres-client.ts'
import { type Clock, type PostgresStatement, toPostgres } from './postgres-statement.ts'
import { type FollowedVersions, followVersions, type VersionQueries } from './postgres-versions.ts'

export type PostgresOptions = PostgresAddress & {
  /** Maximum number of connections, without the one of `listen`. */
  connections?: number
  /** Isolation of operations. Only tests choose another one, to show what would go wrong. */
  isolation?: 'SERIALIZABLE' | 'READ COMMITTED'
  /** Clock of leases and reservations. Only tests that set the time use the caller's clock. */
  clock?: Clock
}

/** An engine with its own connections. */
export type PostgresEngine = LedgerEngine & {
  /** Runs a script of several statements in one transaction. */
  execute(script: string): Promise<void>
  /** Follows numbers that grow with each change, over an additional connection. The caller closes it. */
  listen<Topic extends string>(queries: VersionQueries<Topic>): FollowedVersions<Topic>
  /** Counts open connections, operations that wait for one, and transactions repeated since the start. */
  countConnections(): { open: number; waiting: number; repeated: number }
  close(): Promise<void>
}

/** Opens the ledger's engine on PostgreSQL. Connects with the first operation. */
export function openPostgresEngine(options: PostgresOptions): PostgresEngine {
  const { connections = 10, isolation = 'SERIALIZABLE', answerMs = ANSWER_MS } = options
  // Time limit of an operation including its repetitions. The last one may wait for a connection as long as the
  // first.
  const operationMs = 2 * answerMs + 100
  const pool = new pg.Pool({
    ...clientOptions(options),
    max: connections,
    idle_in_transaction_session_timeout: operationMs,
  })
  // A lost connection fails the statement that waits for it; without a listener, the event would end the process. The
  // pool removes lost idle connections.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  // Concurrent operations of an account would conflict in the database and be repeated. Each turn ends by its own
  // deadline and began before the operations that wait for it, so none of them waits past its deadline.
  const queue = createFairQueue<{ account: number }>({
    turns: ({ account }) => [`${account}`],
    limits: ({ account }) => [[`${account}`, 1]],
  })
  let repeated = 0
  const prepared = new Map<string, PostgresStatement & { name: string }>()

  async function perform(client: pg.Pool | pg.PoolClient, step: StatementCall): Promise<unknown> {
    const statement = prepared.get(step.sql)
    if (statement === undefined) throw new Error(`statement not prepared: ${step.sql}`)
    const { name, text } = statement
    const values = statement.values(step.parameters)
    const { rows, rowCount } = await client.query({ name, text, values })
    if (step.expects === 'changes') return rowCount ?? 0
    return step.expects === 'row' ? rows[0] : rows
  }

  async function finish<Result>(
    client: pg.Pool | pg.PoolClient,
    operation: LedgerOperation<Result>,
  ) {
    let next = operation.next()
    while (!next.done) next = operation.next(await perform(client, next.value))
    return next.value
  }

  /** Acquires a connection until a time, at which it is closed, which fails a running statement. */
  async function connectUntil(deadline: number) {
    const client = await pool.connect()
    const timer = setTimeout(() => void client.end(), deadline - performance.now())
    return {
      client,
      /** A connection in an unknown state is closed instead of reused. */
      release(isUsable: boolean) {
        clearTimeout(timer)
        client.release(!isUsable)
      },
    }
  }

  /** Runs an operation once and returns true if it was stored; undefined if the response to COMMIT was lost. */
  async function attempt<Result>(
    id: string,
    operation: () => LedgerOperation<Result>,
    { account, deadline }: { account: number | undefined; deadline: number },
  ) {
    const { client, release } = await connectUntil(deadline)
    let isUsable = false
    try {
      await client.query(`BEGIN ISOLATION LEVEL ${isolation}`)
      await client.query(REGISTER, [id])
      if (account !== undefined) await client.query(LOCK_ACCOUNT, [account])
      const result = await finish(client, operation())
      const isStored = await client.query('COMMIT').then(
        () => true,
        (error: unknown) => {
          if (error instanceof pg.DatabaseError && !isLost(error)) throw error
        },
      )
      isUsable = isStored === true
      return { result, isStored }
    } catch (error) {
      isUsable = await client.query('ROLLBACK').then(
        () => true,
        () => false,
      )
      throw error
    } finally {
      release(isUsable)
    }
  }

  /**
   * Determines whether an operation was stored although its response was lost. Inserts its id as void, which waits
   * for a transaction that may still commit. If the id is new, that transaction can no longer commit.
   */
  async function wasStored(id: string, deadline: number): Promise<boolean> {
    for (;;) {
      try {
        return await settle(id, deadline)
      } catch (error) {
        if (performance.now() + PAUSE_MS + answerMs > deadline) throw unavailable(error)
        await sleep(PAUSE_MS)
      }
    }
  }

  async function settle(id: string, deadline: number): Promise<boolean> {
    const { client, release } = await connectUntil(deadline)
    let isUsable = false
    try {
      const { rows } = await client.query<{ is_void: 0 | 1 }>(SETTLE, [id])
      isUsable = true
      return rows[0]?.is_void === 0
    } finally {
      release(isUsable)
    }
  }

  async function transact<Result>(
    operation: () => LedgerOperation<Result>,
    { account, deadline }: { account: number | undefined; deadline: number },
  ) {
    let reason: unknown
    for (let tries = 1; performance.now() + answerMs <= deadline; tries++) {
      const id = crypto.randomUUID()
      try {
        const { result, isStored } = await attempt(id, operation, { account, deadline })
        if (isStored || (await wasStored(id, deadline))) return result
      } catch (error) {
        if (!isRepeatable(error)) throw isLost(error) ? unavailable(error) : error
        reason = error
      }
      repeated++
      // Conflicting operations must not run again in the same order.
      await sleep(Math.random() * Math.min(PAUSE_MS, 2 ** tries))
    }
    throw unavailable(reason)
  }

  return {
    prepare<Parameters extends readonly Parameter[], Row>(sql: string) {
      const name = `s${prepared.size}`
      if (!prepared.has(sql)) prepared.set(sql, { name, ...toPostgres(sql, options.clock) })
      return statementOf<Parameters, Row>(sql)
    },
    query: async (operation) => {
      try {
        return await finish(pool, operation)
      } catch (error) {
        throw isLost(error) ? unavailable(error) : error
      }
    },
    transact: (operation, { account } = {}) => {
      const deadline = performance.now() + operationMs
      const run = () => transact(operation, { account, deadline })
      return account === undefined ? run() : queue.run({ account }, run)
    },
    forgetOperations: async (limit) => (await pool.query(FORGET, [limit])).rowCount ?? 0,
    execute: async (script) => {
      const text = `SET LOCAL statement_timeout = ${SCRIPT_MS}; ${script}`
      const query = { text, query_timeout: SCRIPT_MS }
      await pool.query(query)
    },
    listen: (queries) => followVersions(options, queries),
    countConnections: () => {
      return { open: pool.totalCount, waiting: pool.waitingCount, repeated }
    },
    close: () => pool.end(),
  }
}

/** Time limit of a script in milliseconds; it may rewrite a table. */
const SCRIPT_MS = 600_000

/** Maximum pause before a repetition, in milliseconds. */
const PAUSE_MS = 50

const REGISTER = 'INSERT INTO stored_transactions (id) VALUES ($1)'
// A repetition finds its own entry, which stays void.
const SETTLE = `INSERT INTO stored_transactions AS known (id, is_void) VALUES ($1, 1)
  ON CONFLICT (id) DO UPDATE SET is_void = known.is_void RETURNING is_void`
// An id is needed for some seconds; an hour also covers a suspended machine.
const FORGET = `DELETE FROM stored_transactions WHERE id IN
  (SELECT id FROM stored_transactions WHERE at < now() - INTERVAL '1 hour' LIMIT $1)`
const LOCK_ACCOUNT = 'SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE'

/** Serialization failure or deadlock: the transaction was rolled back. */
function isRepeatable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['40001', '40P01'].includes(error.code ?? '')
}

/**
 * Returns true if the database did not answer: not connected, shutting down, timed out, or a standby that is not
 * promoted yet.
 */
function isLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return error instanceof Error && isConnection(error)
  const code = error.code ?? ''
  return STANDBY.includes(code) || ['08', '53', '57'].includes(code.slice(0, 2))
}

/** Errors of a write and of a SERIALIZABLE transaction on a standby. */
const STANDBY = ['25006', '0A000']

function isConnection(error: Error): boolean {
  return 'code' in error || /connect|timeout|terminated|not queryable/i.test(error.message)
}

function unavailable(cause: unknown): ServiceError {
  const message = 'The account database is not responding. Try again in a few seconds.'
  return new ServiceError('UNAVAILABLE', message, { cause, retryAfter: 5 })
}

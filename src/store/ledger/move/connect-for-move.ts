import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ServiceError } from '#rules/primitives/errors.ts'
import { clientOptions } from '../engine/postgres-client.ts'
import { explainConnection } from '../postgres-ledger.ts'
import { openPostgresCopy, type PostgresCopy } from './postgres-copy.ts'

/**
 * Runs an action on a database that nothing else uses.
 *
 * @throws ServiceError UNAVAILABLE if other programs are connected to the database, or its connection fails
 */
export async function withDatabaseAlone<Result>(
  url: string,
  action: (database: PostgresCopy) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...clientOptions({ url, answerMs: STATEMENT_MS }), ...CONNECT })
  // Without a listener, a lost connection would end the process. It fails the running statement.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const database = openPostgresCopy(client)
    await assertAlone(database)
    return await action(database)
  } catch (error) {
    throw isOfDatabase(error) ? explainConnection(error) : error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** @throws ServiceError UNAVAILABLE while other programs are connected */
export async function assertAlone(database: PostgresCopy): Promise<void> {
  const deadline = performance.now() + LEAVE_MS
  while ((await database.countOthers()) > 0) {
    if (performance.now() > deadline) throw new ServiceError('UNAVAILABLE', IN_USE)
    await sleep(LEAVE_MS / 20)
  }
}

/** Other errors of a move concern files. */
function isOfDatabase(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return true
  return error instanceof Error && /connect|timeout|terminated|not queryable/i.test(error.message)
}

const IN_USE =
  'Other programs are connected to the database. Stop every server and every other client of it, and try again.'

/** Time in milliseconds for which a program's sessions may remain after its end. */
const LEAVE_MS = 2_000

/** Time limit of a statement in milliseconds: it may sort or empty the largest table. */
const STATEMENT_MS = 3_600_000
const CONNECT = { connectionTimeoutMillis: 10_000 }

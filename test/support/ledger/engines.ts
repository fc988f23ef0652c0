import { openDatabase } from '#store/db.ts'
import type { LedgerEngine } from '#store/ledger/engine/operation.ts'
import {
  openPostgresEngine,
  type PostgresEngine,
  type PostgresOptions,
} from '#store/ledger/engine/postgres-engine.ts'
import { openSqliteEngine } from '#store/ledger/engine/sqlite-engine.ts'
import { migratePostgres } from '#store/ledger/postgres-migrations.ts'
import { createLedgerFile } from '../test-app.ts'
import { type PostgresServer, startPostgres, USES_POSTGRES } from './postgres-server.ts'

/** Several connections to one ledger, like several servers. */
export type TestEngines = { engines: LedgerEngine[]; close(): Promise<void> }

/** Each engine that is available here, for `describe.each`; PostgreSQL only in slow tests. */
export const ENGINES: [name: string, open: () => Promise<TestEngines>][] = [
  ['SQLite', openSqlite],
  ...(USES_POSTGRES ? [['PostgreSQL', openThreeEngines] as [string, typeof openThreeEngines]] : []),
]

async function openSqlite(): Promise<TestEngines> {
  const file = await createLedgerFile()
  const databases = [1, 2, 3].map(() => openDatabase(`${file.folder}/ledger.db`))
  return {
    engines: databases.map(openSqliteEngine),
    async close() {
      for (const db of databases) db.close()
      file.close()
    },
  }
}

/** A long timeout, because a busy machine may respond late, and few tests are about that. */
export const PATIENT_MS = 20_000

async function openThreeEngines(): Promise<TestEngines> {
  const { engine, open, close } = await openPostgres({ connections: 4, clock: 'caller' })
  return { engines: [engine, open(), open()], close }
}

/** A PostgreSQL server with the schema of the ledger. */
export type TestDatabase = {
  server: PostgresServer
  engine: PostgresEngine
  /** Opens another engine like `engine`. */
  open(): PostgresEngine
  /** Closes all engines and the server. */
  close(): Promise<void>
}

/** Starts a server for a test file, with the schema of the ledger. */
export async function openPostgres(
  options: Omit<PostgresOptions, 'url'> = {},
): Promise<TestDatabase> {
  const server = await startPostgres()
  const engines: PostgresEngine[] = []
  function open(): PostgresEngine {
    const engine = openPostgresEngine({ url: server.url, answerMs: PATIENT_MS, ...options })
    engines.push(engine)
    return engine
  }
  const engine = open()
  await migratePostgres(engine)
  return {
    server,
    engine,
    open,
    async close() {
      for (const opened of engines) await opened.close()
      await server.close()
    },
  }
}

/** Inserts an account and one of its keys, with the statements of both engines. */
export async function enterAccount(engine: LedgerEngine): Promise<{ id: number; key: string }> {
  const account = engine.prepare<[string], { id: number }>(
    `INSERT INTO accounts (email, password_hash, tier, created_at) VALUES (?, '', 'free', 0)
     RETURNING id`,
  )
  const keyOf = engine.prepare<[string, number, Uint8Array]>(
    `INSERT INTO keys (id, account_id, name, key_hash, key_prefix, last4, is_active, created_at)
     VALUES (?, ?, 'key', ?, 'prefix', 'last', 1, 0)`,
  )
  const key = crypto.randomUUID()
  const id = await engine.transact(function* () {
    const row = yield* account.get(`${key}@example.com`)
    yield* keyOf.run(key, row?.id ?? 0, Buffer.from(key))
    return row?.id ?? 0
  })
  return { id, key }
}

import { openDatabase } from '#store/db.ts'
import type { LedgerEngine } from '#store/ledger/engine/operation.ts'
import { openPostgresEngine } from '#store/ledger/engine/postgres-engine.ts'
import { openSqliteEngine } from '#store/ledger/engine/sqlite-engine.ts'
import { migratePostgres } from '#store/ledger/postgres-migrations.ts'
import { createLedgerFile } from '../test-app.ts'
import { startPostgres, USES_POSTGRES } from './postgres-server.ts'

/** Several connections to one ledger, like several servers. */
export type TestEngines = { engines: LedgerEngine[]; close(): Promise<void> }

/** Each engine that is available here, for `describe.each`; PostgreSQL only in slow tests. */
export const ENGINES: [name: string, open: () => Promise<TestEngines>][] = [
  ['SQLite', openSqlite],
  ...(USES_POSTGRES ? [['PostgreSQL', openPostgres] as [string, typeof openPostgres]] : []),
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

async function openPostgres(): Promise<TestEngines> {
  const server = await startPostgres()
  const options = {
    url: server.url,
    connections: 4,
    answerMs: PATIENT_MS,
    clock: 'caller' as const,
  }
  const engines = [1, 2, 3].map(() => openPostgresEngine(options))
  for (const engine of engines) await migratePostgres(engine)
  return {
    engines,
    async close() {
      for (const engine of engines) await engine.close()
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

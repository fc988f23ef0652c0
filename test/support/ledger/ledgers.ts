// A ledger with several servers, on each available database, for `describe.each`; on PostgreSQL only in slow tests.
import pg from 'pg'
import { TIERS, type Tier } from '#rules/accounts/tiers.ts'
import { openDatabase } from '#store/db.ts'
import {
  openPostgresEngine,
  type PostgresEngine,
  type PostgresOptions,
} from '#store/ledger/engine/postgres-engine.ts'
import { openCatalogVersionStore } from '#store/ledger/fleet/postgres-catalog-versions.ts'
import { openSharedCounts } from '#store/ledger/fleet/postgres-daily-counts.ts'
import { openImportTurnStore } from '#store/ledger/fleet/postgres-import-turns.ts'
import { openServerReportStore } from '#store/ledger/fleet/postgres-server-reports.ts'
import { openSyncRequestStore } from '#store/ledger/fleet/postgres-sync-requests.ts'
import { type Ledger, openLedgerStores } from '#store/ledger/ledger.ts'
import { migratePostgres } from '#store/ledger/postgres-migrations.ts'
import { createLedgerFile, emailOf, FROZEN_TIME, openLedgerFile } from '../test-app.ts'
import { PATIENT_MS } from './engines.ts'
import { type PostgresServer, startPostgres, USES_POSTGRES } from './postgres-server.ts'

export type ServerOptions = Pick<PostgresOptions, 'isolation' | 'clock'> & {
  /** False for operations that do not lock their account first. */
  locksAccounts?: boolean
}

/** A ledger with an account of each tier. */
export type TestLedgers = {
  accounts: Record<Tier, number>
  /** Opens the ledger as a further server. A file uses the isolation, clock and locks of a server. */
  open(options?: ServerOptions): Ledger
  /** Runs statements without parameters, independent of the stores. Rejects if one fails. */
  execute(sql: string): Promise<void>
  /** Returns the rows of a query without parameters. */
  all<Row>(sql: string): Promise<Row[]>
  close(): Promise<void>
}

export const LEDGERS: [name: string, create: () => Promise<TestLedgers>][] = [
  ['SQLite', createOnSqlite],
  ...(USES_POSTGRES ? [['PostgreSQL', createOnPostgres] as [string, typeof createOnPostgres]] : []),
]

async function createOnSqlite(): Promise<TestLedgers> {
  const { accounts, folder, close } = await createLedgerFile()
  const beside = openDatabase(`${folder}/ledger.db`)
  const opened: { close(): void }[] = [beside]
  return {
    accounts,
    open() {
      const ledger = openLedgerFile(folder)
      opened.push(ledger)
      return ledger
    },
    execute: async (sql) => void beside.exec(sql),
    all: async <Row>(sql: string) => beside.prepare<[], Row>(sql).all(),
    async close() {
      for (const one of opened) one.close()
      close()
    },
  }
}

/** Started once: a database is copied from a template in some ten milliseconds. */
let template: Promise<{ server: PostgresServer; accounts: Record<Tier, number> }> | undefined
let copies = 0

async function createOnPostgres(): Promise<TestLedgers> {
  template ??= makeTemplate()
  const { server, accounts } = await template
  const name = `copy_${copies++}`
  const url = await createDatabase(server, name, 'TEMPLATE ledgers')
  const beside = openEngine(url)
  const opened = [beside]
  return {
    accounts,
    open({ locksAccounts = true, ...options } = {}) {
      const engine = openEngine(url, options)
      opened.push(engine)
      return {
        ...openLedgerStores(locksAccounts ? engine : withoutLocks(engine), UNKNOWN_ACCESS),
        shared: {
          serverReports: openServerReportStore(engine),
          catalogVersions: openCatalogVersionStore(engine),
          syncRequests: openSyncRequestStore(engine),
          importTurns: openImportTurnStore(engine),
          describeConnection: () => ({ silentMs: 0, ...engine.countConnections() }),
        },
        dailyCounts: openSharedCounts(engine, { waitMs: PATIENT_MS }),
        probe: async () => {},
        probeWrite: async () => {},
        close: () => {},
      }
    },
    execute: beside.execute,
    all: <Row>(sql: string) => beside.query(beside.prepare<[], Row>(sql).all()),
    async close() {
      for (const engine of opened) await engine.close()
      await administer(server, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function makeTemplate() {
  const server = await startPostgres()
  const engine = openEngine(await createDatabase(server, 'ledgers'))
  await migratePostgres(engine)
  const ledger = openLedgerStores(engine, UNKNOWN_ACCESS)
  const context = { now: new Date(FROZEN_TIME), address: undefined }
  const accounts: Partial<Record<Tier, number>> = {}
  for (const tier of TIERS) {
    const account = { email: emailOf(tier), password_hash: 'none', tier }
    accounts[tier] = (await ledger.accounts.create(account, context))?.id ?? 0
  }
  // A database with connections cannot be copied.
  await engine.close()
  return { server, accounts: accounts as Record<Tier, number> }
}

/** These tests look keys up without a cache. */
const UNKNOWN_ACCESS = { get: () => Number.NaN, forget: () => {} }

/** These tests set the servers' time. */
function openEngine(url: string, options: ServerOptions = {}) {
  const fixed = { url, connections: 4, answerMs: PATIENT_MS, clock: 'caller' } as const
  return openPostgresEngine({ ...fixed, ...options })
}

function withoutLocks(engine: PostgresEngine): PostgresEngine {
  return { ...engine, transact: (operation) => engine.transact(operation) }
}

/** Creates a database on a server. @returns its URL */
export async function createDatabase(
  server: PostgresServer,
  name: string,
  options = '',
): Promise<string> {
  await administer(server, `CREATE DATABASE ${name} ${options}`)
  return server.url.replace(/\/postgres$/, `/${name}`)
}

async function administer({ url }: PostgresServer, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}

import { ServiceError } from '#rules/primitives/errors.ts'
import { hasErrorCode } from '#rules/primitives/system-errors.ts'
import { probeFolder } from '../files/folder-entries.ts'
import type { PostgresAddress } from './engine/postgres-client.ts'
import { openPostgresEngine, type PostgresEngine } from './engine/postgres-engine.ts'
import { openCatalogVersionStore } from './fleet/postgres-catalog-versions.ts'
import { openSharedCounts } from './fleet/postgres-daily-counts.ts'
import { openImportTurnStore } from './fleet/postgres-import-turns.ts'
import { openServerReportStore } from './fleet/postgres-server-reports.ts'
import { openSyncRequestStore } from './fleet/postgres-sync-requests.ts'
import { type Ledger, openLedgerStores } from './ledger.ts'
import { migratePostgres } from './postgres-migrations.ts'

/** Database of the ledger, and a server's maximum number of connections, excluding the one that listens. */
export type LedgerDatabase = PostgresAddress & { connections: number }

/**
 * Connects to the database of a ledger, and creates or migrates its tables. The caller closes the engine.
 *
 * @throws ServiceError UNAVAILABLE if it does not answer, refuses, is older than PostgreSQL 15, or was
 *   written by a newer program
 */
export async function connectLedgerDatabase(database: LedgerDatabase): Promise<PostgresEngine> {
  const engine = openPostgresEngine(database)
  try {
    await assertVersion(engine)
    await migratePostgres(engine)
    return engine
  } catch (error) {
    await engine.close()
    throw explainConnection(error)
  }
}

async function assertVersion(engine: PostgresEngine): Promise<void> {
  const version = engine.prepare<[], { number: number }>(
    "SELECT current_setting('server_version_num')::bigint AS number",
  )
  const found = (await engine.query(version.get()))?.number ?? 0
  if (found >= 10_000 * OLDEST_MAJOR) return
  const major = Math.floor(found / 10_000)
  throw new ServiceError(
    'UNAVAILABLE',
    `The database of LEDGER_URL is PostgreSQL ${major}. Upgrade it to ${OLDEST_MAJOR} or later.`,
  )
}

const OLDEST_MAJOR = 15

/** Returns an error that names the setting. PostgreSQL's messages contain neither a password nor data here. */
export function explainConnection(error: unknown): unknown {
  const cause = error instanceof ServiceError && error.cause !== undefined ? error.cause : error
  if (cause instanceof ServiceError || !(cause instanceof Error)) return cause
  if (!('code' in cause) && !/connect|timeout/i.test(cause.message)) return error
  const reason = hasErrorCode(cause, 'ECONNREFUSED') ? 'connection refused' : cause.message
  return new ServiceError(
    'UNAVAILABLE',
    `The ledger's database cannot be used: ${reason}. Check the URL, and that the database is running and accepts connections from this machine.`,
    { cause },
  )
}

/**
 * Opens the ledger on a database that several servers share, and follows their changes. Closing the ledger closes the
 * engine.
 *
 * @param dataDir folder of this server, for `probeWrite`
 */
export function openPostgresLedger(engine: PostgresEngine, dataDir: string): Ledger {
  const versions = engine.listen({ access: 'SELECT version FROM access_version' })
  const write = engine.prepare<[number]>('UPDATE installation SET probed_at = ?')
  let writtenAt = performance.now()
  const access = {
    get: () => versions.get('access') ?? Number.NaN,
    forget: versions.forget,
  }
  return {
    ...openLedgerStores(engine, access),
    shared: {
      serverReports: openServerReportStore(engine),
      catalogVersions: openCatalogVersionStore(engine),
      syncRequests: openSyncRequestStore(engine),
      importTurns: openImportTurnStore(engine),
      describeConnection: () => ({ silentMs: versions.silentMs(), ...engine.countConnections() }),
    },
    dailyCounts: openSharedCounts(engine),
    async probe() {
      const seconds = versions.silentMs() / 1000
      if (seconds > SILENT_SECONDS_MAX)
        throw new Error(`the ledger has been silent for ${seconds} s`)
    },
    async probeWrite() {
      await probeFolder(dataDir)
      try {
        await engine.query(write.run(Date.now()))
        writtenAt = performance.now()
      } catch (error) {
        const silentSeconds = (performance.now() - writtenAt) / 1000
        if (!isSilence(error) || silentSeconds > SILENT_SECONDS_MAX) throw error
      }
    },
    async close() {
      await versions.close()
      await engine.close()
    },
  }
}

/** A restart of the database takes seconds, during which servers should stay in their load balancer. */
const SILENT_SECONDS_MAX = 10

/**
 * Returns true if the database did not answer, for example during a restart, instead of failing because its disk is
 * full.
 */
function isSilence(error: unknown): boolean {
  return error instanceof ServiceError && !hasErrorCode(error.cause, DISK_FULL)
}

const DISK_FULL = '53100'

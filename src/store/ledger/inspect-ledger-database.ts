import type { SettingTexts } from '#rules/operations/service-settings.ts'
import { openPostgresEngine } from './engine/postgres-engine.ts'
import { explainConnection, type LedgerDatabase } from './postgres-ledger.ts'
import { comparePostgresSteps, type PostgresSteps } from './postgres-migrations.ts'
import { openSettingStore } from './settings.ts'

/** Facts about the database of a ledger. */
export type LedgerDatabaseFacts = {
  /** Version number, such as 15.18. */
  version: string
  /** Duration of a query in milliseconds. */
  latencyMs: number
  /** Milliseconds by which the database's clock is ahead of this machine's. */
  clockMs: number
  steps: PostgresSteps
  /** Maximum number of connections in the database, and number of open ones. */
  connectionsMax: number
  connections: number
  /** False if a confirmed commit can be lost in a power cut. */
  isDurable: boolean
  /** Number of standbys that receive every commit before it is confirmed, and number of all standbys. */
  synchronousStandbys: number
  standbys: number
  /** Id of the installation and hash of its secret; undefined before the first start. */
  installation: { id: string; secret_hash: Uint8Array } | undefined
  /** Choices of the operator; undefined before the first start. */
  settings: SettingTexts | undefined
}

/**
 * Reads facts about the database without changing it.
 *
 * @throws ServiceError UNAVAILABLE if it cannot be used
 */
export async function inspectLedgerDatabase(
  database: LedgerDatabase,
): Promise<LedgerDatabaseFacts> {
  const engine = openPostgresEngine({ ...database, connections: 1 })
  const { prepare, query } = engine
  const general = prepare<
    [],
    Omit<
      LedgerDatabaseFacts,
      'steps' | 'latencyMs' | 'clockMs' | 'isDurable' | 'installation' | 'settings'
    > & {
      now: number
      is_durable: 0 | 1
      has_steps: 0 | 1
      has_installation: 0 | 1
      has_settings: 0 | 1
    }
  >(
    `SELECT current_setting('server_version') AS version,
            floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
            current_setting('max_connections')::bigint AS "connectionsMax",
            (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
            CASE WHEN current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off'
              THEN 1 ELSE 0 END AS is_durable,
            (SELECT count(*) FROM pg_stat_replication) AS standbys,
            (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))
              AS "synchronousStandbys",
            CASE WHEN to_regclass('schema_steps') IS NULL THEN 0 ELSE 1 END AS has_steps,
            CASE WHEN to_regclass('installation') IS NULL THEN 0 ELSE 1 END AS has_installation,
            CASE WHEN to_regclass('service_settings') IS NULL THEN 0 ELSE 1 END AS has_settings`,
  )
  const steps = prepare<[], { name: string }>('SELECT name FROM schema_steps')
  const readInstallation = prepare<[], { id: string; secret_hash: Uint8Array }>(
    'SELECT id, secret_hash FROM installation',
  )
  const settings = openSettingStore(engine)
  try {
    await query(general.get())
    // Measured on an open connection.
    const sentAt = Date.now()
    const found = await query(general.get())
    const latencyMs = Date.now() - sentAt
    if (found === undefined) throw new Error('no answer')
    const { now, is_durable, has_steps, has_installation, has_settings, ...facts } = found
    const names = has_steps === 1 ? (await query(steps.all())).map(({ name }) => name) : []
    const installation = has_installation === 1 ? await query(readInstallation.get()) : undefined
    return {
      ...facts,
      latencyMs,
      clockMs: Math.round(now - sentAt - latencyMs / 2),
      steps: comparePostgresSteps(names),
      isDurable: is_durable === 1,
      installation,
      settings: has_settings === 1 ? await settings.list() : undefined,
    }
  } catch (error) {
    throw explainConnection(error)
  } finally {
    await engine.close()
  }
}

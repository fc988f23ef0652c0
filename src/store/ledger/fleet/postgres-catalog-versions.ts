import type { Snapshot } from '#rules/operations/snapshot-list.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import type { JobLease } from '../job-leases.ts'

/** A published version of the catalog. Times are those of the database, in epoch milliseconds. */
export type CatalogVersion = {
  snapshot: Snapshot
  /** Time from which it is served, but not earlier. Final from 15 s before this time on. */
  activate_at: number
}

/** The versions that matter to a server, and the database's time. */
export type CatalogSchedule = {
  /** The version that is served now; undefined before the first. */
  active: CatalogVersion | undefined
  /** The version that is served next. */
  pending: CatalogVersion | undefined
  /** Newest catalog schema of each server that reports. */
  schemas: readonly number[]
  now: number
}

/** Newest version of a server, 0 if it has none, and the newest schema that it can read. */
export type HolderReport = { server: string; version: number; schema: number }

/** `not leading`: another server has the lease. `overtaken`: another version was published after the base. */
export type PublishOutcome = 'published' | 'not leading' | 'overtaken'

/** Versions of the catalog that the servers of a fleet activate together. */
export type CatalogVersionStore = {
  readSchedule(now: Date): Promise<CatalogSchedule>
  /** Lists the kept versions, newest first. */
  list(): Promise<CatalogVersion[]>
  /**
   * Publishes a version for all servers, which activate it after ten minutes, or 15 s after all have it. The first
   * one is active at once, because none is served before it.
   *
   * @param lease lease of the leading server; undefined for an operator, who is always allowed
   * @param base version on which it is based or which it replaces; undefined for the first one
   */
  publish(
    lease: JobLease | undefined,
    version: { snapshot: Snapshot; base: number | undefined },
    now: Date,
  ): Promise<PublishOutcome>
  /** Stores the report of a server, and sets the activation time of the pending version if all servers have it. */
  report(report: HolderReport, now: Date): Promise<void>
  /** Deletes the report of a stopping server, so that no version waits for it. */
  withdraw(server: string): Promise<void>
  /** Deletes versions that are no longer kept. */
  forget(versions: readonly number[]): Promise<void>
}

/** Opens the versions on PostgreSQL. A server with a ledger file does not need them. */
export function openCatalogVersionStore(engine: LedgerEngine): CatalogVersionStore {
  const { query, transact } = engine
  type Times = { now: number }
  const newest = engine.prepare<[Times], Row>(
    `SELECT snapshot, activate_at, clock(@now) AS now FROM catalog_versions
      ORDER BY version DESC LIMIT 2`,
  )
  const lock = engine.prepare<[JobLease & Times], { token: number }>(
    `SELECT token FROM job_leases WHERE job = @job AND holder = @holder AND token = @token
        AND expires_at > clock(@now) FOR UPDATE`,
  )
  const last = engine.prepare<[], { version: number }>(
    'SELECT version FROM catalog_versions ORDER BY version DESC LIMIT 1',
  )
  const add = engine.prepare<
    [{ version: number; base: number | null; snapshot: string; wait: number; now: number }]
  >(
    `INSERT INTO catalog_versions (version, base, snapshot, published_at, activate_at)
     VALUES (@version, @base, @snapshot, clock(@now), clock(@now) + @wait)`,
  )
  const put = engine.prepare<[HolderReport & Times]>(
    `INSERT INTO catalog_holders (server, version, schema, reported_at)
     VALUES (@server, @version, @schema, clock(@now))
     ON CONFLICT (server) DO UPDATE SET version = excluded.version, schema = excluded.schema,
       reported_at = excluded.reported_at`,
  )
  const schemas = engine.prepare<[Times], { schema: number }>(
    `SELECT schema FROM catalog_holders WHERE reported_at >= clock(@now) - ${SILENT_MS}`,
  )
  const remove = engine.prepare<[string]>('DELETE FROM catalog_holders WHERE server = ?')
  const forgetSilent = engine.prepare<[Times]>(
    `DELETE FROM catalog_holders WHERE reported_at < clock(@now) - ${SILENT_MS}`,
  )
  // Decides once: a report that began earlier, but waited for this row, must not change a time that servers know.
  const activate = engine.prepare<[Times]>(
    `UPDATE catalog_versions SET activate_at = clock(@now) + ${ACTIVATION_NOTICE_MS}
      WHERE version = (SELECT max(version) FROM catalog_versions)
        AND activate_at = published_at + ${ACTIVATION_MS_MAX}
        AND activate_at > clock(@now) + ${ACTIVATION_NOTICE_MS}
        AND NOT EXISTS (SELECT 1 FROM catalog_holders
          WHERE catalog_holders.version BETWEEN 1 AND catalog_versions.version - 1)`,
  )
  const drop = engine.prepare<[number]>('DELETE FROM catalog_versions WHERE version = ?')
  const all = engine.prepare<[], Omit<Row, 'now'>>(
    'SELECT snapshot, activate_at FROM catalog_versions ORDER BY version DESC',
  )

  return {
    async readSchedule(now) {
      const times = { now: now.getTime() }
      const known = (await query(schemas.all(times))).map(({ schema }) => schema)
      const rows = await query(newest.all(times))
      const versions = rows.map(parseRow)
      // Uses the time of this statement, because a statement of another server may follow.
      const time = rows[0]?.now ?? now.getTime()
      const isActive = ({ activate_at }: CatalogVersion) => activate_at <= time
      const pending = versions.find((version) => !isActive(version))
      return { active: versions.find(isActive), pending, schemas: known, now: time }
    },
    publish: (lease, { snapshot, base }, now) =>
      transact(function* () {
        const time = { now: now.getTime() }
        const isAllowed =
          lease === undefined || (yield* lock.get({ ...lease, ...time })) !== undefined
        if (!isAllowed) return 'not leading'
        if ((yield* last.get())?.version !== base) return 'overtaken'
        const { version } = snapshot
        const text = JSON.stringify(snapshot)
        const wait = base === undefined ? 0 : ACTIVATION_MS_MAX
        yield* add.run({ version, base: base ?? null, snapshot: text, wait, ...time })
        return 'published'
      }),
    async report(report, now) {
      const time = { now: now.getTime() }
      await query(put.run({ ...report, ...time }))
      await query(forgetSilent.run(time))
      await query(activate.run(time))
    },
    withdraw: async (server) => void (await query(remove.run(server))),
    list: async () => (await query(all.all())).map(parseRow),
    async forget(versions) {
      for (const version of versions) await query(drop.run(version))
    },
  }
}

function parseRow({
  snapshot,
  activate_at,
}: Pick<Row, 'snapshot' | 'activate_at'>): CatalogVersion {
  return { snapshot: JSON.parse(snapshot), activate_at }
}

type Row = { snapshot: string; activate_at: number; now: number }

/** Maximum time in milliseconds for which a version waits for servers that do not have it. */
const ACTIVATION_MS_MAX = 600_000

/**
 * Time in milliseconds between the decision and the activation: longer than a server stays ready without the
 * database, so that no server serves the previous version after the activation.
 */
export const ACTIVATION_NOTICE_MS = 15_000

/** Time in milliseconds without a report after which no version waits for a server. */
const SILENT_MS = 30_000

import { MS_PER_DAY } from '#rules/primitives/days.ts'
import type { LedgerEngine } from '../engine/operation.ts'

/** A server's report to the others that share its ledger. `name` is unique; `state` is JSON. */
export type ServerReport = { name: string; version: string; started_at: number; state: string }

/** A report with its age in milliseconds, by the clock of the database. */
export type AgedServerReport = ServerReport & { age_ms: number }

/** The last report of each server. Reports of killed servers are kept for a day. */
export type ServerReportStore = {
  put(report: ServerReport, now: Date): Promise<void>
  /** Lists the reports by name. */
  list(now: Date): Promise<AgedServerReport[]>
  /** Deletes the report of a server that stops. */
  delete(name: string): Promise<void>
}

/** Opens the reports on PostgreSQL. A server with a ledger file does not need them. */
export function openServerReportStore(engine: LedgerEngine): ServerReportStore {
  const { query } = engine
  const put = engine.prepare<[ServerReport & { now: number }]>(
    `WITH forgotten AS (
       DELETE FROM server_reports
        WHERE name <> @name AND reported_at < clock(@now) - ${MS_PER_DAY})
     INSERT INTO server_reports (name, version, started_at, reported_at, state)
     VALUES (@name, @version, @started_at, clock(@now), @state)
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, state = excluded.state,
       started_at = excluded.started_at, reported_at = excluded.reported_at`,
  )
  const list = engine.prepare<[{ now: number }], AgedServerReport>(
    `SELECT name, version, started_at, state, clock(@now) - reported_at AS age_ms
       FROM server_reports ORDER BY name`,
  )
  const remove = engine.prepare<[string]>('DELETE FROM server_reports WHERE name = ?')

  return {
    put: async (report, now) => void (await query(put.run({ ...report, now: now.getTime() }))),
    list: (now) => query(list.all({ now: now.getTime() })),
    delete: async (name) => void (await query(remove.run(name))),
  }
}

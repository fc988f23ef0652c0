import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { AuditEvent, AuditLogRow } from './schema/operations.ts'

export type AuditEntry = {
  at: Date
  event: AuditEvent
  /** Undefined if no account has the tried e-mail address. */
  account_id: number | undefined
  /** Client address; undefined for the command line. */
  address: string | undefined
  detail?: string
}

/** Time of a change and client address for the audit log; undefined for the command line. */
export type AuditContext = { now: Date; address: string | undefined }

/** An entry with the e-mail address of its account, null if the account is unknown. */
export type AuditRecord = AuditLogRow & { email: string | null }

/** Prepares the writing of entries, for stores that write them with their own changes. */
export function openAuditWriter(
  engine: LedgerEngine,
): (entry: AuditEntry) => LedgerOperation<number> {
  const put = engine.prepare<[number, string, number | null, string | null, string | null]>(
    'INSERT INTO audit_log (at, event, account_id, address, detail) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ at, event, account_id, address, detail }) =>
    put.run(at.getTime(), event, account_id ?? null, address ?? null, detail ?? null)
}

/** The audit log. Most entries are written by other stores, with the change that they describe. */
export type AuditStore = {
  /** Adds an entry. */
  create(entry: AuditEntry): Promise<void>
  /** Lists the newest entries, newest first, optionally of one account. */
  list(limit: number, email?: string): Promise<AuditRecord[]>
  /** Deletes at most `limit` entries older than a time. @returns their number */
  deleteBefore(time: Date, limit: number): Promise<number>
}

export function openAuditStore(engine: LedgerEngine): AuditStore {
  const { query } = engine
  const write = openAuditWriter(engine)
  const newest = engine.prepare<[string | null, string | null, number], AuditRecord>(
    `SELECT audit_log.id, at, event, account_id, email, address, detail
       FROM audit_log LEFT JOIN accounts ON accounts.id = account_id
      WHERE CAST(? AS TEXT) IS NULL OR email = +? ORDER BY audit_log.id DESC LIMIT ?`,
  )
  const forget = engine.prepare<[number, number]>(
    'DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE at < ? LIMIT ?)',
  )

  return {
    create: async (entry) => void (await query(write(entry))),
    list: (limit, email) => query(newest.all(email ?? null, email ?? null, limit)),
    deleteBefore: (time, limit) => query(forget.run(time.getTime(), limit)),
  }
}

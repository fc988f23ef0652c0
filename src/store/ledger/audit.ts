import type { Db } from '../db.ts'

/** What can happen to an account. */
export type AuditEvent =
  | 'key_created'
  | 'key_revoked'
  | 'login'
  | 'login_failed'
  | 'logout'
  | 'operator_granted'
  | 'operator_revoked'
  | 'password_changed'
  | 'registered'
  | 'scans_granted'
  | 'sync_started'
  | 'tier_changed'
  | 'webhook_created'
  | 'webhook_deleted'
  | 'webhook_secret_rotated'

export type AuditEntry = {
  at: Date
  event: AuditEvent
  /** Undefined: nobody has the address that was tried. */
  account_id: number | undefined
  /** Where it came from; undefined: from the command line. */
  address: string | undefined
  detail?: string
}

/** An entry as it is shown; `email` is null where the account is not known. */
export type AuditRecord = {
  id: number
  at: number
  event: AuditEvent
  account_id: number | null
  email: string | null
  address: string | null
  detail: string | null
}

/** What writes entries, for the deeds that they are part of. */
export function openAuditWriter(db: Db): (entry: AuditEntry) => void {
  const put = db.prepare<[number, string, number | null, string | null, string | null]>(
    'INSERT INTO audit_log (at, event, account_id, address, detail) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ at, event, account_id, address, detail }) =>
    void put.run(at.getTime(), event, account_id ?? null, address ?? null, detail ?? null)
}

/** What happened to accounts. Most of it is written by the deeds of the other shelves. */
export function openAuditStore(db: Db) {
  const write = openAuditWriter(db)
  const newest = db.prepare<[string | null, string | null, number], AuditRecord>(
    `SELECT audit_log.id, at, event, account_id, email, address, detail
       FROM audit_log LEFT JOIN accounts ON accounts.id = account_id
      WHERE ? IS NULL OR email = +? ORDER BY audit_log.id DESC LIMIT ?`,
  )
  const forget = db.prepare<[number]>('DELETE FROM audit_log WHERE at < ?')

  return {
    create: async (entry: AuditEntry): Promise<void> => write(entry),
    /** The newest entries, newest first; of one account where its address is given. */
    list: async (limit: number, email?: string): Promise<AuditRecord[]> =>
      newest.all(email ?? null, email ?? null, limit),
    deleteBefore: async (time: Date): Promise<void> => void forget.run(time.getTime()),
  }
}

import type { Tier } from '#rules/accounts/tiers.ts'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import { type Db, durable } from '../db.ts'
import { type AuditEvent, openAuditWriter } from './audit.ts'
import type { AuditContext } from './keys.ts'
import { resumeDeliveries } from './muted-webhooks.ts'

/** Why we send nothing to a watch's address any more: it said so, or it failed for days. */
export type DisabledFor = 'gone' | 'failing'

/** A watch of a price. Times are epoch milliseconds, money is US cents. */
export type WebhookRecord = {
  id: string
  account_id: number
  url: string
  card_id: number
  /** Null: the dearest one. */
  printing: string | null
  condition: AlertCondition
  threshold: number
  is_paused: boolean
  disabled_for: DisabledFor | null
  /** Encrypted, as are the old one's bytes. */
  secret: Uint8Array
  old_secret: Uint8Array | null
  old_secret_until: number | null
  created_at: number
  updated_at: number
  /** When the newest of its alerts was made that are still kept. */
  last_alert_at: number | null
  /** Of its account. */
  tier: Tier
}

export type NewWebhook = Pick<
  WebhookRecord,
  'id' | 'account_id' | 'url' | 'card_id' | 'printing' | 'condition' | 'threshold' | 'secret'
>

/** What its owner changes; undefined: it stays. */
export type WebhookChanges = {
  /** With the host that limits are counted by. */
  target?: { url: string; host: string }
  threshold?: number
  is_paused?: boolean
  /** A new secret; the one before is signed with, too, until then. */
  secret?: { sealed: Uint8Array; oldUntil: Date }
}

type Stored = Omit<WebhookRecord, 'is_paused'> & { is_paused: number }

/** Watches, by their accounts. */
export function openWebhookStore(db: Db) {
  const write = openAuditWriter(db)
  const columns = `webhooks.id, account_id, url, card_id, printing, condition, threshold, is_paused,
    disabled_for, secret, old_secret, old_secret_until, webhooks.created_at, updated_at, tier,
    (SELECT created_at FROM deliveries WHERE webhook_id = webhooks.id AND kind = 'alert'
      ORDER BY created_at DESC LIMIT 1) AS last_alert_at`
  const from = 'FROM webhooks JOIN accounts ON accounts.id = account_id'
  const find = db.prepare<[string, number], Stored>(
    `SELECT ${columns} ${from} WHERE webhooks.id = ? AND account_id = +?`,
  )
  const list = db.prepare<[number], Stored>(
    `SELECT ${columns} ${from} WHERE account_id = ? ORDER BY webhooks.created_at, webhooks.id`,
  )
  const countOf = db
    .prepare<[number], number>('SELECT count(*) FROM webhooks WHERE account_id = ?')
    .pluck()
  const count = db.prepare<[], number>('SELECT count(*) FROM webhooks').pluck()
  const add = db.prepare<[NewWebhook & { at: number }]>(
    `INSERT INTO webhooks (id, account_id, url, card_id, printing, condition, threshold, secret,
       created_at, updated_at)
     VALUES (@id, @account_id, @url, @card_id, @printing, @condition, @threshold, @secret, @at, @at)`,
  )
  const remove = db.prepare<[string]>('DELETE FROM webhooks WHERE id = ?')
  const change = openChanges(db)

  const found = (id: string, account_id: number) => {
    const row = find.get(id, account_id)
    return row && told(row)
  }

  return {
    /** How many there are, of all accounts. */
    count: async (): Promise<number> => count.get() ?? 0,
    /** @returns whether it was added: not where the account has `max` of them */
    async create(webhook: NewWebhook, max: number, auditContext: AuditContext): Promise<boolean> {
      return durable(db, () => {
        if ((countOf.get(webhook.account_id) ?? 0) >= max) return false
        add.run({ ...webhook, at: auditContext.now.getTime() })
        write(entryOf('webhook_created', webhook, auditContext))
        return true
      })
    },
    /** An account's watches, oldest first. */
    list: async (account_id: number): Promise<WebhookRecord[]> => list.all(account_id).map(told),
    /** One of an account's watches. */
    get: async (id: string, account_id: number): Promise<WebhookRecord | undefined> =>
      found(id, account_id),
    /** @returns it as it is now; undefined where the account has no such watch */
    async update(
      { id, account_id }: { id: string; account_id: number },
      wanted: WebhookChanges,
      context: AuditContext,
    ): Promise<WebhookRecord | undefined> {
      return durable(db, () => {
        const before = found(id, account_id)
        if (before === undefined) return undefined
        change(before, wanted, context.now)
        if (wanted.secret !== undefined) write(entryOf('webhook_secret_rotated', before, context))
        return found(id, account_id)
      })
    },
    /**
     * Removes a watch with all that it delivered.
     *
     * @returns it as it was; undefined where the account has no such watch
     */
    async delete(
      { id, account_id }: { id: string; account_id: number },
      deed: AuditContext,
    ): Promise<WebhookRecord | undefined> {
      return durable(db, () => {
        const before = found(id, account_id)
        if (before === undefined) return undefined
        remove.run(id)
        write(entryOf('webhook_deleted', before, deed))
        return before
      })
    },
  }
}

/** Writes what an owner changes of a watch; within a transaction. */
function openChanges(db: Db) {
  // What the address before did says nothing about this one.
  const putPlace = db.prepare<[string, string]>(
    'UPDATE webhooks SET url = ?, failures = 0, failing_since = NULL WHERE id = ?',
  )
  const movePending = db.prepare<[string, string]>(
    "UPDATE deliveries SET host = ? WHERE webhook_id = ? AND state = 'pending'",
  )
  // The catalog remembers revisions: where the ledger is restored from a backup, a time is none that it
  // has had.
  const putThreshold = db.prepare<[number, number, string]>(
    'UPDATE webhooks SET threshold = ?, revision = max(revision + 1, ?) WHERE id = ?',
  )
  const pause = db.prepare<[string]>('UPDATE webhooks SET is_paused = 1 WHERE id = ?')
  const resume = db.prepare<[string]>(
    `UPDATE webhooks SET is_paused = 0, disabled_for = NULL, failures = 0, failing_since = NULL
      WHERE id = ?`,
  )
  const wake = resumeDeliveries(db)
  const putSecret = db.prepare<[number, Uint8Array, string]>(
    'UPDATE webhooks SET old_secret = secret, old_secret_until = ?, secret = ? WHERE id = ?',
  )
  const mark = db.prepare<[number, string]>('UPDATE webhooks SET updated_at = ? WHERE id = ?')

  return ({ id, url, threshold }: WebhookRecord, wanted: WebhookChanges, now: Date): void => {
    const at = now.getTime()
    if (wanted.target !== undefined && wanted.target.url !== url) {
      putPlace.run(wanted.target.url, id)
      movePending.run(wanted.target.host, id)
    }
    // The same threshold again is no other condition.
    if (wanted.threshold !== undefined && wanted.threshold !== threshold) {
      putThreshold.run(wanted.threshold, at, id)
    }
    if (wanted.is_paused === true) pause.run(id)
    if (wanted.is_paused === false) {
      resume.run(id)
      wake.ofWebhook(id, now)
    }
    if (wanted.secret !== undefined) {
      putSecret.run(wanted.secret.oldUntil.getTime(), wanted.secret.sealed, id)
    }
    mark.run(at, id)
  }
}

function told(row: Stored): WebhookRecord {
  return { ...row, is_paused: row.is_paused === 1 }
}

function entryOf(
  event: AuditEvent,
  { id, account_id }: Pick<WebhookRecord, 'id' | 'account_id'>,
  { now, address }: AuditContext,
) {
  return { at: now, event, account_id, address, detail: id }
}

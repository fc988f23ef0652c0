import { type Db, durable } from '../db.ts'
import { openAuditWriter } from './audit.ts'
import type { AuditContext } from './keys.ts'
import { resumeDeliveries } from './muted-webhooks.ts'
import type { AccountRow, AuditEvent, WebhookRow } from './schema.ts'

/** Why a webhook was disabled: its server answered 410, or it failed for days. */
export type DisabledFor = NonNullable<WebhookRow['disabled_for']>

/** A webhook. Times are epoch milliseconds, money is US cents, secrets are encrypted; `printing` null stands for the most expensive one. */
export type WebhookRecord = Omit<StoredWebhook, 'is_paused'> & { is_paused: boolean }

export type NewWebhook = Pick<
  WebhookRecord,
  'id' | 'account_id' | 'url' | 'card_id' | 'printing' | 'condition' | 'threshold'
> & { secret: Uint8Array }

/** Changes of a webhook; omitted members stay. */
export type WebhookChanges = {
  /** URL and the host that limits are counted by. */
  target?: { url: string; host: string }
  threshold?: number
  is_paused?: boolean
  /** New secret; messages are also signed with the old one until `oldUntil`. */
  secret?: { sealed: Uint8Array; oldUntil: Date }
}

type StoredWebhook = Omit<WebhookRow, 'revision' | 'failures' | 'failing_since'> &
  Pick<AccountRow, 'tier'> & {
    /** Time of the newest stored alert; null if none is stored. */
    last_alert_at: number | null
  }

/** Webhooks of accounts. */
export type WebhookStore = {
  /** Counts the webhooks of all accounts. */
  count(): Promise<number>
  /** Creates a webhook; false if the account has `max` of them. */
  create(webhook: NewWebhook, max: number, context: AuditContext): Promise<boolean>
  /** Lists an account's webhooks, oldest first. */
  list(account_id: number): Promise<WebhookRecord[]>
  /** Returns an account's webhook; undefined if not found. */
  get(id: string, account_id: number): Promise<WebhookRecord | undefined>
  /** Updates a webhook. @returns the updated webhook; undefined if the account has none with this id */
  update(
    webhook: { id: string; account_id: number },
    changes: WebhookChanges,
    context: AuditContext,
  ): Promise<WebhookRecord | undefined>
  /** Deletes a webhook with its deliveries. @returns the webhook; undefined if not found */
  delete(
    webhook: { id: string; account_id: number },
    context: AuditContext,
  ): Promise<WebhookRecord | undefined>
}

export function openWebhookStore(db: Db): WebhookStore {
  const write = openAuditWriter(db)
  const columns = `webhooks.id, account_id, url, card_id, printing, condition, threshold, is_paused,
    disabled_for, secret, old_secret, old_secret_until, webhooks.created_at, updated_at, tier,
    (SELECT created_at FROM deliveries WHERE webhook_id = webhooks.id AND kind = 'alert'
      ORDER BY created_at DESC LIMIT 1) AS last_alert_at`
  const JOINED = 'FROM webhooks JOIN accounts ON accounts.id = account_id'
  const find = db.prepare<[string, number], StoredWebhook>(
    `SELECT ${columns} ${JOINED} WHERE webhooks.id = ? AND account_id = +?`,
  )
  const list = db.prepare<[number], StoredWebhook>(
    `SELECT ${columns} ${JOINED} WHERE account_id = ? ORDER BY webhooks.created_at, webhooks.rowid`,
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
  const change = prepareUpdates(db)

  const found = (id: string, account_id: number) => {
    const row = find.get(id, account_id)
    return row && toRecord(row)
  }

  return {
    count: async () => count.get() ?? 0,
    create: async (webhook, max, auditContext) =>
      durable(db, () => {
        if ((countOf.get(webhook.account_id) ?? 0) >= max) return false
        add.run({ ...webhook, at: auditContext.now.getTime() })
        write(entryOf('webhook_created', webhook, auditContext))
        return true
      }),
    list: async (account_id) => list.all(account_id).map(toRecord),
    get: async (id, account_id) => found(id, account_id),
    update: async ({ id, account_id }, changes, context) =>
      durable(db, () => {
        const before = found(id, account_id)
        if (before === undefined) return undefined
        change(before, changes, context.now)
        if (changes.secret !== undefined) write(entryOf('webhook_secret_rotated', before, context))
        return found(id, account_id)
      }),
    delete: async ({ id, account_id }, context) =>
      durable(db, () => {
        const before = found(id, account_id)
        if (before === undefined) return undefined
        remove.run(id)
        write(entryOf('webhook_deleted', before, context))
        return before
      }),
  }
}

/** Prepares the changes of a webhook; the caller provides the transaction. */
function prepareUpdates(db: Db) {
  // Failures of the old URL say nothing about the new one.
  const putUrl = db.prepare<[string, string]>(
    'UPDATE webhooks SET url = ?, failures = 0, failing_since = NULL WHERE id = ?',
  )
  const movePending = db.prepare<[string, string]>(
    "UPDATE deliveries SET host = ? WHERE webhook_id = ? AND state = 'pending'",
  )
  // The catalog stores revisions. After the ledger is restored from a backup, a time is always a
  // new revision.
  const putThreshold = db.prepare<[number, number, string]>(
    'UPDATE webhooks SET threshold = ?, revision = max(revision + 1, ?) WHERE id = ?',
  )
  const pause = db.prepare<[string]>('UPDATE webhooks SET is_paused = 1 WHERE id = ?')
  const resume = db.prepare<[string]>(
    `UPDATE webhooks SET is_paused = 0, disabled_for = NULL, failures = 0, failing_since = NULL
      WHERE id = ?`,
  )
  const deliveries = resumeDeliveries(db)
  const putSecret = db.prepare<[number, Uint8Array, string]>(
    'UPDATE webhooks SET old_secret = secret, old_secret_until = ?, secret = ? WHERE id = ?',
  )
  const mark = db.prepare<[number, string]>('UPDATE webhooks SET updated_at = ? WHERE id = ?')

  return ({ id, url, threshold }: WebhookRecord, changes: WebhookChanges, now: Date): void => {
    const at = now.getTime()
    if (changes.target !== undefined && changes.target.url !== url) {
      putUrl.run(changes.target.url, id)
      movePending.run(changes.target.host, id)
    }
    // An equal threshold is not a new condition.
    if (changes.threshold !== undefined && changes.threshold !== threshold) {
      putThreshold.run(changes.threshold, at, id)
    }
    if (changes.is_paused === true) pause.run(id)
    if (changes.is_paused === false) {
      resume.run(id)
      deliveries.ofWebhook(id, now)
    }
    if (changes.secret !== undefined) {
      putSecret.run(changes.secret.oldUntil.getTime(), changes.secret.sealed, id)
    }
    mark.run(at, id)
  }
}

function toRecord(row: StoredWebhook): WebhookRecord {
  return { ...row, is_paused: row.is_paused === 1 }
}

function entryOf(
  event: AuditEvent,
  { id, account_id }: Pick<WebhookRecord, 'id' | 'account_id'>,
  { now, address }: AuditContext,
) {
  return { at: now, event, account_id, address, detail: id }
}

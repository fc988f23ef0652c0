import type { ConfidenceLevel } from '#rules/pricing/confidence.ts'
import { type AuditContext, openAuditWriter } from './audit.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import { resumeDeliveries } from './muted-webhooks.ts'
import type { AccountRow } from './schema/accounts.ts'
import type { WebhookRow } from './schema/alerts.ts'
import type { AuditEvent } from './schema/operations.ts'

/** Why a webhook was disabled: its server answered 410, or it failed for days. */
export type DisabledFor = NonNullable<WebhookRow['disabled_for']>

/** A webhook. Times are epoch milliseconds, money is hundredths of the currency, secrets are encrypted; `printing` null stands for the most expensive one. */
export type WebhookRecord = Omit<StoredWebhook, 'is_paused'> & { is_paused: boolean }

export type NewWebhook = Pick<
  WebhookRecord,
  'id' | 'account_id' | 'url' | 'card_id' | 'printing' | 'condition' | 'threshold'
> &
  Partial<Pick<WebhookRecord, 'min_confidence' | 'currency' | 'source'>> & { secret: Uint8Array }

/** Changes of a webhook; omitted members stay. */
export type WebhookChanges = {
  /** URL and the host that limits are counted by. */
  target?: { url: string; host: string }
  threshold?: number
  min_confidence?: ConfidenceLevel
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

export function openWebhookStore(engine: LedgerEngine): WebhookStore {
  const { query, transact } = engine
  const write = openAuditWriter(engine)
  const columns = `webhooks.id, account_id, url, card_id, printing, condition, threshold, min_confidence, currency, source, is_paused,
    disabled_for, secret, old_secret, old_secret_until, webhooks.created_at, updated_at, tier,
    (SELECT created_at FROM deliveries WHERE webhook_id = webhooks.id AND kind = 'alert'
      ORDER BY created_at DESC LIMIT 1) AS last_alert_at`
  const JOINED = 'FROM webhooks JOIN accounts ON accounts.id = account_id'
  const find = engine.prepare<[string, number], StoredWebhook>(
    `SELECT ${columns} ${JOINED} WHERE webhooks.id = ? AND account_id = +?`,
  )
  const list = engine.prepare<[number], StoredWebhook>(
    `SELECT ${columns} ${JOINED} WHERE account_id = ? ORDER BY webhooks.created_at, webhooks.rowid`,
  )
  const countOf = engine.prepare<[number], WebhookCount>(
    'SELECT count(*) AS webhooks FROM webhooks WHERE account_id = ?',
  )
  const count = engine.prepare<[], WebhookCount>('SELECT count(*) AS webhooks FROM webhooks')
  const add = engine.prepare<[Required<NewWebhook> & { at: number }]>(
    `INSERT INTO webhooks (id, account_id, url, card_id, printing, condition, threshold, min_confidence,
       currency, source, secret, created_at, updated_at)
     VALUES (@id, @account_id, @url, @card_id, @printing, @condition, @threshold, @min_confidence,
       @currency, @source, @secret, @at, @at)`,
  )
  const remove = engine.prepare<[string]>('DELETE FROM webhooks WHERE id = ?')
  const change = prepareUpdates(engine)

  function* findRecord(id: string, account_id: number): LedgerOperation<WebhookRecord | undefined> {
    const row = yield* find.get(id, account_id)
    return row && toRecord(row)
  }

  return {
    count: async () => (await query(count.get()))?.webhooks ?? 0,
    create: (webhook, max, auditContext) =>
      transact(
        function* () {
          const known = yield* countOf.get(webhook.account_id)
          if ((known?.webhooks ?? 0) >= max) return false
          yield* add.run({ ...DEFAULTS, ...webhook, at: auditContext.now.getTime() })
          yield* write(entryOf('webhook_created', webhook, auditContext))
          return true
        },
        { account: webhook.account_id, isDurable: true },
      ),
    list: async (account_id) => (await query(list.all(account_id))).map(toRecord),
    get: (id, account_id) => query(findRecord(id, account_id)),
    update: ({ id, account_id }, changes, context) =>
      transact(
        function* () {
          const before = yield* findRecord(id, account_id)
          if (before === undefined) return undefined
          yield* change(before, changes, context.now)
          if (changes.secret !== undefined) {
            yield* write(entryOf('webhook_secret_rotated', before, context))
          }
          return yield* findRecord(id, account_id)
        },
        { account: account_id, isDurable: true },
      ),
    delete: ({ id, account_id }, context) =>
      transact(
        function* () {
          const before = yield* findRecord(id, account_id)
          if (before === undefined) return undefined
          yield* remove.run(id)
          yield* write(entryOf('webhook_deleted', before, context))
          return before
        },
        { account: account_id, isDurable: true },
      ),
  }
}

const DEFAULTS = { min_confidence: 'low', currency: null, source: null } as const

type WebhookCount = { webhooks: number }

/** Prepares the changes of a webhook; the caller provides the transaction. */
function prepareUpdates(engine: LedgerEngine) {
  // Failures of the old URL say nothing about the new one.
  const putUrl = engine.prepare<[string, string]>(
    'UPDATE webhooks SET url = ?, failures = 0, failing_since = NULL WHERE id = ?',
  )
  const movePending = engine.prepare<[string, string]>(
    "UPDATE deliveries SET host = ? WHERE webhook_id = ? AND state = 'pending'",
  )
  // The catalog stores revisions. After the ledger is restored from a backup, a time is always a
  // new revision.
  const putThreshold = engine.prepare<[{ id: string; threshold: number; at: number }]>(
    `UPDATE webhooks SET threshold = @threshold,
       revision = CASE WHEN revision < @at THEN @at ELSE revision + 1 END WHERE id = @id`,
  )
  const putMinimum = engine.prepare<[ConfidenceLevel, string]>(
    'UPDATE webhooks SET min_confidence = ? WHERE id = ?',
  )
  const pause = engine.prepare<[string]>('UPDATE webhooks SET is_paused = 1 WHERE id = ?')
  const resume = engine.prepare<[string]>(
    `UPDATE webhooks SET is_paused = 0, disabled_for = NULL, failures = 0, failing_since = NULL
      WHERE id = ?`,
  )
  const deliveries = resumeDeliveries(engine)
  const putSecret = engine.prepare<[number, Uint8Array, string]>(
    'UPDATE webhooks SET old_secret = secret, old_secret_until = ?, secret = ? WHERE id = ?',
  )
  const mark = engine.prepare<[number, string]>('UPDATE webhooks SET updated_at = ? WHERE id = ?')

  return function* (
    { id, url, threshold }: WebhookRecord,
    changes: WebhookChanges,
    now: Date,
  ): LedgerOperation<void> {
    const at = now.getTime()
    if (changes.target !== undefined && changes.target.url !== url) {
      yield* putUrl.run(changes.target.url, id)
      yield* movePending.run(changes.target.host, id)
    }
    // An equal threshold is not a new condition.
    if (changes.threshold !== undefined && changes.threshold !== threshold) {
      yield* putThreshold.run({ id, threshold: changes.threshold, at })
    }
    if (changes.min_confidence !== undefined) yield* putMinimum.run(changes.min_confidence, id)
    if (changes.is_paused === true) yield* pause.run(id)
    if (changes.is_paused === false) {
      yield* resume.run(id)
      yield* deliveries.ofWebhook(id, now)
    }
    if (changes.secret !== undefined) {
      yield* putSecret.run(changes.secret.oldUntil.getTime(), changes.secret.sealed, id)
    }
    yield* mark.run(at, id)
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

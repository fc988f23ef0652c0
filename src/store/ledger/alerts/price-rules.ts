import type { ConfidenceLevel } from '#rules/pricing/confidence.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import type { AuditContext } from '../audit.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { OwnedRows } from '../engine/owned-rows.ts'
import type { AccountRow } from '../schema/accounts.ts'
import type { AlertChannelRow, PriceRuleRow } from '../schema/alerts.ts'

/**
 * A price alert of a person. Times are epoch milliseconds, money is in hundredths of `currency`, or of US dollars if it is
 * null; `printing` null stands for the most expensive one.
 */
export type PriceAlert = Omit<
  PriceRuleRow,
  'channel_id' | 'min_confidence' | 'revision' | 'is_paused'
> & {
  is_paused: boolean
  /** Time of the newest stored alert; null if none is stored. */
  last_alert_at: number | null
}

/** A webhook: a price alert whose channel posts to a URL. Secrets are encrypted. */
export type WebhookRecord = PriceAlert &
  Pick<PriceRuleRow, 'min_confidence'> &
  Pick<AlertChannelRow, 'disabled_for' | 'secret' | 'old_secret' | 'old_secret_until'> &
  Pick<AccountRow, 'tier'> & { url: string }

export type NewPriceAlert = Pick<
  PriceAlert,
  'id' | 'account_id' | 'card_id' | 'printing' | 'condition' | 'threshold'
> &
  Partial<Pick<PriceAlert, 'currency' | 'source'>>

export type NewWebhook = NewPriceAlert &
  Partial<Pick<WebhookRecord, 'min_confidence'>> & {
    url: string
    secret: Uint8Array
  }

/** Changes of a price alert; omitted members stay. */
export type PriceAlertChanges = Partial<Pick<PriceAlert, 'condition' | 'threshold' | 'is_paused'>>

/** Changes of a webhook; omitted members stay. */
export type WebhookChanges = PriceAlertChanges & {
  url?: string
  min_confidence?: ConfidenceLevel
  /** New secret; messages are also signed with the old one until `oldUntil`. */
  secret?: { sealed: Uint8Array; oldUntil: Date }
}

/** Identifies a rule of an account. */
export type RuleKey = { id: string; account_id: number }

/** Price rules of one kind. */
export type RuleStore<Rule, New, Changes> = {
  /** Counts the rules of all accounts. */
  count(): Promise<number>
  /** Creates a rule; false if the account has `max` of this kind. */
  create(rule: New, max: number, context: AuditContext): Promise<boolean>
  /** Lists an account's rules, or its rules of one card, oldest first: a page, or all. */
  list(owner: RuleOwner, page?: RowWindow): Promise<RowPage<Rule>>
  /** Returns an account's rule; undefined if not found. */
  get(key: RuleKey): Promise<Rule | undefined>
  /** Updates a rule. @returns the rule; undefined if not found */
  update(key: RuleKey, changes: Changes, context: AuditContext): Promise<Rule | undefined>
  /**
   * Deletes a rule; of a webhook, also its messages. Notifications stay.
   *
   * @returns the rule; undefined if not found
   */
  delete(key: RuleKey, context: AuditContext): Promise<Rule | undefined>
}

export type PriceAlertStore = RuleStore<PriceAlert, NewPriceAlert, PriceAlertChanges>
export type WebhookStore = RuleStore<WebhookRecord, NewWebhook, WebhookChanges>

/** An account, and the card of its rules; undefined for all. */
export type RuleOwner = { account_id: number; card_id?: number }

/** Parameter of lists of rules: the card; 0 for all cards. */
export type CardFilter = { card_id: number }

/** Rows of one kind of rules, the condition that selects them, and the channels that they own. */
export type RuleKind<Rule, New, Changes> = {
  rows: OwnedRows<Rule, unknown, string, unknown, CardFilter>
  condition: string
  channels?: OwnChannels<Rule, New, Changes>
}

/** Channels that rules own. The caller provides the transaction. */
export type OwnChannels<Rule, New, Changes> = {
  create(rule: New, context: AuditContext): LedgerOperation<void>
  update(before: Rule, changes: Changes, context: AuditContext): LedgerOperation<void>
  /** Deletes the channel of a rule with the rule and its messages. */
  delete(rule: RuleKey, context: AuditContext): LedgerOperation<void>
}

/** Opens the rules of one kind, on its statements. */
export function openRuleStore<
  Rule extends PriceAlert & Partial<Pick<WebhookRecord, 'min_confidence'>>,
  New extends NewPriceAlert & Partial<Pick<WebhookRecord, 'min_confidence'>>,
  Changes extends PriceAlertChanges & Pick<WebhookChanges, 'min_confidence'>,
>(
  engine: LedgerEngine,
  { rows, condition, channels }: RuleKind<Rule, New, Changes>,
): RuleStore<Rule, New, Changes> {
  const { query, transact } = engine
  const countOf = engine.prepare<[number], { rules: number }>(
    `SELECT count(*) AS rules FROM price_rules WHERE account_id = ? AND ${condition}`,
  )
  const count = engine.prepare<[], { rules: number }>(
    `SELECT count(*) AS rules FROM price_rules WHERE ${condition}`,
  )
  const add = engine.prepare<[Omit<PriceRuleRow, 'revision' | 'is_paused' | 'updated_at'>]>(
    `INSERT INTO price_rules (id, account_id, channel_id, card_id, printing, condition, threshold, currency,
       source, min_confidence, created_at, updated_at)
     VALUES (@id, @account_id, @channel_id, @card_id, @printing, @condition, @threshold, @currency, @source,
       @min_confidence, @created_at, @created_at)`,
  )
  // The catalog stores revisions. A time is always a new revision, also after the ledger was restored from a backup.
  // An equal condition keeps its revision.
  const put = engine.prepare<[Pick<PriceRuleRow, ChangedColumn>]>(
    `UPDATE price_rules SET is_paused = @is_paused, updated_at = @updated_at, min_confidence = @min_confidence,
       revision = CASE WHEN condition = @condition AND threshold = @threshold THEN revision
         WHEN revision < @updated_at THEN @updated_at ELSE revision + 1 END,
       condition = @condition, threshold = @threshold
      WHERE id = @id`,
  )
  const options = (account: number) => ({ account, isDurable: channels !== undefined })

  return {
    count: async () => (await query(count.get()))?.rules ?? 0,
    create: (rule, max, context) =>
      transact(function* () {
        const { id, account_id, card_id, printing, currency = null, source = null } = rule
        const known = yield* countOf.get(account_id)
        if ((known?.rules ?? 0) >= max) return false
        if (channels !== undefined) yield* channels.create(rule, context)
        yield* add.run({
          id,
          account_id,
          channel_id: channels === undefined ? null : id,
          card_id,
          printing,
          condition: rule.condition,
          threshold: rule.threshold,
          currency,
          source,
          min_confidence: rule.min_confidence ?? 'low',
          created_at: context.now.getTime(),
        })
        return true
      }, options(rule.account_id)),
    list: ({ account_id, card_id = 0 }, page) => rows.list({ account_id, card_id }, page),
    get: rows.get,
    update: (key, changes, context) =>
      rows.update(key, function* (before) {
        const { id, condition, threshold, is_paused, min_confidence } = { ...before, ...changes }
        const updated_at = context.now.getTime()
        yield* put.run({
          id,
          condition,
          threshold,
          is_paused: is_paused && channels === undefined ? 1 : 0,
          min_confidence: min_confidence ?? 'low',
          updated_at,
        })
        if (channels !== undefined) yield* channels.update(before, changes, context)
      }),
    // A rule ends with its channel.
    delete: (key, context) => rows.delete(key, channels && (() => channels.delete(key, context))),
  }
}

type ChangedColumn =
  | 'id'
  | 'condition'
  | 'threshold'
  | 'is_paused'
  | 'min_confidence'
  | 'updated_at'

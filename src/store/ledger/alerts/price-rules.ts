import { pick } from '#rules/primitives/pick.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import { insertInto } from '../../table-sql.ts'
import type { AuditContext } from '../audit.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { OwnedRows } from '../engine/owned-rows.ts'
import type { AccountRow } from '../schema/accounts.ts'
import { type AlertChannelRow, type PriceRuleRow, priceRules } from '../schema/alerts.ts'

/** Columns that only webhooks set, with their values in other rules. */
const WEBHOOK_COLUMNS = { min_confidence: 'low' } as const satisfies Partial<PriceRuleRow>

type WebhookColumn = keyof typeof WEBHOOK_COLUMNS

// Object.keys returns strings; these are the keys of the columns above.
export const WEBHOOK_COLUMN_NAMES = Object.keys(WEBHOOK_COLUMNS) as WebhookColumn[]

/**
 * A price alert of a person. Times are epoch milliseconds, money is in hundredths of `currency`, or of US dollars if
 * it is null; `printing` null means the most expensive one.
 */
export type PriceAlert = Omit<
  PriceRuleRow,
  'channel_id' | 'revision' | 'is_paused' | WebhookColumn
> & {
  is_paused: boolean
  /** Time of the newest stored alert; null if none is stored. */
  last_alert_at: number | null
}

/** A webhook: a price alert whose channel posts to a URL. Secrets are encrypted. */
export type WebhookRecord = PriceAlert &
  Pick<PriceRuleRow, WebhookColumn> &
  Pick<AlertChannelRow, 'disabled_for' | 'secret' | 'old_secret' | 'old_secret_until'> &
  Pick<AccountRow, 'tier'> & { url: string }

export type NewPriceAlert = Pick<
  PriceAlert,
  'id' | 'account_id' | 'card_id' | 'printing' | 'condition' | 'threshold'
> &
  Partial<Pick<PriceAlert, 'currency' | 'source'>>

export type NewWebhook = NewPriceAlert &
  Partial<Pick<PriceRuleRow, WebhookColumn>> & {
    url: string
    secret: Uint8Array
  }

/** Changes of a price alert; omitted members stay the same. */
export type PriceAlertChanges = Partial<Pick<PriceAlert, 'condition' | 'threshold' | 'is_paused'>>

/** Changes of a webhook; omitted members stay the same. */
export type WebhookChanges = PriceAlertChanges &
  Partial<Pick<PriceRuleRow, WebhookColumn>> & {
    url?: string
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
  /** Lists an account's rules, or its rules for one card, oldest first: a page or all. */
  list(owner: RuleOwner, page?: RowWindow): Promise<RowPage<Rule>>
  /** Returns an account's rule; undefined if not found. */
  get(key: RuleKey): Promise<Rule | undefined>
  /** Updates a rule. @returns the rule; undefined if not found */
  update(key: RuleKey, changes: Changes, context: AuditContext): Promise<Rule | undefined>
  /**
   * Deletes a rule; for a webhook, also its messages. Notifications stay.
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
  Rule extends PriceAlert & Partial<Pick<PriceRuleRow, WebhookColumn>>,
  New extends NewPriceAlert & Partial<Pick<PriceRuleRow, WebhookColumn>>,
  Changes extends PriceAlertChanges & Partial<Pick<PriceRuleRow, WebhookColumn>>,
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
  const add = engine.prepare<[Pick<PriceRuleRow, (typeof GIVEN)[number]>]>(
    insertInto(
      priceRules,
      GIVEN.map((name) => priceRules[name]),
    ),
  )
  // The catalog stores revisions. A time is always a new revision, even after the ledger was restored from a backup.
  // An equal condition keeps its revision.
  const put = engine.prepare<[Pick<PriceRuleRow, 'id' | 'updated_at' | Changeable>]>(
    `UPDATE price_rules SET updated_at = @updated_at,
       revision = CASE WHEN condition = @condition AND threshold = @threshold THEN revision
         WHEN revision < @updated_at THEN @updated_at ELSE revision + 1 END,
       ${CHANGEABLE.map((name) => `${name} = @${name}`).join(', ')}
      WHERE id = @id`,
  )
  const options = (account: number) => ({ account, isDurable: channels !== undefined })

  return {
    count: async () => (await query(count.get()))?.rules ?? 0,
    create: (rule, max, context) =>
      transact(function* () {
        const known = yield* countOf.get(rule.account_id)
        if ((known?.rules ?? 0) >= max) return false
        if (channels !== undefined) yield* channels.create(rule, context)
        const at = context.now.getTime()
        const row = {
          ...WEBHOOK_COLUMNS,
          currency: null,
          source: null,
          ...rule,
          channel_id: channels === undefined ? null : rule.id,
          created_at: at,
          updated_at: at,
        }
        yield* add.run(pick(row, GIVEN))
        return true
      }, options(rule.account_id)),
    list: ({ account_id, card_id = 0 }, page) => rows.list({ account_id, card_id }, page),
    get: rows.get,
    update: (key, changes, context) =>
      rows.update(key, function* (before) {
        const changed = { ...WEBHOOK_COLUMNS, ...before, ...changes }
        yield* put.run({
          ...pick(changed, CHANGEABLE),
          id: before.id,
          is_paused: changed.is_paused && channels === undefined ? 1 : 0,
          updated_at: context.now.getTime(),
        })
        if (channels !== undefined) yield* channels.update(before, changes, context)
      }),
    // A rule ends with its channel.
    delete: (key, context) => rows.delete(key, channels && (() => channels.delete(key, context))),
  }
}

/** Columns set by a new rule; the others have defaults. */
const GIVEN = [
  'id',
  'account_id',
  'channel_id',
  'card_id',
  'printing',
  'condition',
  'threshold',
  'currency',
  'source',
  ...WEBHOOK_COLUMN_NAMES,
  'created_at',
  'updated_at',
] as const satisfies (keyof PriceRuleRow)[]

/** Columns that can change. */
const CHANGEABLE = ['condition', 'threshold', 'is_paused', ...WEBHOOK_COLUMN_NAMES] as const

type Changeable = (typeof CHANGEABLE)[number]

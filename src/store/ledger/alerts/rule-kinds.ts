import { hostOf } from '#rules/primitives/webhook-url.ts'
import { type AuditContext, openAuditWriter } from '../audit.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import { openOwnedRows } from '../engine/owned-rows.ts'
import { type AlertChannelRow, type PriceRuleRow, priceRules } from '../schema/alerts.ts'
import type { AuditEvent } from '../schema/operations.ts'
import { prepareChannelPause, resumeMessages } from './channels.ts'
import {
  type CardFilter,
  type NewPriceAlert,
  type NewWebhook,
  type OwnChannels,
  openRuleStore,
  type PriceAlert,
  type PriceAlertChanges,
  type PriceAlertStore,
  type RuleKey,
  WEBHOOK_COLUMN_NAMES,
  type WebhookChanges,
  type WebhookRecord,
  type WebhookStore,
} from './price-rules.ts'

/** Opens the price alerts of people. */
export function openPriceAlertStore(engine: LedgerEngine): PriceAlertStore {
  const condition = 'channel_id IS NULL'
  const rows = openOwnedRows<StoredRule<PriceAlert>, typeof priceRules, NoExtra, CardFilter>(
    engine,
    priceRules,
    {
      select: `${COLUMNS}, price_rules.is_paused, price_rules.created_at, price_rules.updated_at,
          (SELECT max(created_at) FROM notifications WHERE source_id = price_rules.id) AS last_alert_at
        FROM price_rules`,
      where: condition,
      ...LISTED,
    },
  )
  return openRuleStore<PriceAlert, NewPriceAlert, PriceAlertChanges>(engine, { rows, condition })
}

/** Opens webhooks, whose changes are durable when they are confirmed and in the audit log. */
export function openWebhookStore(engine: LedgerEngine): WebhookStore {
  const condition = 'channel_id IS NOT NULL'
  const rows = openOwnedRows<StoredRule<WebhookRecord>, typeof priceRules, NoExtra, CardFilter>(
    engine,
    priceRules,
    {
      // A channel of a rule has a URL.
      select: `${COLUMNS}, ${WEBHOOK_COLUMN_NAMES.join(', ')}, url, alert_channels.is_paused, disabled_for,
          secret, old_secret, old_secret_until, tier, price_rules.created_at, alert_channels.updated_at,
          (SELECT created_at FROM alert_messages WHERE channel_id = alert_channels.id AND kind = 'alert'
            ORDER BY created_at DESC LIMIT 1) AS last_alert_at
        FROM price_rules JOIN alert_channels ON alert_channels.id = channel_id AND url IS NOT NULL
          JOIN accounts ON accounts.id = price_rules.account_id`,
      where: condition,
      ...LISTED,
      isDurable: true,
    },
  )
  return openRuleStore<WebhookRecord, NewWebhook, WebhookChanges>(engine, {
    rows,
    condition,
    channels: openWebhookChannels(engine),
  })
}

const COLUMNS = `price_rules.id, price_rules.account_id, card_id, printing, condition, threshold, currency, source`

const LISTED = {
  listed: '(@card_id = 0 OR card_id = @card_id)',
  order: 'price_rules.created_at, price_rules.rowid',
}

type NoExtra = Record<never, never>

type StoredRule<Rule> = Omit<Rule, 'is_paused'> & Pick<PriceRuleRow, 'is_paused'> & { id: string }

function openWebhookChannels(
  engine: LedgerEngine,
): OwnChannels<WebhookRecord, NewWebhook, WebhookChanges> {
  const writeAudit = openAuditWriter(engine)
  const add = engine.prepare<[RuleKey & NewChannel]>(
    `INSERT INTO alert_channels
       (id, account_id, kind, url, secret, host, confirmed_at, created_at, updated_at)
     VALUES (@id, @account_id, 'webhook', @url, @secret, @host, @at, @at, @at)`,
  )
  // Failures of the old URL do not count for the new one.
  const putUrl = engine.prepare<[Pick<AlertChannelRow, 'id' | 'url' | 'host'>]>(
    'UPDATE alert_channels SET url = @url, host = @host, failures = 0, failing_since = NULL WHERE id = @id',
  )
  const movePending = engine.prepare<[string, string]>(
    "UPDATE alert_messages SET host = ? WHERE channel_id = ? AND state = 'pending'",
  )
  const setPaused = prepareChannelPause(engine)
  const resumed = resumeMessages(engine)
  const putSecret = engine.prepare<[number, Uint8Array, string]>(
    'UPDATE alert_channels SET old_secret = secret, old_secret_until = ?, secret = ? WHERE id = ?',
  )
  const mark = engine.prepare<[number, string]>(
    'UPDATE alert_channels SET updated_at = ? WHERE id = ?',
  )
  const remove = engine.prepare<[string]>('DELETE FROM alert_channels WHERE id = ?')

  function log(event: AuditEvent, { id, account_id }: RuleKey, { now, address }: AuditContext) {
    return writeAudit({ at: now, event, account_id, address, detail: id })
  }

  return {
    *create(webhook, context) {
      const { id, account_id, url, secret } = webhook
      yield* add.run({
        id,
        account_id,
        url,
        host: hostOf(url),
        secret,
        at: context.now.getTime(),
      })
      yield* log('webhook_created', webhook, context)
    },
    *update(before, { url, is_paused, secret }, context) {
      const { id } = before
      if (url !== undefined && url !== before.url) {
        const host = hostOf(url)
        yield* putUrl.run({ id, url, host })
        yield* movePending.run(host, id)
      }
      if (is_paused !== undefined) yield* setPaused(id, is_paused, context.now)
      if (is_paused === false) yield* resumed.ofWebhook(id, context.now)
      if (secret !== undefined) {
        yield* putSecret.run(secret.oldUntil.getTime(), secret.sealed, id)
        yield* log('webhook_secret_rotated', before, context)
      }
      yield* mark.run(context.now.getTime(), id)
    },
    *delete(webhook, context) {
      yield* remove.run(webhook.id)
      yield* log('webhook_deleted', webhook, context)
    },
  }
}

/** Columns of a webhook's channel; limits are counted by `host`. */
type NewChannel = { url: string; host: string; secret: Uint8Array; at: number }

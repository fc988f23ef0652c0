import { Type } from '@sinclair/typebox'
import type { DeliveryWithAttempts } from '#actions/alerts/deliveries.ts'
import type { Deps } from '#deps.ts'
import { isTierAtLeast, lowestTier } from '#rules/accounts/tiers.ts'
import { ALERT_CONDITIONS } from '#rules/alerts/alert-condition.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { WebhookRecord } from '#store/ledger/alerts/price-rules.ts'
import { stringEnum } from '../input/fields.ts'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import { DateTime, Described, Integer, nullable, Time, timeText } from './members.ts'
import { LastAlertAt, WATCHED } from './price-alerts.ts'
import { PRICE_ORIGIN } from './prices.ts'

// Schemas of webhooks and deliveries, and the functions that render them.

export const WebhookSchema = namedObject('Webhook', {
  id: Type.String(),
  url: Type.String({ format: 'uri' }),
  ...WATCHED,
  threshold: Type.Number({ description: 'In `currency`; US dollars without it.' }),
  currency: Type.Optional(
    Described('Currency of the threshold. Only if the webhook has chosen one or a source.'),
  ),
  source: Type.Optional(
    nullable(Described('Only set together with `currency`; null: the sources of that currency.')),
  ),
  min_confidence: Described('`low` (any price), `medium` or `high`.'),
  status: Described('`active`, `paused` or `disabled`.'),
  status_reason: nullable(
    Described(
      '`paused`: by its owner. `tier`: the tier is too low. `gone`: the URL answered 410. `failing`: deliveries failed for days.',
    ),
  ),
  created_at: DateTime,
  updated_at: DateTime,
  last_alert_at: LastAlertAt,
  previous_secret_until: Time('Until then, deliveries are also signed with the previous secret.'),
})

const SECRET = Described('Secret that signs deliveries. It is shown only here.')

export const NewWebhookSchema = extendObject('CreatedWebhook', WebhookSchema, {
  secret: SECRET,
})

export const UpdatedWebhookSchema = extendObject('UpdatedWebhook', WebhookSchema, {
  secret: Type.Optional(SECRET),
})

/**
 * Body of a price alert: the seven fields of the specification (Events). The origin of the price is only included for
 * webhooks with a currency or source.
 */
export const PriceAlertSchema = namedObject('PriceAlert', {
  event: Type.Literal('price_alert'),
  card_id: Type.Integer(),
  card_name: Type.String(),
  condition: stringEnum(ALERT_CONDITIONS),
  threshold: Type.Number({ description: 'In `currency`; US dollars without it.' }),
  current_price: Type.Number({ description: 'In `currency`; US dollars without it.' }),
  timestamp: DateTime,
  ...PRICE_ORIGIN,
})

export const DeliverySchema = namedObject('WebhookDelivery', {
  id: Described('Sent as `webhook-id` with every attempt.'),
  webhook_id: Type.String(),
  kind: Described('`alert` or `test`.'),
  state: Described('`pending`, `delivered` or `dead`.'),
  payload: Type.Object({}, { additionalProperties: true, description: 'Body of the delivery.' }),
  created_at: DateTime,
  next_attempt_at: Time('Null also during an attempt.'),
  ended_at: Time('When it was delivered, or failed permanently.'),
  attempts: Type.Array(
    namedObject('DeliveryAttempt', {
      at: DateTime,
      status: nullable(Integer('Status of the response; null if there was none.')),
      error: nullable(Described('Why the attempt failed; null if it succeeded.')),
      latency_ms: Type.Integer(),
      answer: nullable(Described('Beginning of the response body.')),
    }),
    { description: 'The newest 20 attempts, oldest first.' },
  ),
})

/** Renders webhooks for their owner, without secrets. */
export function renderWebhooks(
  { catalog, config, now }: Pick<Deps, 'catalog' | 'config' | 'now'>,
  webhooks: readonly WebhookRecord[],
) {
  const needed = lowestTier('alerts', config.accessPolicy)
  const names = catalog.cards.getNames(webhooks.map(({ card_id }) => card_id))
  const nowMs = now().getTime()
  return webhooks.map((webhook) => ({
    id: webhook.id,
    url: webhook.url,
    card_id: webhook.card_id,
    card_name: names.get(webhook.card_id) ?? null,
    printing: webhook.printing,
    condition: webhook.condition,
    threshold: toDollars(webhook.threshold),
    ...(webhook.currency !== null && { currency: webhook.currency, source: webhook.source }),
    min_confidence: webhook.min_confidence,
    ...webhookStatus(webhook, isTierAtLeast(webhook.tier, needed)),
    created_at: timeText(webhook.created_at),
    updated_at: timeText(webhook.updated_at),
    last_alert_at: timeText(webhook.last_alert_at),
    previous_secret_until: timeText(futureOrNull(webhook.old_secret_until, nowMs)),
  }))
}

export function renderWebhook(
  deps: Pick<Deps, 'catalog' | 'config' | 'now'>,
  webhook: WebhookRecord,
) {
  const [rendered] = renderWebhooks(deps, [webhook])
  if (rendered === undefined) throw new Error('renderWebhooks returned no entry for its input')
  return rendered
}

/** Returns the most severe status: a disabled webhook must be enabled whatever its tier. */
function webhookStatus({ disabled_for, is_paused }: WebhookRecord, hasTier: boolean) {
  if (disabled_for !== null) return { status: 'disabled', status_reason: disabled_for }
  if (is_paused) return { status: 'paused', status_reason: 'paused' }
  if (!hasTier) return { status: 'paused', status_reason: 'tier' }
  return { status: 'active', status_reason: null }
}

/** Renders a delivery with its attempts, for the owner of its webhook. */
export function renderDelivery(delivery: DeliveryWithAttempts) {
  const { id, channel_id: webhook_id, kind, state, body, created_at, ended_at, attempts } = delivery
  const isWaiting = state === 'pending' && delivery.owner === null
  return {
    id,
    webhook_id,
    kind,
    state,
    // The body is always a JSON object.
    payload: JSON.parse(body) as object,
    created_at: timeText(created_at),
    next_attempt_at: isWaiting ? timeText(delivery.next_at) : null,
    ended_at: timeText(ended_at),
    attempts: attempts.map(({ at, status, error, latency_ms, answer }) => {
      return { at: timeText(at), status, error, latency_ms, answer }
    }),
  }
}

function futureOrNull(time: number | null, nowMs: number): number | null {
  return time !== null && time > nowMs ? time : null
}

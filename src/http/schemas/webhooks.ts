import { Type } from '@sinclair/typebox'
import type { DeliveryWithAttempts } from '#actions/alerts/get-deliveries.ts'
import type { Deps } from '#deps.ts'
import { isTierAtLeast, lowestTier } from '#rules/accounts/tiers.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { WebhookRecord } from '#store/ledger/webhooks.ts'
import { DateTime, nullable } from './catalog.ts'

// The shapes of watches and of what they delivered, for the API document, and how they are filled.

export const WebhookSchema = Type.Object({
  id: Type.String(),
  url: Type.String({ format: 'uri' }),
  card_id: Type.Integer(),
  card_name: nullable(Type.String({ description: 'Null: the card is not in the catalog.' })),
  printing: nullable(Type.String({ description: 'Null: the dearest one.' })),
  condition: Type.String({ description: '`above` or `below`; the threshold itself counts.' }),
  threshold: Type.Number({ description: 'US dollars.' }),
  status: Type.String({ description: '`active`, `paused` or `disabled`.' }),
  status_reason: nullable(
    Type.String({
      description:
        '`paused`: by its owner. `tier`: the tier is too low. `gone`: the address answered 410. `failing`: it failed for days.',
    }),
  ),
  created_at: DateTime,
  updated_at: DateTime,
  last_alert_at: nullable(
    Type.String({ format: 'date-time', description: 'The newest alert of the last 30 days.' }),
  ),
  previous_secret_until: nullable(
    Type.String({
      format: 'date-time',
      description: 'Until then messages are signed with the secret before, too.',
    }),
  ),
})

const SECRET = Type.String({
  description: 'What messages are signed with. It is told here and never again.',
})

export const NewWebhookSchema = Type.Object({ ...WebhookSchema.properties, secret: SECRET })

export const UpdatedWebhookSchema = Type.Object({
  ...WebhookSchema.properties,
  secret: Type.Optional(SECRET),
})

export const DeliverySchema = Type.Object({
  id: Type.String({ description: 'The `webhook-id` of every attempt.' }),
  webhook_id: Type.String(),
  kind: Type.String({ description: '`alert` or `test`.' }),
  state: Type.String({ description: '`pending`, `delivered` or `dead`.' }),
  payload: Type.Object({}, { additionalProperties: true, description: 'What is sent.' }),
  created_at: DateTime,
  next_attempt_at: nullable(
    Type.String({ format: 'date-time', description: 'Null also while it is being sent.' }),
  ),
  ended_at: nullable(
    Type.String({ format: 'date-time', description: 'When it was delivered, or given up.' }),
  ),
  attempts: Type.Array(
    Type.Object({
      at: DateTime,
      status: nullable(Type.Integer({ description: 'Of the answer; null: there was none.' })),
      error: nullable(Type.String({ description: 'Why it does not count; null: it does.' })),
      latency_ms: Type.Integer(),
      answer: nullable(Type.String({ description: 'How the answer begins.' })),
    }),
    { description: 'The newest 20, oldest first.' },
  ),
})

/** Watches as their owner sees them: everything but the secrets. */
export function renderWebhooks(
  { catalog, config, now }: Pick<Deps, 'catalog' | 'config' | 'now'>,
  watches: readonly WebhookRecord[],
) {
  const needed = lowestTier('alerts', config.accessPolicy)
  const names = catalog.cards.getNames(watches.map(({ card_id }) => card_id))
  const nowMs = now().getTime()
  return watches.map((watch) => ({
    id: watch.id,
    url: watch.url,
    card_id: watch.card_id,
    card_name: names.get(watch.card_id) ?? null,
    printing: watch.printing,
    condition: watch.condition,
    threshold: toDollars(watch.threshold),
    ...standingOf(watch, isTierAtLeast(watch.tier, needed)),
    created_at: iso(watch.created_at),
    updated_at: iso(watch.updated_at),
    last_alert_at: isoOrNull(watch.last_alert_at),
    previous_secret_until: isoOrNull(futureOf(watch.old_secret_until, nowMs)),
  }))
}

/** One of them. */
export function renderWebhook(
  deps: Pick<Deps, 'catalog' | 'config' | 'now'>,
  watch: WebhookRecord,
) {
  const [told] = renderWebhooks(deps, [watch])
  if (told === undefined) throw new Error('a watch is told of by each watch')
  return told
}

/** What is heaviest comes first: enabling a watch does not raise a tier, but is needed at any rate. */
function standingOf({ disabled_for, is_paused }: WebhookRecord, isPaidFor: boolean) {
  if (disabled_for !== null) return { status: 'disabled', status_reason: disabled_for }
  if (is_paused) return { status: 'paused', status_reason: 'paused' }
  if (!isPaidFor) return { status: 'paused', status_reason: 'tier' }
  return { status: 'active', status_reason: null }
}

/** A message, and what became of it, as the owner of its watch sees them. */
export function renderDelivery(delivery: DeliveryWithAttempts) {
  const { id, webhook_id, kind, state, body, created_at, ended_at, attempts } = delivery
  const isWaiting = state === 'pending' && delivery.owner === null
  return {
    id,
    webhook_id,
    kind,
    state,
    // It was written as an object's JSON.
    payload: JSON.parse(body) as object,
    created_at: iso(created_at),
    next_attempt_at: isWaiting ? iso(delivery.next_at) : null,
    ended_at: isoOrNull(ended_at),
    attempts: attempts.map(({ at, status, error, latency_ms, answer }) => {
      return { at: iso(at), status, error, latency_ms, answer }
    }),
  }
}

function futureOf(time: number | null, nowMs: number): number | null {
  return time !== null && time > nowMs ? time : null
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : iso(time)
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

import type { Stripe } from 'stripe'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type StripeApi, stripeErrorDetails } from './stripe-api.ts'
import { stripeId } from './stripe-mapping.ts'
import type { StripeEvent } from './stripe-objects.ts'

/**
 * Verifies and parses an event of Stripe's webhook.
 *
 * @param body unmodified request body
 * @param secrets one of them must have signed it
 * @throws ServiceError INVALID_SIGNATURE; VALIDATION_ERROR if it is signed but not a readable event
 */
export async function parseStripeEvent(
  api: StripeApi,
  secrets: readonly string[],
  { body, signature, now }: { body: string; signature: string | null; now: Date },
): Promise<StripeEvent> {
  const { webhooks } = await api.sdk()
  const sent = signature ?? ''
  const nowMs = now.getTime()
  if (isFromFuture(sent, nowMs)) throw invalidSignature()
  for (const secret of secrets) {
    try {
      const event = webhooks.constructEventAsync(body, sent, secret, TOLERANCE_S, undefined, nowMs)
      return mapEvent(await event)
    } catch (cause) {
      if (stripeErrorDetails(cause).type !== SIGNATURE_ERROR) throw unreadable(cause)
    }
  }
  throw invalidSignature()
}

/** Lists the events of the last 30 days that Stripe could not deliver, oldest first. */
export function listUndeliveredEvents(api: StripeApi): Promise<StripeEvent[]> {
  return api.call(async (stripe) => {
    const events: StripeEvent[] = []
    const types = Object.keys(KINDS)
    const listed = stripe.events.list({ delivery_success: false, types, limit: 100 })
    for await (const event of listed) events.push(mapEvent(event))
    return events.reverse()
  })
}

/** Maximum difference between the clocks of Stripe and this server, in seconds. */
const TOLERANCE_S = 300

/** Stripe's library rejects only old timestamps; it reads the last `t` of the header. */
function isFromFuture(signature: string, nowMs: number): boolean {
  const times = signature.split(',').filter((item) => item.startsWith('t='))
  return times.some(
    (item) => Number.parseInt(item.slice(2), 10) > Math.floor(nowMs / 1_000) + TOLERANCE_S,
  )
}

function invalidSignature(): ServiceError {
  return new ServiceError(
    'INVALID_SIGNATURE',
    'The signature is invalid, or its time is more than five minutes off. ' +
      'Check STRIPE_WEBHOOK_SECRET and the clock.',
  )
}

type Kind = StripeEvent['about']['kind']

/** Handled event types and their subjects. Stripe lists events of at most 20 types per request. */
const KINDS: Readonly<Partial<Record<Stripe.Event['type'], Kind>>> = {
  'checkout.session.completed': 'session',
  'checkout.session.async_payment_succeeded': 'session',
  'checkout.session.async_payment_failed': 'session',
  'checkout.session.expired': 'session',
  'customer.subscription.created': 'subscription',
  'customer.subscription.updated': 'subscription',
  'customer.subscription.deleted': 'subscription',
  'customer.subscription.paused': 'subscription',
  'customer.subscription.resumed': 'subscription',
  'invoice.paid': 'invoice',
  'invoice.payment_failed': 'invoice',
  'charge.refunded': 'charge',
  'refund.failed': 'charge',
  'charge.dispute.created': 'charge',
  'charge.dispute.updated': 'charge',
  'charge.dispute.closed': 'charge',
  'charge.dispute.funds_withdrawn': 'charge',
  'charge.dispute.funds_reinstated': 'charge',
}

function mapEvent({ id, type, data }: Stripe.Event): StripeEvent {
  return { id, type, about: subject(KINDS[type], data.object) }
}

type EventObject = { object: string; id?: string; payment_intent?: string | { id: string } | null }

function subject(kind: Kind = 'nothing', object: EventObject): StripeEvent['about'] {
  const ref = kind === 'charge' ? stripeId(object.payment_intent) : (object.id ?? null)
  return ref === null ? { kind: 'nothing', ref: '' } : { kind, ref }
}

const SIGNATURE_ERROR = 'StripeSignatureVerificationError'

function unreadable(cause: unknown): ServiceError {
  const message =
    'The event cannot be read. Configure the endpoint at Stripe with snapshot payloads.'
  return new ServiceError('VALIDATION_ERROR', message, { cause })
}

import type { Elysia } from 'elysia'
import { handleStripeEvent } from '#actions/billing/handle-stripe-event.ts'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorResponse, toPublicError } from '../endpoint/envelope.ts'
import type { ResponseHeaders } from '../endpoint/headers.ts'
import { readRequestBody } from '../input/read-body.ts'
import type { MetricsRegistry } from '../metrics/registry.ts'

/** Stripe's own events are a few KiB; what claims to be more is none. */
const EVENT_BYTES_MAX = 512 * 1024

/** Where Stripe tells what happened. Only what it has signed is looked at. */
export function stripeEventRoutes(
  app: Elysia,
  deps: Deps,
  { meter, headers: make, requestId }: Surroundings,
): void {
  const path = '/v1/payments/stripe/webhook'
  const count = meter.endpoint(`POST ${path}`)
  const taken = meter.counter('cardstock_billing_events_total', 'Events of billing.', 'outcome')

  async function take(request: Request): Promise<string> {
    const { stripe } = deps
    if (stripe === undefined) throw new ServiceError('NOT_FOUND', 'Stripe is not set up here.')
    const body = await readRequestBody(request, EVENT_BYTES_MAX, refuse)
    const signature = request.headers.get('stripe-signature')
    const event = await stripe.parseEvent(new TextDecoder().decode(body), signature, deps.now())
    const outcome = await handleStripeEvent(deps, stripe, event)
    taken(outcome)
    return JSON.stringify({ data: { received: true } })
  }

  async function answer(request: Request): Promise<Response> {
    const started = performance.now()
    const headers = make.plain('unkept')
    const id = requestId()
    headers.set('x-request-id', id)
    const response = await take(request).then(
      (body) => new Response(body, { headers }),
      (thrown) => {
        const error = toPublicError(deps.log, id, thrown)
        return errorResponse(error, undefined, headers)
      },
    )
    count(response.status, performance.now() - started)
    return response
  }

  // The signature is of the bytes as they come, so nothing may read the body before.
  app.post(path, ({ request }) => answer(request), { parse: 'none', detail: { hide: true } })
}

type Surroundings = { meter: MetricsRegistry; headers: ResponseHeaders; requestId: () => string }

function refuse(why: 'too large' | 'incomplete'): never {
  throw why === 'too large'
    ? new ServiceError('BODY_TOO_LARGE', `An event has at most ${EVENT_BYTES_MAX} bytes.`)
    : new ServiceError('VALIDATION_ERROR', 'The body ended before it was complete.')
}

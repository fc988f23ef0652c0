import { handleStripeEvent } from '#actions/billing/handle-stripe-event.ts'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { anyone } from '../../endpoint/pipeline.ts'
import { type ReserveBytes, readRequestBody } from '../../input/read-body.ts'
import type { Server } from '../../server.ts'

/** Events of Stripe are a few KiB. */
const EVENT_BYTES_MAX = 512 * 1024

/** Receives events from Stripe. Their signature authenticates them. */
export function stripeEventRoutes(
  { pipeline, metrics, responses, uploads, clientAddress }: Server,
  deps: Deps,
): void {
  const count = metrics.counter(
    'cardstock_billing_events_total',
    'Billing events, by outcome.',
    'outcome',
  )

  async function handle(request: Request, reserve: ReserveBytes): Promise<void> {
    const { stripe } = deps
    if (stripe === undefined) {
      throw new ServiceError('NOT_FOUND', 'Stripe is not configured on this server.')
    }
    // The signature covers the exact bytes that were sent.
    const body = await readRequestBody(request, { bytesMax: EVENT_BYTES_MAX, reserve }, refuse)
    const signature = request.headers.get('stripe-signature')
    const event = await stripe.parseEvent(new TextDecoder().decode(body), signature, deps.now())
    count(await handleStripeEvent(deps, stripe, event))
  }

  pipeline.mount({
    method: 'POST',
    path: '/v1/payments/stripe/webhook',
    authenticate: anyone,
    async respond(context) {
      const { request } = context
      const sender = { address: clientAddress(request), account_id: undefined }
      await uploads.hold(request, { ...sender, bytesMax: EVENT_BYTES_MAX }, (reserve) =>
        handle(request, reserve),
      )
      return responses.noStore(context, { data: { received: true } })
    },
  })
}

function refuse(why: 'too large' | 'incomplete'): never {
  throw why === 'too large'
    ? new ServiceError('BODY_TOO_LARGE', `An event may have at most ${EVENT_BYTES_MAX} bytes.`)
    : new ServiceError('VALIDATION_ERROR', 'The body ended before it was complete.')
}

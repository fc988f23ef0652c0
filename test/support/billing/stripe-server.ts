import { Stripe } from 'stripe'
import type { BillingSettings } from '#config/payments.ts'
import { type PriceTerms, priceObject, productObject } from './stripe-objects.ts'
import { stripePayments } from './stripe-payments.ts'
import { endSession, handleStripeRequest } from './stripe-routes.ts'
import {
  createStripeState,
  type EventObject,
  StripeErrorResponse,
  storeObject,
} from './stripe-state.ts'
import { stripeSubscriptions } from './stripe-subscriptions.ts'

/** Faults of the fake Stripe. */
export type StripeFault = {
  /** Response status instead: 503 as when Stripe is down, 429, 500, … */
  status?: number
  /** Delay before the request is processed. */
  delayMs?: number
  /** Breaks the connection: before the request is processed, or after it. */
  cuts?: 'question' | 'answer'
  /** Number of requests with the fault; all by default. */
  times?: number
}

export type RecordedStripeRequest = {
  method: string
  path: string
  params: URLSearchParams
  idempotencyKey: string | null
  status: number
  /** The response body, as JSON. */
  body: string
}

export type FakeStripe = ReturnType<typeof startFakeStripe>

type Settings = Extract<BillingSettings, { provider: 'stripe' }>

/**
 * A Stripe server on its own port: it stores objects, responds in the format of the API, and simulates customers and
 * banks on demand. Each such action creates the events that Stripe sends; tests deliver them explicitly.
 *
 * @param now its initial clock in epoch milliseconds; only `advance` moves it
 */
export function startFakeStripe({ now = Date.now() }: { now?: number } = {}) {
  let time = now
  let fault: StripeFault | undefined
  const books = createStripeState(() => time)
  const requests: RecordedStripeRequest[] = []
  const answers = new Map<string, { question: string; status: number; body: string }>()

  function advance(ms: number): void {
    time += Math.max(0, ms)
    for (const session of books.sessions.values()) {
      if (session.status === 'open' && session.expires_at <= books.seconds()) {
        endSession(books, session)
      }
    }
  }

  function nextFault(): StripeFault | undefined {
    const met = fault
    if (met?.times === 1) fault = undefined
    else if (met?.times !== undefined) fault = { ...met, times: met.times - 1 }
    return met
  }

  /** Processes a request once for each idempotency key. */
  function answer(request: Request, seen: RecordedStripeRequest): { status: number; body: string } {
    if (request.headers.get('authorization') !== `Bearer ${SECRET_KEY}`) {
      return refusal(new StripeErrorResponse(401, 'Invalid API Key provided'))
    }
    const { method, path, params, idempotencyKey: key } = seen
    const question = `${method} ${path} ${params}`
    const before = key === null ? undefined : answers.get(key)
    if (before !== undefined && before.question !== question) {
      const words = 'Keys for idempotent requests can only be used with the same parameters.'
      return refusal(new StripeErrorResponse(400, words, { type: 'idempotency_error' }))
    }
    const given = before ?? carryOut({ method, path, params })
    if (key !== null) answers.set(key, { ...given, question })
    return given
  }

  function carryOut(question: Parameters<typeof handleStripeRequest>[1]) {
    try {
      return { status: 200, body: JSON.stringify(handleStripeRequest(books, question)) }
    } catch (error) {
      if (error instanceof StripeErrorResponse) return refusal(error)
      throw error
    }
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // Otherwise Bun prints every connection that is closed on purpose.
    development: false,
    error: () => undefined,
    async fetch(request) {
      const url = new URL(request.url)
      const seen = {
        method: request.method,
        path: url.pathname.replace(/^\/v1\//, ''),
        params:
          request.method === 'GET' ? url.searchParams : new URLSearchParams(await request.text()),
        idempotencyKey: request.headers.get('idempotency-key'),
        status: 0,
        body: '',
      }
      requests.push(seen)
      const met = nextFault()
      if (met?.delayMs !== undefined) await Bun.sleep(met.delayMs)
      if (met?.cuts === 'question') return new Response(brokenOff('{'), { headers: JSON_TYPE })
      const given =
        met?.status === undefined
          ? answer(request, seen)
          : refusal(
              new StripeErrorResponse(met.status, 'Stripe is not well', { type: 'api_error' }),
            )
      seen.status = given.status
      seen.body = given.body
      const body = met?.cuts === 'answer' ? brokenOff(given.body.slice(0, 20)) : given.body
      return new Response(body, { status: given.status, headers: JSON_TYPE })
    },
  })

  return {
    ...stripePayments(books),
    ...stripeSubscriptions(books, (seconds) => advance(seconds * 1000 - time)),
    url: `http://127.0.0.1:${server.port}`,
    /** Recorded requests, in order. */
    requests,
    books,
    now: () => time,
    /** Advances the clock; sessions that are unpaid after a day expire. */
    advance,

    /** Settings that connect Cardstock to this server. */
    settings: (prices: Settings['prices'] = {}): Settings => ({
      provider: 'stripe',
      secretKey: SECRET_KEY,
      webhookSecrets: [WEBHOOK_SECRET],
      apiUrl: `http://127.0.0.1:${server.port}`,
      prices,
    }),

    /** Adds prices of the operator, each with a separate product unless one is named. */
    addPrice(terms: Partial<PriceTerms> & { unit_amount: number }): string {
      const product = terms.product ?? books.born('prod').id
      if (!books.products.has(product)) {
        storeObject(
          books.products,
          productObject({ id: product, created: books.seconds() }, product),
        )
      }
      const all = { isMonthly: true, lookup_key: null, ...terms, product }
      return storeObject(books.prices, priceObject(books.born('price'), all)).id
    },

    deleteCustomer(id: string): void {
      books.customers.delete(id)
    },

    /** Sets a fault; works normally without one. */
    misbehave(next?: StripeFault): void {
      fault = next
    },

    /** Returns the events since the last call, oldest first; they count as delivered. */
    takeEvents(): EventObject[] {
      const waiting = books.events.filter(({ isDelivered }) => !isDelivered)
      for (const one of waiting) one.isDelivered = true
      return waiting.map(({ event }) => event)
    },

    /**
     * Returns an event as Stripe sends it: the exact body, and the header `Stripe-Signature`.
     *
     * @param ahead seconds that the signer's clock is ahead
     */
    async signed(event: EventObject, secret = WEBHOOK_SECRET, ahead = 0) {
      const body = JSON.stringify(event)
      const header = await new Stripe(SECRET_KEY).webhooks.generateTestHeaderStringAsync({
        payload: body,
        secret,
        timestamp: books.seconds() + ahead,
      })
      return { body, header }
    },

    close: () => server.stop(true),
  }
}

const SECRET_KEY = 'sk_test_standin'
const WEBHOOK_SECRET = 'whsec_standin'
const JSON_TYPE = { 'Content-Type': 'application/json' }

function refusal({ status, message, facts }: StripeErrorResponse): {
  status: number
  body: string
} {
  const error = { type: 'invalid_request_error', ...facts, message }
  return { status, body: JSON.stringify({ error }) }
}

/** Creates a body whose connection is cut in the middle, before the announced length. */
function brokenOff(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      await Bun.sleep(5)
      controller.error(new Error('cut off'))
    },
  })
}

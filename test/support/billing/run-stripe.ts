/**
 * Runs the Stripe test server, to try billing without a Stripe account and without money:
 *
 *     bun test/support/billing/run-stripe.ts --port 12111 --service http://localhost:3000
 *
 * It prints the settings that connect Cardstock to it. `create-checkout` then returns a URL of this
 * server, where a button pays. Other actions of customers, banks and the operator are POST requests,
 * answered once their events are delivered:
 *
 *     /pay/SESSION  /pay-later/SESSION  /settle/SESSION  /fail/SESSION  /expire/SESSION
 *     /change/SUBSCRIPTION/PLAN  /cancel/SUBSCRIPTION  /keep/SUBSCRIPTION  /end/SUBSCRIPTION
 *     /renew/SUBSCRIPTION  /renew-unpaid/SUBSCRIPTION  /collect/SUBSCRIPTION
 *     /refund/PAYMENT/CENTS  /dispute/PAYMENT  /won/DISPUTE  /lost/DISPUTE
 *     /down  /up  (an outage of Stripe, and its end)
 *
 * GET / lists sessions, subscriptions, payments and disputes by their ids. `/renew` advances Stripe's
 * clock to the end of the period, but not Cardstock's. No state is kept when it ends.
 */
import { parseArgs } from 'node:util'
import { PLANS } from '#rules/billing/plans.ts'
import { startFakeStripe } from './stripe-server.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '12111' },
    service: { type: 'string', default: 'http://localhost:3000' },
  },
})
const OWN_URL = `http://localhost:${values.port}`
const WEBHOOK = `${values.service}/v1/payments/stripe/webhook`

const stripe = startFakeStripe()

type StripeAction = (id: string, more: string) => unknown

const STRIPE_ACTIONS: Record<string, StripeAction> = {
  pay: (id) => stripe.pay(id),
  'pay-later': (id) => stripe.payLater(id),
  settle: (id) => stripe.settle(id),
  fail: (id) => stripe.failPayment(id),
  expire: (id) => stripe.expire(id),
  change: (id, plan) => stripe.changePlan(id, planNamed(plan)),
  cancel: (id) => stripe.cancelAtPeriodEnd(id),
  keep: (id) => stripe.cancelAtPeriodEnd(id, false),
  end: (id) => stripe.cancelNow(id),
  renew: (id) => stripe.renew(id),
  'renew-unpaid': (id) => stripe.renew(id, 'failed'),
  collect: (id) => stripe.payOpenInvoices(id),
  refund: (id, cents) => stripe.refund(id, Number(cents)),
  dispute: (id) => stripe.dispute(id),
  won: (id) => stripe.closeDispute(id, 'won'),
  lost: (id) => stripe.closeDispute(id, 'lost'),
  down: () => stripe.misbehave({ status: 503 }),
  up: () => stripe.misbehave(),
}

Bun.serve({ hostname: '127.0.0.1', port: Number(values.port), fetch: handleRequest })
const { secretKey, webhookSecrets } = stripe.settings()
console.info(`Stripe is played at ${OWN_URL}. Start Cardstock with:

STRIPE_SECRET_KEY=${secretKey}
STRIPE_WEBHOOK_SECRET=${webhookSecrets.join(',')}
STRIPE_API_URL=${OWN_URL}
`)

async function handleRequest(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  stripe.advance(Date.now() - stripe.now())
  if (pathname.startsWith('/v1/')) return proxyToStripe(request, `${pathname}${search}`)
  const [, name = '', id = '', more = ''] = pathname.split('/')
  if (request.method === 'GET') return name === '' ? text(listObjects()) : page(name, id)
  const stripeAction = STRIPE_ACTIONS[name]
  if (stripeAction === undefined)
    return text(`There is no ${name}: ${Object.keys(STRIPE_ACTIONS)}\n`, 404)
  try {
    await stripeAction(id, more)
  } catch (error) {
    return text(`${error instanceof Error ? error.message : error}\n`, 400)
  }
  return text(await deliver())
}

/** Forwards a request of the service; checkout pages are served here. */
async function proxyToStripe(request: Request, path: string): Promise<Response> {
  const { method, headers } = request
  const body = method === 'GET' ? null : await request.text()
  const response = await fetch(`${stripe.url}${path}`, { method, headers, body })
  const answerText = await response.text()
  return new Response(
    answerText
      .replaceAll('https://checkout.example/pay/', `${OWN_URL}/pay/`)
      .replaceAll('https://portal.example/session/', `${OWN_URL}/portal/`),
    { status: response.status, headers: { 'content-type': 'application/json' } },
  )
}

function page(name: string, id: string): Response {
  const session = stripe.books.sessions.get(id)
  const body =
    session === undefined
      ? `<pre>${name} ${id}\n\n${listObjects()}</pre>`
      : `<p>${session.amount_total} cents: ${session.status}</p><form method="post"><button>Pay</button></form>`
  return new Response(`<!doctype html>${body}\n`, { headers: { 'content-type': 'text/html' } })
}

/** Sends the pending events; events that are not accepted stay, and are sent again after the next action. */
async function deliver(): Promise<string> {
  const lines: string[] = []
  for (const one of stripe.books.events) {
    if (one.isDelivered) continue
    const { body, header } = await stripe.signed(one.event)
    const headers = { 'stripe-signature': header }
    const answered = await fetch(WEBHOOK, { method: 'POST', headers, body }).catch(() => undefined)
    one.isDelivered = answered?.ok === true
    lines.push(`${one.event.type}: ${answered?.status ?? 'no answer'}`)
  }
  return lines.map((line) => `${line}\n`).join('')
}

function listObjects(): string {
  const { sessions, subscriptions, charges, disputes } = stripe.books
  return [
    ...[...sessions.values()].map(
      (one) => `session ${one.id} ${one.metadata?.item} ${one.status} ${one.payment_status}`,
    ),
    ...[...subscriptions.values()].map((one) => `subscription ${one.id} ${one.status}`),
    ...[...charges.values()].map(
      (one) => `payment ${one.payment_intent} ${one.amount} refunded ${one.amount_refunded}`,
    ),
    ...[...disputes.values()].map((one) => `dispute ${one.id} ${one.status}`),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

function planNamed(name: string) {
  const plan = PLANS.find((one) => one === name)
  if (plan === undefined) throw new Error(`give one of ${PLANS.join(', ')}`)
  return plan
}

function text(words: string, status = 200): Response {
  return new Response(words, { status, headers: { 'content-type': 'text/plain' } })
}

/** The Stripe client against a stateful fake server (test/support/billing/stripe-server.ts). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openStripeClient, type StripeClient } from '#outbound/stripe/stripe-client.ts'
import { CustomerNotFoundError } from '#outbound/stripe/stripe-objects.ts'
import {
  BILLABLE_ITEMS,
  type BillableItem,
  PLANS,
  type Plan,
  PRICE_CENTS,
} from '#rules/billing/plans.ts'
import { monthAfter } from '#rules/billing/subscriptions.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type FakeStripe, startFakeStripe } from '../../support/billing/stripe-server.ts'

const NOW = Date.UTC(2026, 9, 31, 12)
const DAY = 86_400_000

let stripe: FakeStripe
let client: StripeClient

beforeEach(() => {
  stripe = startFakeStripe({ now: NOW })
  client = openStripeClient(stripe.settings())
})

afterEach(() => stripe.close())

let customers = 0

function newCustomer(): Promise<string> {
  return client.createCustomer({ account_id: 7, email: 'ann@shop.example', before: customers++ })
}

function checkout(customer: string, billableItem: BillableItem, checkout_id = 'co_1') {
  const return_url = 'https://cards.example/billing?tab=2'
  return client.createCheckout({
    checkout_id,
    account_id: 7,
    item: billableItem,
    customer,
    return_url,
  })
}

/** Creates a paid subscription. */
async function subscribed(plan: Plan) {
  const customer = await newCustomer()
  const { session } = await checkout(customer, plan)
  stripe.pay(session)
  const subscription = (await client.getSession(session))?.subscription ?? ''
  return { customer, session, subscription }
}

/** Buys a pack. */
async function boughtPack() {
  const customer = await newCustomer()
  const { session } = await checkout(customer, 'scans_1000')
  stripe.pay(session)
  return { customer, session, payment: String(stripe.books.sessions.get(session)?.payment_intent) }
}

/** Returns the error of each request. */
function openPortal(customer: string) {
  return client.createPortalSession({ customer, return_url: 'https://cards.example/billing' })
}

describe('a checkout', () => {
  test.each(BILLABLE_ITEMS)('of %s costs what is listed, without any set-up', async (item) => {
    const customer = await newCustomer()
    const seen = await checkout(customer, item)
    expect(seen).toEqual({
      session: expect.stringMatching(/^cs_/),
      checkout_id: 'co_1',
      customer,
      item,
      status: 'open',
      is_paid: false,
      amount_cents: PRICE_CENTS[item],
      subscription: null,
      url: expect.stringMatching(/^https:/),
      expires_at: NOW + DAY,
    })
    expect(await client.getSession(seen.session)).toEqual(seen)
  })

  test('sends the account and the return URLs', async () => {
    await checkout(await newCustomer(), 'pro')
    const sent = Object.fromEntries(stripe.requests.at(-1)?.params ?? [])
    expect(sent).toMatchObject({
      client_reference_id: '7',
      'metadata[account_id]': '7',
      'metadata[checkout_id]': 'co_1',
      'metadata[item]': 'pro',
      'subscription_data[metadata][account_id]': '7',
      'line_items[0][price_data][product]': 'cardstock_pro',
      success_url: 'https://cards.example/billing?tab=2&checkout=done',
      cancel_url: 'https://cards.example/billing?tab=2&checkout=cancelled',
    })
  })

  test('returns the same session when repeated', async () => {
    const customer = await newCustomer()
    const both = await Promise.all([checkout(customer, 'pro'), checkout(customer, 'pro')])
    expect(both[1]).toEqual(both[0])
    expect(await checkout(customer, 'pro')).toEqual(both[0])
    expect((await checkout(customer, 'pro', 'co_2')).session).not.toBe(both[0].session)
    expect(stripe.books.sessions.size).toBe(2)
  })

  test('returns the same session after a lost response', async () => {
    const customer = await newCustomer()
    await checkout(customer, 'pro', 'co_0')
    stripe.misbehave({ cuts: 'answer', times: 1 })
    await expect(checkout(customer, 'pro')).rejects.toThrow(ServiceError)
    await checkout(customer, 'pro')
    expect(stripe.books.sessions.size).toBe(2)
  })

  test('uses the configured price', async () => {
    const price = stripe.addPrice({ unit_amount: 4_500 })
    client = openStripeClient(stripe.settings({ pro: price }))
    expect((await checkout(await newCustomer(), 'pro')).amount_cents).toBe(4_500)
    expect(stripe.books.products.has('cardstock_pro')).toBe(false)
  })

  test('creates each product once, and uses an existing one', async () => {
    const customer = await newCustomer()
    await checkout(customer, 'pro', 'co_1')
    await checkout(customer, 'pro', 'co_2')
    expect(stripe.requests.filter(({ path }) => path === 'products')).toHaveLength(1)
    client = openStripeClient(stripe.settings())
    expect((await checkout(customer, 'pro', 'co_3')).status).toBe('open')
  })

  test('of a missing customer throws, and works with a new one', async () => {
    const gone = await newCustomer()
    stripe.deleteCustomer(gone)
    await expect(checkout(gone, 'pro')).rejects.toBeInstanceOf(CustomerNotFoundError)
    expect((await checkout(await newCustomer(), 'pro')).status).toBe('open')
  })

  test('that is paid returns its subscription', async () => {
    const { session } = await boughtPack()
    expect(await client.getSession(session)).toMatchObject({
      status: 'complete',
      is_paid: true,
      subscription: null,
      url: null,
    })
    const plan = await subscribed('hobby')
    expect(await client.getSession(plan.session)).toMatchObject({
      is_paid: true,
      subscription: expect.stringMatching(/^sub_/),
    })
  })

  test('with a pending bank transfer is complete but unpaid', async () => {
    const { session } = await checkout(await newCustomer(), 'scans_5000')
    stripe.payLater(session)
    expect(await client.getSession(session)).toMatchObject({ status: 'complete', is_paid: false })
    stripe.settle(session)
    expect(await client.getSession(session)).toMatchObject({ status: 'complete', is_paid: true })
  })

  test('that expired cannot be paid', async () => {
    const { session } = await checkout(await newCustomer(), 'pro')
    expect(await client.expireCheckout(session)).toMatchObject({ status: 'expired', url: null })
    expect(await client.expireCheckout(session)).toMatchObject({ status: 'expired' })
    expect(() => stripe.pay(session)).toThrow('expired')
  })

  test('that was paid before it expired stays paid', async () => {
    const { session } = await boughtPack()
    expect(await client.expireCheckout(session)).toMatchObject({
      status: 'complete',
      is_paid: true,
    })
  })
})

describe('a subscription', () => {
  test('is returned with its current state', async () => {
    const { customer, subscription } = await subscribed('pro')
    const seen = await client.getSubscription(subscription)
    expect(seen).toEqual({
      ref: subscription,
      customer,
      item_id: expect.stringMatching(/^si_/),
      plan: 'pro',
      status: 'active',
      period_end: monthAfter(NOW),
      cancels: false,
      next_plan: null,
      past_due_at: null,
      anchor_day: null,
    })
    expect(await client.listSubscriptions(customer)).toEqual(seen === undefined ? [] : [seen])
  })

  test('has the right plan despite stale metadata', async () => {
    const { customer, subscription } = await subscribed('hobby')
    await openPortal(customer)
    stripe.changePlan(subscription, 'pro')
    expect(stripe.books.subscriptions.get(subscription)?.metadata.item).toBe('hobby')
    expect((await client.getSubscription(subscription))?.plan).toBe('pro')
  })

  test('keeps its plan if the operator replaces the price within its product', async () => {
    const old = stripe.addPrice({ unit_amount: 4_500, product: 'prod_pro' })
    client = openStripeClient(stripe.settings({ pro: old }))
    const { subscription } = await subscribed('pro')
    const dearer = stripe.addPrice({ unit_amount: 5_500, product: 'prod_pro' })
    client = openStripeClient(stripe.settings({ pro: dearer }))
    expect((await client.getSubscription(subscription))?.plan).toBe('pro')
  })

  test('to another product of the operator has no plan', async () => {
    client = openStripeClient(stripe.settings({ pro: stripe.addPrice({ unit_amount: 100 }) }))
    const { subscription } = await subscribed('pro')
    client = openStripeClient(stripe.settings())
    expect((await client.getSubscription(subscription))?.plan).toBeNull()
  })

  test('to an old price of a product shared by two plans has no plan', async () => {
    const add = (unit_amount: number) => stripe.addPrice({ unit_amount, product: 'prod_all' })
    const [old, hobby, starter] = [add(900), add(999), add(1_999)]
    client = openStripeClient(stripe.settings({ hobby: old }))
    const { subscription } = await subscribed('hobby')
    client = openStripeClient(stripe.settings({ hobby, starter }))
    expect((await client.getSubscription(subscription))?.plan).toBeNull()
  })
})

describe('an invoice', () => {
  test('returns amount and plan', async () => {
    const { customer, subscription } = await subscribed('starter')
    const [invoice] = stripe.books.invoices.keys()
    expect(await client.getInvoice(invoice ?? '')).toEqual({
      invoice: invoice ?? '',
      customer,
      subscription,
      is_paid: true,
      amount_cents: 1_999,
      plan: 'starter',
    })
  })

  test('of an upgrade has the new plan and the difference', async () => {
    const { customer, subscription } = await subscribed('hobby')
    await openPortal(customer)
    stripe.changePlan(subscription, 'pro')
    const last = [...stripe.books.invoices.keys()].at(-1) ?? ''
    expect(await client.getInvoice(last)).toMatchObject({ plan: 'pro', amount_cents: 4_999 - 999 })
  })

  test('that is unpaid is marked as such', async () => {
    const { subscription } = await subscribed('hobby')
    stripe.renew(subscription, 'failed')
    const last = [...stripe.books.invoices.keys()].at(-1) ?? ''
    expect(await client.getInvoice(last)).toMatchObject({
      is_paid: false,
      amount_cents: 0,
      plan: 'hobby',
    })
  })
})

describe('a charge', () => {
  test('of a pack returns refunds and session', async () => {
    const { customer, session, payment } = await boughtPack()
    stripe.refund(payment, 500)
    stripe.refund(payment, 100)
    expect(await client.getCharge(payment)).toEqual({
      payment,
      customer,
      amount_cents: 1_500,
      refunded_cents: 600,
      disputed_cents: 0,
      paid_at: NOW,
      session: await client.getSession(session),
      invoice: undefined,
    })
  })

  test.each([
    ['open', undefined, 1_500],
    ['lost', 'lost', 1_500],
    ['won', 'won', 0],
  ] as const)('whose dispute is %s', async (_, outcome, cents) => {
    const { payment } = await boughtPack()
    const dispute = stripe.dispute(payment)
    if (outcome !== undefined) stripe.closeDispute(dispute, outcome)
    expect((await client.getCharge(payment))?.disputed_cents).toBe(cents)
  })

  test('of a subscription returns its invoice', async () => {
    const { subscription } = await subscribed('pro')
    const [charge] = stripe.books.charges.values()
    const payment = String(charge?.payment_intent)
    expect(await client.getCharge(payment)).toMatchObject({
      amount_cents: 4_999,
      session: undefined,
      invoice: { subscription, plan: 'pro' },
    })
  })
})

describe('the portal', () => {
  test('offers all plans, and is configured once', async () => {
    const customer = await newCustomer()
    expect(await openPortal(customer)).toMatch(/^https:/)
    await openPortal(customer)
    client = openStripeClient(stripe.settings())
    await openPortal(customer)
    expect(stripe.books.configurations.size).toBe(1)
    const [configuration] = stripe.books.configurations.values()
    const products = configuration?.features.subscription_update.products ?? []
    expect(products.map(({ product }) => product)).toEqual(PLANS.map((plan) => `cardstock_${plan}`))
    expect(stripe.books.prices.size).toBe(PLANS.length)
  })

  test('is configured again for other prices', async () => {
    const customer = await newCustomer()
    await openPortal(customer)
    const price = stripe.addPrice({ unit_amount: 4_500, product: 'prod_pro' })
    client = openStripeClient(stripe.settings({ pro: price }))
    await openPortal(customer)
    const [, second] = stripe.books.configurations.values()
    const products = second?.features.subscription_update.products ?? []
    expect(products).toContainEqual(
      expect.objectContaining({ product: 'prod_pro', prices: [price] }),
    )
  })

  test('opens the requested plan change', async () => {
    const { customer, subscription } = await subscribed('hobby')
    const { item_id = '' } = (await client.getSubscription(subscription)) ?? {}
    const return_url = 'https://cards.example/billing'
    const change = { subscription, item_id, plan: 'pro' as const }
    expect(await client.createPortalSession({ customer, return_url, change })).toMatch(/^https:/)
    const [portal] = stripe.books.portals.values()
    const confirm = portal?.flow?.subscription_update_confirm
    expect(confirm?.subscription).toBe(subscription)
    const price = stripe.books.prices.get(confirm?.items[0]?.price ?? '')
    expect(price?.unit_amount).toBe(PRICE_CENTS.pro)
  })

  test('of a missing customer throws', async () => {
    const gone = await newCustomer()
    stripe.deleteCustomer(gone)
    await expect(openPortal(gone)).rejects.toBeInstanceOf(CustomerNotFoundError)
  })

  test('is created again after it was deactivated', async () => {
    const customer = await newCustomer()
    await openPortal(customer)
    stripe.books.configurations.clear()
    await expect(openPortal(customer)).rejects.toMatchObject({ code: 'BILLING_UNAVAILABLE' })
    expect(await openPortal(customer)).toMatch(/^https:/)
  })
})

describe('an event', () => {
  test('is parsed with its subject', async () => {
    const { session, payment } = await boughtPack()
    stripe.refund(payment, 500)
    stripe.dispute(payment)
    const plan = await subscribed('pro')
    const seen = await Promise.all(
      stripe.takeEvents().map(async (event) => {
        const { body, header } = await stripe.signed(event)
        return client.parseEvent(body, header, new Date(stripe.now()))
      }),
    )
    const [invoice] = stripe.books.invoices.keys()
    expect(seen.map(({ type, about }) => [type, about])).toEqual([
      ['charge.succeeded', { kind: 'nothing', ref: expect.stringMatching(/^ch_/) }],
      ['checkout.session.completed', { kind: 'session', ref: session }],
      ['charge.refunded', { kind: 'charge', ref: payment }],
      ['charge.dispute.created', { kind: 'charge', ref: payment }],
      ['charge.dispute.funds_withdrawn', { kind: 'charge', ref: payment }],
      ['customer.subscription.created', { kind: 'subscription', ref: plan.subscription }],
      ['charge.succeeded', { kind: 'nothing', ref: expect.stringMatching(/^ch_/) }],
      ['invoice.paid', { kind: 'invoice', ref: invoice ?? '' }],
      ['checkout.session.completed', { kind: 'session', ref: plan.session }],
    ])
    expect(seen[0]).toMatchObject({ id: expect.stringMatching(/^evt_/) })
  })

  test('of a charge without a payment intent has no subject', async () => {
    const { payment } = await boughtPack()
    stripe.refund(payment, 500)
    const event = stripe.takeEvents().at(-1)
    if (event === undefined) throw new Error('no event')
    event.data.object.payment_intent = null
    const { body, header } = await stripe.signed(event)
    const seen = await client.parseEvent(body, header, new Date(NOW))
    expect(seen.about).toEqual({ kind: 'nothing', ref: '' })
  })

  test('that is signed but has no object is a VALIDATION_ERROR', async () => {
    const thin = { object: 'v2.core.event', id: 'evt_1', type: 'v1.invoice.paid' }
    const { Stripe } = await import('stripe')
    const body = JSON.stringify(thin)
    const header = await new Stripe('sk_test').webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret: stripe.settings().webhookSecrets[0] ?? '',
      timestamp: NOW / 1000,
    })
    const reading = client.parseEvent(body, header, new Date(NOW))
    await expect(reading).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('that could not be delivered is listed, oldest first, across pages', async () => {
    const { subscription } = await subscribed('hobby')
    stripe.takeEvents()
    for (let times = 0; times < 120; times++)
      stripe.cancelAtPeriodEnd(subscription, times % 2 === 0)
    const { payment } = await boughtPack()
    stripe.refund(payment, 1)
    const listed = await client.listUndeliveredEvents()
    const waiting = stripe.books.events
      .filter(({ event, isDelivered }) => !isDelivered && event.type !== 'charge.succeeded')
      .map(({ event }) => event.id)
    expect(waiting).toHaveLength(122)
    expect(listed.map(({ id }) => id)).toEqual(waiting)
    expect(listed.at(-1)?.about).toEqual({ kind: 'charge', ref: payment })
  })
})

test('a missing object is undefined', async () => {
  const nothing = await Promise.all([
    client.getSession('cs_none'),
    client.expireCheckout('cs_none'),
    client.getSubscription('sub_none'),
    client.getInvoice('in_none'),
    client.getCharge('pi_none'),
  ])
  expect(nothing).toEqual([undefined, undefined, undefined, undefined, undefined])
  expect(await client.listSubscriptions('cus_none')).toEqual([])
})

describe('when Stripe fails', () => {
  const questions: [string, (client: StripeClient) => Promise<unknown>][] = [
    [
      'createCustomer',
      (client) => client.createCustomer({ account_id: 1, email: 'a@b.example', before: 0 }),
    ],
    [
      'createCheckout',
      (client) =>
        client.createCheckout({
          checkout_id: 'co_1',
          account_id: 1,
          item: 'pro',
          customer: 'cus_1',
          return_url: 'https://cards.example/',
        }),
    ],
    ['expireCheckout', (client) => client.expireCheckout('cs_1')],
    ['session', (client) => client.getSession('cs_1')],
    ['subscription', (client) => client.getSubscription('sub_1')],
    ['subscriptionsOf', (client) => client.listSubscriptions('cus_1')],
    ['invoice', (client) => client.getInvoice('in_1')],
    ['charge', (client) => client.getCharge('pi_1')],
    [
      'portal',
      (client) =>
        client.createPortalSession({ customer: 'cus_1', return_url: 'https://a.example/' }),
    ],
    ['undelivered', (client) => client.listUndeliveredEvents()],
  ]

  /** Returns the error of each request. */
  function refusals(of = client) {
    return Promise.all(questions.map(([, request]) => request(of).catch((error: unknown) => error)))
  }

  function expectUnavailable(given: unknown[]) {
    for (const [at, error] of given.entries()) {
      expect([questions[at]?.[0], error]).toEqual([questions[at]?.[0], expect.any(ServiceError)])
      expect(error).toMatchObject({ code: 'BILLING_UNAVAILABLE', retryAfter: 30 })
      expect(error).toHaveProperty('cause')
      expect(String(error)).not.toMatch(/sk_test|127\.0\.0\.1|Stripe is not well|API Key/)
    }
  }

  test('(outage) every call throws after three attempts', async () => {
    stripe.misbehave({ status: 503 })
    expectUnavailable(await refusals())
    const requests = stripe.requests.filter(({ path }) => path === 'customers')
    expect(requests).toHaveLength(3)
    expect(new Set(requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  })

  test.each([[429], [500], [402], [403]])(
    'status %i',
    async (status) => {
      stripe.misbehave({ status })
      expectUnavailable(await refusals())
    },
    15_000,
  )

  test('(invalid key) every call throws', async () => {
    expectUnavailable(
      await refusals(openStripeClient({ ...stripe.settings(), secretKey: 'sk_test_old' })),
    )
  })

  test('(broken connection) every call throws', async () => {
    stripe.misbehave({ cuts: 'question' })
    expectUnavailable(await refusals())
  })

  test('(unreachable) every call throws', async () => {
    stripe.close()
    expectUnavailable(await refusals())
  })

  test('(timeout) every call throws', async () => {
    stripe.misbehave({ delayMs: 1_000 })
    expectUnavailable(await refusals(openStripeClient(stripe.settings(), { timeoutMs: 50 })))
  })

  test('(recovery) failed calls are repeated', async () => {
    const customer = await newCustomer()
    stripe.misbehave({ status: 503, times: 3 })
    await expect(checkout(customer, 'pro')).rejects.toMatchObject({ code: 'BILLING_UNAVAILABLE' })
    expect((await checkout(customer, 'pro')).status).toBe('open')
    stripe.misbehave({ status: 503, times: 2 })
    expect((await checkout(customer, 'scans_1000', 'co_2')).status).toBe('open')
  })

  test('a missing price is not reported as a missing customer', async () => {
    client = openStripeClient(stripe.settings({ pro: 'price_none' }))
    const customer = await newCustomer()
    await expect(checkout(customer, 'pro')).rejects.toMatchObject({ code: 'BILLING_UNAVAILABLE' })
    expect(await openPortal(customer)).toMatch(/^https:/)
  })
})

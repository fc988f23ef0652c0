/** The door to Stripe, against a stand-in that keeps state (test/support/billing/stripe-server.ts). */
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
let door: StripeClient

beforeEach(() => {
  stripe = startFakeStripe({ now: NOW })
  door = openStripeClient(stripe.settings())
})

afterEach(() => stripe.close())

let customers = 0

function newCustomer(): Promise<string> {
  return door.createCustomer({ account_id: 7, email: 'ann@shop.example', before: customers++ })
}

function checkout(customer: string, billableItem: BillableItem, checkout_id = 'co_1') {
  const return_url = 'https://cards.example/billing?tab=2'
  return door.createCheckout({
    checkout_id,
    account_id: 7,
    item: billableItem,
    customer,
    return_url,
  })
}

/** A subscription that is paid. */
async function subscribed(plan: Plan) {
  const customer = await newCustomer()
  const { session } = await checkout(customer, plan)
  stripe.pay(session)
  const subscription = (await door.getSession(session))?.subscription ?? ''
  return { customer, session, subscription }
}

/** A pack that is paid. */
async function boughtPack() {
  const customer = await newCustomer()
  const { session } = await checkout(customer, 'scans_1000')
  stripe.pay(session)
  return { customer, session, payment: String(stripe.books.sessions.get(session)?.payment_intent) }
}

/** The portal as a customer finds it, so that plans can be changed there. */
function openPortal(customer: string) {
  return door.createPortalSession({ customer, return_url: 'https://cards.example/billing' })
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
    expect(await door.getSession(seen.session)).toEqual(seen)
  })

  test('tells Stripe whose it is, and where to come back to', async () => {
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

  test('asked again answers the same session', async () => {
    const customer = await newCustomer()
    const both = await Promise.all([checkout(customer, 'pro'), checkout(customer, 'pro')])
    expect(both[1]).toEqual(both[0])
    expect(await checkout(customer, 'pro')).toEqual(both[0])
    expect((await checkout(customer, 'pro', 'co_2')).session).not.toBe(both[0].session)
    expect(stripe.books.sessions.size).toBe(2)
  })

  test('whose answer was lost is the same one when asked again', async () => {
    const customer = await newCustomer()
    await checkout(customer, 'pro', 'co_0')
    stripe.misbehave({ cuts: 'answer', times: 1 })
    await expect(checkout(customer, 'pro')).rejects.toThrow(ServiceError)
    await checkout(customer, 'pro')
    expect(stripe.books.sessions.size).toBe(2)
  })

  test('uses the price that the operator configured', async () => {
    const price = stripe.addPrice({ unit_amount: 4_500 })
    door = openStripeClient(stripe.settings({ pro: price }))
    expect((await checkout(await newCustomer(), 'pro')).amount_cents).toBe(4_500)
    expect(stripe.books.products.has('cardstock_pro')).toBe(false)
  })

  test('makes each product once, and takes the one that is there', async () => {
    const customer = await newCustomer()
    await checkout(customer, 'pro', 'co_1')
    await checkout(customer, 'pro', 'co_2')
    expect(stripe.requests.filter(({ path }) => path === 'products')).toHaveLength(1)
    door = openStripeClient(stripe.settings())
    expect((await checkout(customer, 'pro', 'co_3')).status).toBe('open')
  })

  test('for a customer who is gone says so, and goes on with a new one', async () => {
    const gone = await newCustomer()
    stripe.deleteCustomer(gone)
    await expect(checkout(gone, 'pro')).rejects.toBeInstanceOf(CustomerNotFoundError)
    expect((await checkout(await newCustomer(), 'pro')).status).toBe('open')
  })

  test('that is paid says so, and which subscription it began', async () => {
    const { session } = await boughtPack()
    expect(await door.getSession(session)).toMatchObject({
      status: 'complete',
      is_paid: true,
      subscription: null,
      url: null,
    })
    const plan = await subscribed('hobby')
    expect(await door.getSession(plan.session)).toMatchObject({
      is_paid: true,
      subscription: expect.stringMatching(/^sub_/),
    })
  })

  test('with a transfer under way is complete and not paid until it comes', async () => {
    const { session } = await checkout(await newCustomer(), 'scans_5000')
    stripe.payLater(session)
    expect(await door.getSession(session)).toMatchObject({ status: 'complete', is_paid: false })
    stripe.settle(session)
    expect(await door.getSession(session)).toMatchObject({ status: 'complete', is_paid: true })
  })

  test('is ended, and then cannot be paid', async () => {
    const { session } = await checkout(await newCustomer(), 'pro')
    expect(await door.expireCheckout(session)).toMatchObject({ status: 'expired', url: null })
    expect(await door.expireCheckout(session)).toMatchObject({ status: 'expired' })
    expect(() => stripe.pay(session)).toThrow('expired')
  })

  test('that was paid before it was ended stays paid', async () => {
    const { session } = await boughtPack()
    expect(await door.expireCheckout(session)).toMatchObject({ status: 'complete', is_paid: true })
  })
})

describe('a subscription', () => {
  test('is told as it stands', async () => {
    const { customer, subscription } = await subscribed('pro')
    const seen = await door.getSubscription(subscription)
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
    })
    expect(await door.listSubscriptions(customer)).toEqual(seen === undefined ? [] : [seen])
  })

  test('that is cancelled lasts until its period ends, and then is none of the live ones', async () => {
    const { customer, subscription } = await subscribed('pro')
    stripe.cancelAtPeriodEnd(subscription)
    expect(await door.getSubscription(subscription)).toMatchObject({
      status: 'active',
      cancels: true,
    })
    stripe.renew(subscription)
    expect(await door.getSubscription(subscription)).toMatchObject({ status: 'canceled' })
    expect(await door.listSubscriptions(customer)).toEqual([])
  })

  test('is past due since its oldest unpaid invoice, however many follow', async () => {
    const { subscription } = await subscribed('pro')
    const first = monthAfter(NOW) + 2 * 3_600_000
    stripe.advance(first - NOW)
    stripe.renew(subscription, 'failed')
    expect(await door.getSubscription(subscription)).toMatchObject({
      status: 'past_due',
      past_due_at: first,
    })
    stripe.renew(subscription, 'failed')
    expect(stripe.now()).toBeGreaterThan(first)
    expect(await door.getSubscription(subscription)).toMatchObject({ past_due_at: first })
    stripe.payOpenInvoices(subscription)
    expect(await door.getSubscription(subscription)).toMatchObject({
      status: 'active',
      past_due_at: null,
    })
  })

  test('is upgraded at once', async () => {
    const { customer, subscription } = await subscribed('hobby')
    await openPortal(customer)
    stripe.advance(10 * DAY)
    stripe.changePlan(subscription, 'business')
    expect(await door.getSubscription(subscription)).toMatchObject({
      plan: 'business',
      next_plan: null,
      period_end: monthAfter(NOW),
    })
  })

  test('is downgraded when its period ends', async () => {
    const { customer, subscription } = await subscribed('business')
    await openPortal(customer)
    stripe.changePlan(subscription, 'hobby')
    const waiting = { plan: 'business', next_plan: 'hobby' }
    expect(await door.getSubscription(subscription)).toMatchObject(waiting)
    expect(await door.listSubscriptions(customer)).toMatchObject([waiting])
    stripe.renew(subscription)
    expect(await door.getSubscription(subscription)).toMatchObject({
      plan: 'hobby',
      next_plan: null,
    })
  })

  test('knows its plan although the metadata are stale', async () => {
    const { customer, subscription } = await subscribed('hobby')
    await openPortal(customer)
    stripe.changePlan(subscription, 'pro')
    expect(stripe.books.subscriptions.get(subscription)?.metadata.item).toBe('hobby')
    expect((await door.getSubscription(subscription))?.plan).toBe('pro')
  })

  test('keeps its plan when the operator replaces the price by another of its product', async () => {
    const old = stripe.addPrice({ unit_amount: 4_500, product: 'prod_pro' })
    door = openStripeClient(stripe.settings({ pro: old }))
    const { subscription } = await subscribed('pro')
    const dearer = stripe.addPrice({ unit_amount: 5_500, product: 'prod_pro' })
    door = openStripeClient(stripe.settings({ pro: dearer }))
    expect((await door.getSubscription(subscription))?.plan).toBe('pro')
  })

  test('to something else of the operator has none of our plans', async () => {
    door = openStripeClient(stripe.settings({ pro: stripe.addPrice({ unit_amount: 100 }) }))
    const { subscription } = await subscribed('pro')
    door = openStripeClient(stripe.settings())
    expect((await door.getSubscription(subscription))?.plan).toBeNull()
  })

  test('to an old price of a product that two plans share has none of our plans', async () => {
    const add = (unit_amount: number) => stripe.addPrice({ unit_amount, product: 'prod_all' })
    const [old, hobby, starter] = [add(900), add(999), add(1_999)]
    door = openStripeClient(stripe.settings({ hobby: old }))
    const { subscription } = await subscribed('hobby')
    door = openStripeClient(stripe.settings({ hobby, starter }))
    expect((await door.getSubscription(subscription))?.plan).toBeNull()
  })
})

describe('an invoice', () => {
  test('tells what was paid, and for which plan', async () => {
    const { customer, subscription } = await subscribed('starter')
    const [invoice] = stripe.books.invoices.keys()
    expect(await door.getInvoice(invoice ?? '')).toEqual({
      invoice: invoice ?? '',
      customer,
      subscription,
      is_paid: true,
      amount_cents: 1_999,
      plan: 'starter',
    })
  })

  test('for an upgrade is for the new plan, and costs the difference', async () => {
    const { customer, subscription } = await subscribed('hobby')
    await openPortal(customer)
    stripe.changePlan(subscription, 'pro')
    const last = [...stripe.books.invoices.keys()].at(-1) ?? ''
    expect(await door.getInvoice(last)).toMatchObject({ plan: 'pro', amount_cents: 4_999 - 999 })
  })

  test('that is not paid says so', async () => {
    const { subscription } = await subscribed('hobby')
    stripe.renew(subscription, 'failed')
    const last = [...stripe.books.invoices.keys()].at(-1) ?? ''
    expect(await door.getInvoice(last)).toMatchObject({
      is_paid: false,
      amount_cents: 0,
      plan: 'hobby',
    })
  })
})

describe('a charge', () => {
  test('of a pack tells how much went back, and what it paid', async () => {
    const { customer, session, payment } = await boughtPack()
    stripe.refund(payment, 500)
    stripe.refund(payment, 100)
    expect(await door.getCharge(payment)).toEqual({
      payment,
      customer,
      amount_cents: 1_500,
      refunded_cents: 600,
      disputed_cents: 0,
      paid_at: NOW,
      session: await door.getSession(session),
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
    expect((await door.getCharge(payment))?.disputed_cents).toBe(cents)
  })

  test('of a subscription tells the invoice that it paid', async () => {
    const { subscription } = await subscribed('pro')
    const [charge] = stripe.books.charges.values()
    const payment = String(charge?.payment_intent)
    expect(await door.getCharge(payment)).toMatchObject({
      amount_cents: 4_999,
      session: undefined,
      invoice: { subscription, plan: 'pro' },
    })
  })
})

describe('the portal', () => {
  test('offers all plans, and is set up once', async () => {
    const customer = await newCustomer()
    expect(await openPortal(customer)).toMatch(/^https:/)
    await openPortal(customer)
    door = openStripeClient(stripe.settings())
    await openPortal(customer)
    expect(stripe.books.configurations.size).toBe(1)
    const [configuration] = stripe.books.configurations.values()
    const products = configuration?.features.subscription_update.products ?? []
    expect(products.map(({ product }) => product)).toEqual(PLANS.map((plan) => `cardstock_${plan}`))
    expect(stripe.books.prices.size).toBe(PLANS.length)
  })

  test('is set up anew for other prices', async () => {
    const customer = await newCustomer()
    await openPortal(customer)
    const price = stripe.addPrice({ unit_amount: 4_500, product: 'prod_pro' })
    door = openStripeClient(stripe.settings({ pro: price }))
    await openPortal(customer)
    const [, second] = stripe.books.configurations.values()
    const products = second?.features.subscription_update.products ?? []
    expect(products).toContainEqual(
      expect.objectContaining({ product: 'prod_pro', prices: [price] }),
    )
  })

  test('takes a customer to the change that is asked for', async () => {
    const { customer, subscription } = await subscribed('hobby')
    const { item_id = '' } = (await door.getSubscription(subscription)) ?? {}
    const return_url = 'https://cards.example/billing'
    const change = { subscription, item_id, plan: 'pro' as const }
    expect(await door.createPortalSession({ customer, return_url, change })).toMatch(/^https:/)
    const [portal] = stripe.books.portals.values()
    const confirm = portal?.flow?.subscription_update_confirm
    expect(confirm?.subscription).toBe(subscription)
    const price = stripe.books.prices.get(confirm?.items[0]?.price ?? '')
    expect(price?.unit_amount).toBe(PRICE_CENTS.pro)
  })

  test('of a customer who is gone says so', async () => {
    const gone = await newCustomer()
    stripe.deleteCustomer(gone)
    await expect(openPortal(gone)).rejects.toBeInstanceOf(CustomerNotFoundError)
  })

  test('is found again after somebody switched it off', async () => {
    const customer = await newCustomer()
    await openPortal(customer)
    stripe.books.configurations.clear()
    await expect(openPortal(customer)).rejects.toMatchObject({ code: 'BILLING_UNAVAILABLE' })
    expect(await openPortal(customer)).toMatch(/^https:/)
  })
})

describe('an event', () => {
  test('is read, and says what to ask for', async () => {
    const { session, payment } = await boughtPack()
    stripe.refund(payment, 500)
    stripe.dispute(payment)
    const plan = await subscribed('pro')
    const seen = await Promise.all(
      stripe.takeEvents().map(async (event) => {
        const { body, header } = await stripe.signed(event)
        return door.parseEvent(body, header, new Date(stripe.now()))
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

  test('about a charge without a payment intent is about nothing', async () => {
    const { payment } = await boughtPack()
    stripe.refund(payment, 500)
    const event = stripe.takeEvents().at(-1)
    if (event === undefined) throw new Error('no event')
    event.data.object.payment_intent = null
    const { body, header } = await stripe.signed(event)
    const seen = await door.parseEvent(body, header, new Date(NOW))
    expect(seen.about).toEqual({ kind: 'nothing', ref: '' })
  })

  test('is refused when forged, changed, stale or not signed', async () => {
    await boughtPack()
    const [event] = stripe.takeEvents()
    if (event === undefined) throw new Error('no event')
    const { body, header } = await stripe.signed(event)
    const forged = await stripe.signed(event, 'whsec_other')
    const at = new Date(NOW)
    const attempts: Parameters<StripeClient['parseEvent']>[] = [
      [body, forged.header, at],
      [body.replace('usd', 'eur'), header, at],
      [body, header, new Date(NOW + 301_000)],
      [body, null, at],
      [body, '', at],
      [body, 't=soon,v1=no', at],
      ['', header, at],
    ]
    for (const attempt of attempts) {
      const refused = door.parseEvent(...attempt)
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    }
    expect(await door.parseEvent(body, header, new Date(NOW + 299_000))).toMatchObject({
      id: event.id,
    })
  })

  test('is taken under any of several secrets', async () => {
    await boughtPack()
    const [event] = stripe.takeEvents()
    if (event === undefined) throw new Error('no event')
    const settings = stripe.settings()
    door = openStripeClient({
      ...settings,
      webhookSecrets: ['whsec_next', ...settings.webhookSecrets],
    })
    for (const secret of ['whsec_next', undefined]) {
      const { body, header } = await stripe.signed(event, secret)
      expect((await door.parseEvent(body, header, new Date(NOW))).id).toBe(event.id)
    }
  })

  test('that is signed and without its object is refused in words', async () => {
    const thin = { object: 'v2.core.event', id: 'evt_1', type: 'v1.invoice.paid' }
    const { Stripe } = await import('stripe')
    const body = JSON.stringify(thin)
    const header = await new Stripe('sk_test').webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret: stripe.settings().webhookSecrets[0] ?? '',
      timestamp: NOW / 1000,
    })
    const reading = door.parseEvent(body, header, new Date(NOW))
    await expect(reading).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('that could not be delivered is listed, oldest first, over all pages', async () => {
    const { subscription } = await subscribed('hobby')
    stripe.takeEvents()
    for (let times = 0; times < 120; times++)
      stripe.cancelAtPeriodEnd(subscription, times % 2 === 0)
    const { payment } = await boughtPack()
    stripe.refund(payment, 1)
    const listed = await door.listUndeliveredEvents()
    const waiting = stripe.books.events
      .filter(({ event, isDelivered }) => !isDelivered && event.type !== 'charge.succeeded')
      .map(({ event }) => event.id)
    expect(waiting).toHaveLength(122)
    expect(listed.map(({ id }) => id)).toEqual(waiting)
    expect(listed.at(-1)?.about).toEqual({ kind: 'charge', ref: payment })
  })
})

describe('what is not there', () => {
  test('is undefined', async () => {
    const nothing = await Promise.all([
      door.getSession('cs_none'),
      door.expireCheckout('cs_none'),
      door.getSubscription('sub_none'),
      door.getInvoice('in_none'),
      door.getCharge('pi_none'),
    ])
    expect(nothing).toEqual([undefined, undefined, undefined, undefined, undefined])
    expect(await door.listSubscriptions('cus_none')).toEqual([])
  })
})

describe('when Stripe does not answer as it should', () => {
  const questions: [string, (door: StripeClient) => Promise<unknown>][] = [
    [
      'createCustomer',
      (door) => door.createCustomer({ account_id: 1, email: 'a@b.example', before: 0 }),
    ],
    [
      'createCheckout',
      (door) =>
        door.createCheckout({
          checkout_id: 'co_1',
          account_id: 1,
          item: 'pro',
          customer: 'cus_1',
          return_url: 'https://cards.example/',
        }),
    ],
    ['expireCheckout', (door) => door.expireCheckout('cs_1')],
    ['session', (door) => door.getSession('cs_1')],
    ['subscription', (door) => door.getSubscription('sub_1')],
    ['subscriptionsOf', (door) => door.listSubscriptions('cus_1')],
    ['invoice', (door) => door.getInvoice('in_1')],
    ['charge', (door) => door.getCharge('pi_1')],
    [
      'portal',
      (door) => door.createPortalSession({ customer: 'cus_1', return_url: 'https://a.example/' }),
    ],
    ['undelivered', (door) => door.listUndeliveredEvents()],
  ]

  /** What each question is refused with. */
  function refusals(of = door) {
    return Promise.all(questions.map(([, ask]) => ask(of).catch((error: unknown) => error)))
  }

  function expectUnavailable(given: unknown[]) {
    for (const [at, error] of given.entries()) {
      expect([questions[at]?.[0], error]).toEqual([questions[at]?.[0], expect.any(ServiceError)])
      expect(error).toMatchObject({ code: 'BILLING_UNAVAILABLE', retryAfter: 30 })
      expect(error).toHaveProperty('cause')
      expect(String(error)).not.toMatch(/sk_test|127\.0\.0\.1|Stripe is not well|API Key/)
    }
  }

  test('it is down: every question says so, after three attempts', async () => {
    stripe.misbehave({ status: 503 })
    expectUnavailable(await refusals())
    const asked = stripe.requests.filter(({ path }) => path === 'customers')
    expect(asked).toHaveLength(3)
    expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
  }, 15_000)

  test.each([[429], [500], [402], [403]])(
    'status %i',
    async (status) => {
      stripe.misbehave({ status })
      expectUnavailable(await refusals())
    },
    15_000,
  )

  test('it refuses the key', async () => {
    expectUnavailable(
      await refusals(openStripeClient({ ...stripe.settings(), secretKey: 'sk_test_old' })),
    )
  })

  test('it breaks connections', async () => {
    stripe.misbehave({ cuts: 'question' })
    expectUnavailable(await refusals())
  }, 15_000)

  test('it cannot be reached', async () => {
    stripe.close()
    expectUnavailable(await refusals())
  }, 15_000)

  test('it is slow', async () => {
    stripe.misbehave({ delayMs: 1_000 })
    expectUnavailable(await refusals(openStripeClient(stripe.settings(), { timeoutMs: 50 })))
  }, 15_000)

  test('and then does again: what failed is asked anew', async () => {
    const customer = await newCustomer()
    stripe.misbehave({ status: 503, times: 3 })
    await expect(checkout(customer, 'pro')).rejects.toMatchObject({ code: 'BILLING_UNAVAILABLE' })
    expect((await checkout(customer, 'pro')).status).toBe('open')
    stripe.misbehave({ status: 503, times: 2 })
    expect((await checkout(customer, 'scans_1000', 'co_2')).status).toBe('open')
  }, 15_000)

  test('a price that it does not have is not taken for a customer who is gone', async () => {
    door = openStripeClient(stripe.settings({ pro: 'price_none' }))
    const customer = await newCustomer()
    await expect(checkout(customer, 'pro')).rejects.toMatchObject({ code: 'BILLING_UNAVAILABLE' })
    expect(await openPortal(customer)).toMatch(/^https:/)
  })
})

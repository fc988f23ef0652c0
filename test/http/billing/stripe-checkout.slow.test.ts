import { beforeEach, describe, expect, test } from 'bun:test'
import { BILLABLE_ITEMS, PACKS, PLANS, PRICE_CENTS } from '#rules/billing/plans.ts'
import {
  type BillingTestApp,
  createBillingTestApp,
  sessionIdFrom,
} from '../../support/billing/billing-app.ts'
import { PUBLIC_URL } from '../../support/test-app.ts'

// Checkouts over HTTP with a session, through the real client, against a fake Stripe.

let billingApp: BillingTestApp
beforeEach(async () => {
  billingApp = await createBillingTestApp()
})

const HOUR = 3_600_000

const payable = () =>
  [...billingApp.stripe.books.sessions.values()].filter(({ status }) => status === 'open')

const liveSubscriptions = () =>
  [...billingApp.stripe.books.subscriptions.values()].filter(({ status }) => status !== 'canceled')

describe('a checkout', () => {
  test.each(BILLABLE_ITEMS)('for %s returns a Stripe page with its price', async (item) => {
    const customer = await billingApp.newcomer()
    const { status, body } = await customer.buy(item)
    expect(status).toBe(200)
    expect(body.data.kind).toBe('checkout')
    const session = billingApp.stripe.books.sessions.get(sessionIdFrom(body.data.url))
    expect(body.data.url).toBe(session?.url ?? '')
    expect(session).toMatchObject({
      amount_total: PRICE_CENTS[item],
      mode: PLANS.some((plan) => plan === item) ? 'subscription' : 'payment',
      client_reference_id: String(customer.id),
      success_url: `${PUBLIC_URL}/billing?checkout=done`,
      cancel_url: `${PUBLIC_URL}/billing?checkout=cancelled`,
    })
  })

  test('is reused while it is open, with the same customer', async () => {
    const customer = await billingApp.newcomer()
    const first = [await customer.checkout('pro'), await customer.checkout('scans_1000')]
    billingApp.advance(20 * HOUR)
    expect([await customer.checkout('pro'), await customer.checkout('scans_1000')]).toEqual(first)
    expect(billingApp.stripe.books.customers.size).toBe(1)
    expect(payable()).toHaveLength(2)
  })

  test('is replaced, and expired, if too little time is left to pay', async () => {
    const customer = await billingApp.newcomer()
    const first = await customer.checkout('pro')
    billingApp.advance(24 * HOUR - 9 * 60_000)
    const second = await customer.checkout('pro')
    expect(second).not.toBe(first)
    expect(payable().map(({ id }) => id)).toEqual([second])
  })

  test('that is over is replaced, with or without its event', async () => {
    const customer = await billingApp.newcomer()
    const first = await customer.checkout('scans_1000')
    billingApp.advance(25 * HOUR)
    const second = await customer.checkout('scans_1000')
    expect(second).not.toBe(first)
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.checkout('scans_1000')).toBe(second)
    billingApp.advance(25 * HOUR)
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.checkout('scans_1000')).not.toBe(second)
  })

  test.each(PACKS)('for %s can be created again once it is paid', async (pack) => {
    const customer = await billingApp.newcomer()
    const first = await customer.checkout(pack)
    billingApp.stripe.pay(first)
    // Its event has not arrived, so the request reads the payment.
    const second = await customer.checkout(pack)
    expect(second).not.toBe(first)
    const once = await customer.scans()
    expect(once).toBeGreaterThan(0)
    billingApp.stripe.pay(second)
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.scans()).toBe(2 * once)
  })
})

describe('two tabs', () => {
  test('with two plans: the later one can be paid, the earlier one cannot', async () => {
    const customer = await billingApp.newcomer()
    await customer.checkout('pro')
    const second = await customer.checkout('business')
    expect(payable().map(({ id }) => id)).toEqual([second])
  })

  test.each([
    ['two plans', ['pro', 'business']],
    ['the same plan', ['pro', 'pro']],
    ['four plans', [...PLANS]],
    ['the same pack', ['scans_1000', 'scans_1000', 'scans_1000']],
  ] as const)('at once with %s: at most one page can be paid', async (_, items) => {
    for (const delayMs of [0, 5, 20]) {
      const customer = await billingApp.newcomer()
      billingApp.stripe.misbehave({ delayMs })
      const ways = await Promise.all(items.map((item) => customer.buy(item)))
      billingApp.stripe.misbehave()
      const own = payable().filter(
        ({ client_reference_id }) => client_reference_id === `${customer.id}`,
      )
      expect(own.length).toBeLessThanOrEqual(1)
      for (const { status } of ways) expect([200, 503]).toContain(status)
      // Every payable page is known to the service.
      for (const { id, customer: payer } of own) {
        expect(await billingApp.testApp.deps.ledger.billing.getAccountId(String(payer))).toBe(
          customer.id,
        )
        billingApp.stripe.pay(id)
      }
      // A retry always succeeds.
      if (own.length === 0) billingApp.stripe.pay(await customer.checkout(items[0]))
      expect(await billingApp.deliver()).toEqual([])
      if (items[0] === 'scans_1000') expect(await customer.scans()).toBe(1_000)
      else expect((await customer.subscription()).status).toBe('active')
    }
    const plans = new Set(items).has('scans_1000' as never) ? 0 : 3
    expect(liveSubscriptions()).toHaveLength(plans)
  })

  test('one of which was paid: the other request gets the portal, also before any event', async () => {
    const customer = await billingApp.newcomer()
    billingApp.stripe.pay(await customer.checkout('pro'))
    const { body } = await customer.buy('business')
    expect(body.data.kind).toBe('portal')
    expect(await customer.tier()).toBe('pro')
    expect(payable()).toEqual([])
    expect(liveSubscriptions()).toHaveLength(1)
  })

  test('one of which is paid during the other request: one subscription, and no lost payment', async () => {
    for (let at = 0; at < 12; at++) {
      const customer = await billingApp.newcomer()
      const session = await customer.checkout('starter')
      billingApp.stripe.misbehave({ delayMs: 3 })
      const purchase = customer.buy('business')
      await Bun.sleep(at)
      const isOpen = billingApp.stripe.books.sessions.get(session)?.status === 'open'
      if (isOpen) billingApp.stripe.pay(session)
      const { body } = await purchase
      billingApp.stripe.misbehave()
      if (body.data.kind === 'checkout') billingApp.stripe.pay(sessionIdFrom(body.data.url))
      expect(await billingApp.deliver()).toEqual([])
      expect(liveSubscriptions()).toHaveLength(at + 1)
      expect(await customer.tier()).toBe(body.data.kind === 'checkout' ? 'business' : 'starter')
    }
  })
})

describe('an account with a subscription', () => {
  async function subscriber() {
    const customer = await billingApp.newcomer()
    billingApp.stripe.pay(await customer.checkout('starter'))
    await billingApp.deliver()
    const [subscription] = liveSubscriptions().slice(-1)
    return { customer, id: subscription?.id ?? '' }
  }

  const lastPortal = () => [...billingApp.stripe.books.portals.values()].at(-1)

  test('gets the portal’s confirmation page for another plan', async () => {
    const { customer, id } = await subscriber()
    for (const plan of ['hobby', 'pro', 'business'] as const) {
      const { body } = await customer.buy(plan)
      expect(body.data).toEqual({ url: lastPortal()?.url ?? '', kind: 'portal' })
      const confirmed = lastPortal()?.flow?.subscription_update_confirm
      const price = confirmed?.items[0]?.price ?? ''
      expect(confirmed?.subscription).toBe(id)
      expect(billingApp.stripe.books.prices.get(price)?.unit_amount).toBe(PRICE_CENTS[plan])
    }
    expect((await customer.buy('starter')).body.data.kind).toBe('portal')
    expect(lastPortal()?.flow).toBeNull()
  })

  test('gets the portal if something must be settled first', async () => {
    const { customer, id } = await subscriber()
    const way = async () => {
      await billingApp.deliver()
      const { body } = await customer.buy('business')
      return [body.data.kind, lastPortal()?.flow]
    }
    await customer.portal()
    billingApp.stripe.changePlan(id, 'hobby')
    expect(await way()).toEqual(['portal', null])
    billingApp.stripe.changePlan(id, 'starter')
    billingApp.stripe.cancelAtPeriodEnd(id)
    expect(await way()).toEqual(['portal', null])
    billingApp.stripe.cancelAtPeriodEnd(id, false)
    billingApp.stripe.renew(id, 'failed')
    expect(await way()).toEqual(['portal', null])
    billingApp.stripe.setStatus(id, 'unpaid')
    expect(await way()).toEqual(['portal', null])
    billingApp.stripe.setStatus(id, 'paused')
    expect(await way()).toEqual(['portal', null])
    expect(payable()).toEqual([])
  })

  test('whose first payment is pending cannot pay for a second one', async () => {
    const { customer, id } = await subscriber()
    const known = billingApp.stripe.books.subscriptions.get(id)
    if (known !== undefined) known.status = 'incomplete'
    const { body } = await customer.buy('business')
    expect(body.data.kind).toBe('portal')
    expect(await customer.tier()).toBe('free')
  })

  test('that has ended allows a new purchase, even before its event arrives', async () => {
    const { customer, id } = await subscriber()
    billingApp.stripe.cancelNow(id)
    billingApp.stripe.pay(await customer.checkout('pro'))
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.tier()).toBe('pro')
  })

  test('gets the portal, as does an account without one', async () => {
    const { customer } = await subscriber()
    for (const one of [customer, await billingApp.newcomer()]) {
      const { status, body } = await one.portal()
      expect([status, body.data.kind]).toEqual([200, 'portal'])
      expect(lastPortal()?.flow).toBeNull()
    }
  })
})

/** Maximum wait for a slow Stripe; otherwise it answers within milliseconds. */
const PATIENCE_MS = 700

describe('a failing Stripe', () => {
  test.each([
    ['is down', { status: 503 }],
    ['fails', { status: 500 }],
    ['is overloaded', { status: 429 }],
    ['is slow', { delayMs: 2 * PATIENCE_MS }],
    ['breaks off the question', { cuts: 'question' }],
    ['breaks off the answer', { cuts: 'answer' }],
  ] as const)(
    '%s: returns 503 with Retry-After, and the same request works later',
    async (_, fault) => {
      if ('delayMs' in fault) {
        billingApp = await createBillingTestApp({ timeoutMs: PATIENCE_MS })
      }
      const customer = await billingApp.newcomer()
      const open = () =>
        billingApp.testApp.deps.ledger.checkouts.listOpen(new Date('9999-01-01'), 10)
      billingApp.stripe.misbehave(fault)
      const refused = await customer.buy('pro')
      expect([refused.status, refused.body.error.code]).toEqual([503, 'BILLING_UNAVAILABLE'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await open()).toEqual([])
      expect((await customer.portal()).status).toBe(503)
      billingApp.stripe.misbehave()
      expect(payable()).toEqual([])

      const session = await customer.checkout('pro')
      expect(payable().map(({ id }) => id)).toEqual([session])
      const payer = String(payable()[0]?.customer)
      expect(await billingApp.testApp.deps.ledger.billing.getAccountId(payer)).toBe(customer.id)
    },
  )

  test('is logged with its response and the request ID', async () => {
    const customer = await billingApp.newcomer()
    billingApp.stripe.misbehave({ status: 401 })
    const { status, headers, text } = await customer.buy('pro')
    expect([status, text]).toEqual([503, expect.not.stringContaining('not well')])
    const [line] = billingApp.testApp.log.filter(({ level }) => level === 'warn')
    expect(line?.facts).toMatchObject({
      request_id: headers.get('x-request-id'),
      error: { message: 'Stripe is not well' },
    })
  })
})

describe('a customer that Stripe no longer knows', () => {
  test('is created again, for checkouts and for the portal', async () => {
    for (const item of ['pro', 'scans_1000'] as const) {
      const customer = await billingApp.newcomer()
      await customer.checkout(item)
      const [first] = [...billingApp.stripe.books.customers.keys()].slice(-1)
      billingApp.stripe.deleteCustomer(first ?? '')
      const session = await customer.checkout(item)
      billingApp.stripe.pay(session)
      expect(await billingApp.deliver()).toEqual([])
      expect(await customer.tier()).toBe(item === 'pro' ? 'pro' : 'free')
    }
    const customer = await billingApp.newcomer()
    await customer.portal()
    billingApp.stripe.deleteCustomer([...billingApp.stripe.books.customers.keys()].at(-1) ?? '')
    expect((await customer.portal()).body.data.kind).toBe('portal')
  })

  test('is forgotten with its open sessions after a change of Stripe account', async () => {
    const customer = await billingApp.newcomer()
    await customer.checkout('pro')
    billingApp.stripe.books.customers.clear()
    billingApp.stripe.books.sessions.clear()
    billingApp.stripe.pay(await customer.checkout('pro'))
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.tier()).toBe('pro')
  })

  test('still counts for its payments: its subscription ends, its pack is refunded', async () => {
    const customer = await billingApp.newcomer()
    billingApp.stripe.pay(await customer.checkout('pro'))
    const pack = await customer.checkout('scans_1000')
    billingApp.stripe.pay(pack)
    expect(await billingApp.deliver()).toEqual([])
    const payment = String(billingApp.stripe.books.sessions.get(pack)?.payment_intent)
    const [subscription] = liveSubscriptions()
    billingApp.stripe.deleteCustomer(String(subscription?.customer))
    billingApp.stripe.cancelNow(subscription?.id ?? '')
    billingApp.stripe.refund(payment, PRICE_CENTS.scans_1000)
    // Before those events arrive, the account already has another customer.
    await customer.portal()
    expect(await customer.tier()).toBe('pro')
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.tier()).toBe('free')
    expect(await customer.scans()).toBe(0)
  })
})

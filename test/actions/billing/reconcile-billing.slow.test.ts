import { beforeEach, describe, expect, test } from 'bun:test'
import { reconcileBilling } from '#actions/billing/reconcile-billing.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import {
  type BillingTestApp,
  type Customer,
  createBillingTestApp,
} from '../../support/billing/billing-app.ts'
import { StripeErrorResponse } from '../../support/billing/stripe-state.ts'
import { createTestApp } from '../../support/test-app.ts'

// Reconciliation when events of Stripe are lost.

let billingApp: BillingTestApp
beforeEach(async () => {
  billingApp = await createBillingTestApp()
})

const HOUR = 3_600_000

const reconcile = () => {
  billingApp.follow()
  return reconcileBilling(billingApp.testApp.deps)
}

const open = () => billingApp.testApp.deps.ledger.checkouts.listOpen(new Date('9999-01-01'), 100)

/** Stripe considers them delivered, but the service has not received them. */
const loseEvents = () => void billingApp.stripe.takeEvents()

const subscriptionPaidIn = (session: string) =>
  String(billingApp.stripe.books.sessions.get(session)?.subscription)

describe('if every event was lost', () => {
  test('one reconciliation finds the payments', async () => {
    const [subscriber, buyer, waiting, gone] = [
      await billingApp.newcomer(),
      await billingApp.newcomer(),
      await billingApp.newcomer(),
      await billingApp.newcomer(),
    ]
    billingApp.stripe.pay(await subscriber.checkout('business'))
    billingApp.stripe.pay(await buyer.checkout('scans_1000'))
    billingApp.stripe.pay(await buyer.checkout('scans_25000'))
    const later = await waiting.checkout('scans_5000')
    billingApp.stripe.payLater(later)
    billingApp.stripe.expire(await gone.checkout('pro'))
    loseEvents()
    billingApp.advance(11 * 60_000)
    expect(await reconcile()).toEqual({ events: 0, checkouts: 5, subscriptions: 0 })
    expect(await subscriber.tier()).toBe('business')
    expect([await buyer.scans(), await waiting.scans()]).toEqual([26_000, 0])
    expect((await open()).map(({ account_id }) => account_id)).toEqual([waiting.id])

    // The bank transfer arrives days later, also without an event.
    billingApp.advance(4 * MS_PER_DAY)
    billingApp.stripe.settle(later)
    loseEvents()
    await reconcile()
    expect(await waiting.scans()).toBe(5_000)
    expect(await open()).toEqual([])
    await reconcile()
    expect([await buyer.scans(), await waiting.scans()]).toEqual([26_000, 5_000])
  })

  test('a reconciliation a day later finds changes of subscriptions', async () => {
    const lives = ['renewed', 'failed', 'cancelled', 'upgraded', 'paused'] as const
    const customers: { life: (typeof lives)[number]; customer: Customer; id: string }[] = []
    for (const life of lives) {
      const customer = await billingApp.newcomer()
      const session = await customer.checkout('starter')
      billingApp.stripe.pay(session)
      customers.push({ life, customer, id: subscriptionPaidIn(session) })
    }
    await customers[0]?.customer.portal()
    expect(await billingApp.deliver()).toEqual([])
    for (const { life, id } of customers) {
      if (life === 'cancelled') billingApp.stripe.cancelNow(id)
      if (life === 'upgraded') billingApp.stripe.changePlan(id, 'pro')
      if (life === 'paused') billingApp.stripe.setStatus(id, 'paused')
    }
    for (const { life, id } of customers) {
      if (life === 'renewed') billingApp.stripe.renew(id)
      if (life === 'failed') billingApp.stripe.renew(id, 'failed')
    }
    loseEvents()
    expect(await reconcile()).toEqual({ events: 0, checkouts: 0, subscriptions: 5 })
    const listStandings = async () =>
      Promise.all(
        customers.map(async ({ life, customer }) => [
          life,
          await customer.tier(),
          (await customer.subscription()).status,
        ]),
      )
    expect(await listStandings()).toEqual([
      ['renewed', 'starter', 'active'],
      ['failed', 'starter', 'past_due'],
      ['cancelled', 'free', 'canceled'],
      ['upgraded', 'pro', 'active'],
      ['paused', 'free', 'paused'],
    ])
    // Checked objects are not checked again for a day, final ones never.
    expect((await reconcile())?.subscriptions).toBe(0)
    billingApp.advance(MS_PER_DAY + 1)
    expect((await reconcile())?.subscriptions).toBe(4)
  })
})

describe('undelivered events', () => {
  test('are processed once each: renewals, refunds, disputes', async () => {
    const customer = await billingApp.newcomer()
    const session = await customer.checkout('pro')
    billingApp.stripe.pay(session)
    const pack = await customer.checkout('scans_1000')
    billingApp.stripe.pay(pack)
    const first = await reconcile()
    expect(first?.events).toBeGreaterThan(3)
    expect([await customer.tier(), await customer.scans()]).toEqual(['pro', 1_000])
    billingApp.stripe.refund(
      String(billingApp.stripe.books.sessions.get(pack)?.payment_intent),
      750,
    )
    await reconcile()
    await reconcile()
    expect(await customer.scans()).toBe(500)
    billingApp.stripe.cancelNow(subscriptionPaidIn(session))
    await reconcile()
    expect(await customer.tier()).toBe('free')
    // Their late delivery has no further effect.
    expect(await billingApp.deliver()).toEqual([])
    expect([await customer.tier(), await customer.scans()]).toEqual(['free', 500])
  })
})

describe('checkouts', () => {
  test('without a session expire after a day', async () => {
    const customer = await billingApp.newcomer()
    const { ledger, now } = billingApp.testApp.deps
    const terms = { account_id: customer.id, provider: 'stripe', item: 'pro' } as const
    await ledger.checkouts.create({
      ...terms,
      id: 'co_lost',
      amount_cents: 4_999,
      now: now(),
      openMs: MS_PER_DAY,
    })
    billingApp.advance(23 * HOUR)
    await reconcile()
    expect(await open()).toHaveLength(1)
    billingApp.advance(2 * HOUR)
    await reconcile()
    expect(await open()).toEqual([])
  })

  test('that Stripe does not know stay open for a month, and then expire', async () => {
    const customer = await billingApp.newcomer()
    await customer.checkout('scans_1000')
    billingApp.stripe.books.sessions.clear()
    billingApp.advance(29 * MS_PER_DAY)
    await reconcile()
    expect(await open()).toHaveLength(1)
    billingApp.advance(2 * MS_PER_DAY)
    await reconcile()
    expect(await open()).toEqual([])
  })

  test('that are a few minutes old are ignored, because their events may still arrive', async () => {
    const customer = await billingApp.newcomer()
    await customer.checkout('pro')
    billingApp.advance(9 * 60_000)
    expect((await reconcile())?.checkouts).toBe(0)
  })
})

describe('Stripe', () => {
  test('that does not know a subscription changes nothing', async () => {
    const customer = await billingApp.newcomer()
    billingApp.stripe.pay(await customer.checkout('pro'))
    expect(await billingApp.deliver()).toEqual([])
    const before = await customer.subscription()
    billingApp.stripe.books.subscriptions.clear()
    billingApp.advance(2 * MS_PER_DAY)
    expect((await reconcile())?.subscriptions).toBe(1)
    expect(await customer.tier()).toBe('pro')
    expect(await customer.subscription()).toEqual(before)
  })

  test('that is down is queried again by the next reconciliation', async () => {
    const customer = await billingApp.newcomer()
    billingApp.stripe.pay(await customer.checkout('pro'))
    billingApp.stripe.misbehave({ status: 500 })
    await expect(reconcile()).rejects.toMatchObject({ code: 'BILLING_UNAVAILABLE' })
    billingApp.stripe.misbehave()
    await reconcile()
    expect(await customer.tier()).toBe('pro')
  })

  test('that fails for one object is queried for the others', async () => {
    const [broken, customer] = [await billingApp.newcomer(), await billingApp.newcomer()]
    const session = await broken.checkout('pro')
    billingApp.stripe.pay(session)
    billingApp.stripe.takeEvents()
    billingApp.stripe.pay(await customer.checkout('starter'))
    billingApp.advance(11 * 60_000)
    const shown = billingApp.stripe.books.sessions.get(session)
    Object.defineProperty(shown, 'status', {
      get() {
        throw new StripeErrorResponse(403, 'not for you')
      },
      enumerable: true,
    })
    await reconcile()
    expect(await customer.tier()).toBe('starter')
    expect(billingApp.testApp.log.map(({ event }) => event)).toContain(
      'failed to reconcile billing',
    )
  })

  test('that is not configured is not queried', async () => {
    const testApp = await createTestApp()
    expect(await reconcileBilling(testApp.deps)).toBeUndefined()
    testApp.close()
  })
})

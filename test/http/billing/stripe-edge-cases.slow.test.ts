// Rare states of Stripe or the ledger: restored backups, test mode before live mode, changed prices. No payment is
// lost, and nothing counts forever.
import { beforeEach, describe, expect, test } from 'bun:test'
import { reconcileBilling, settleSubscriptions } from '#actions/billing/reconcile-billing.ts'
import { getBillingReport } from '#actions/billing/report-billing.ts'
import { dayOf, MS_PER_DAY } from '#rules/primitives/days.ts'
import {
  type BillingTestApp,
  type Customer,
  createBillingTestApp,
} from '../../support/billing/billing-app.ts'
import { StripeErrorResponse } from '../../support/billing/stripe-state.ts'

let billingApp: BillingTestApp
let customer: Customer
beforeEach(async () => {
  billingApp = await createBillingTestApp()
  customer = await billingApp.newcomer()
})

const HOUR = 3_600_000

/** Replaces the ledger by a restored copy or an outdated one. */
function alter(sql: string, ...values: unknown[]): void {
  billingApp.testApp
    .ledgerDb()
    .prepare(sql)
    .run(...values)
}

/** Runs the hourly jobs once. */
async function look(): Promise<void> {
  billingApp.follow()
  await reconcileBilling(billingApp.testApp.deps)
  await settleSubscriptions(billingApp.testApp.deps)
}

function report() {
  billingApp.follow()
  const day = dayOf(billingApp.testApp.deps.now())
  return getBillingReport(billingApp.testApp.deps, { from: day - 90, to: day })
}

/** Buys and pays. @returns Stripe's session; its events are pending */
async function pays(item: 'starter' | 'pro' | 'business' | 'scans_1000'): Promise<string> {
  const session = await customer.checkout(item)
  billingApp.stripe.pay(session)
  return session
}

const sessionAt = (session: string) => billingApp.stripe.books.sessions.get(session)

const subscriptionOf = (session: string) => String(sessionAt(session)?.subscription)

/** The operator now sells the plan at another price, of another product. */
function sellAnother(session: string): void {
  const bought = billingApp.stripe.books.subscriptions.get(subscriptionOf(session))
  for (const { price } of bought?.items.data ?? []) price.product = 'prod_before'
}

describe('a ledger that was restored from a backup', () => {
  test('credits a paid pack although it has lost its checkout', async () => {
    const session = await customer.checkout('scans_1000')
    alter('DELETE FROM checkouts WHERE session = ?', session)
    billingApp.stripe.pay(session)
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.scans()).toBe(1_000)
    expect(await report()).toMatchObject({ net: 15, mismatches: [] })
  })

  test('reports a payment of an unknown account to the operator', async () => {
    const session = await customer.checkout('pro')
    alter('DELETE FROM checkouts')
    alter('DELETE FROM billing_customers')
    billingApp.stripe.pay(session)
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.tier()).toBe('free')
    const detail = expect.stringMatching(
      /^checkout\.session\.completed evt_\w+: no account has the customer cus_\w+$/,
    )
    expect((await report()).mismatches).toEqual([{ kind: 'event', account_id: null, detail }])
  })
})

describe('a subscription that Stripe no longer knows', () => {
  beforeEach(async () => {
    await pays('business')
    await billingApp.deliver()
    const { subscriptions, customers, sessions } = billingApp.stripe.books
    for (const book of [subscriptions, customers, sessions]) book.clear()
  })

  test('lasts for its paid period, and no longer', async () => {
    billingApp.advance(28 * MS_PER_DAY)
    await look()
    expect(await customer.tier()).toBe('business')
    billingApp.advance(4 * MS_PER_DAY)
    await look()
    expect(await customer.tier()).toBe('free')
    expect(await customer.subscription()).toMatchObject({ status: 'canceled' })
    expect((await report()).mismatches).toEqual([])
  })

  test('does not block a purchase once it is over', async () => {
    billingApp.advance(40 * MS_PER_DAY)
    expect((await customer.buy('business')).body.data.kind).toBe('checkout')
    await pays('business')
    await billingApp.deliver()
    expect(await customer.tier()).toBe('business')
  })
})

describe('a plan whose price has changed', () => {
  test('renews as before, and ends', async () => {
    const session = await pays('pro')
    await billingApp.deliver()
    sellAnother(session)
    billingApp.advance(30 * MS_PER_DAY)
    billingApp.stripe.renew(subscriptionOf(session))
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.tier()).toBe('pro')
    expect((await report()).revenue).toMatchObject([{ item: 'pro', payments: 2, paid: 99.98 }])
    billingApp.stripe.cancelNow(subscriptionOf(session))
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.tier()).toBe('free')
    expect((await report()).mismatches).toEqual([])
  })

  test('bought before the change and paid after it counts, as does its money', async () => {
    const session = await pays('pro')
    sellAnother(session)
    expect(await billingApp.deliver()).toEqual([])
    expect(await customer.tier()).toBe('pro')
    expect(await report()).toMatchObject({ net: 49.99, mismatches: [] })
  })
})

describe('refunded money', () => {
  test('is assigned to the plan whose month it paid, also after an upgrade', async () => {
    const session = await pays('starter')
    // The first request configures Stripe's portal.
    await customer.portal()
    await billingApp.deliver()
    const [paid] = billingApp.stripe.books.invoicePayments.values()
    billingApp.stripe.changePlan(subscriptionOf(session), 'pro')
    await billingApp.deliver()
    billingApp.stripe.refund(String(paid?.payment.payment_intent), 1_999)
    await billingApp.deliver()
    const { revenue } = await report()
    expect(revenue.map(({ item, refunded }) => [item, refunded])).toEqual([
      ['pro', 0],
      ['starter', -19.99],
    ])
  })

  test('is not affected by an inquiry of a bank', async () => {
    const session = await pays('scans_1000')
    await billingApp.deliver()
    const { disputes } = billingApp.stripe.books
    const inquiry = billingApp.stripe.dispute(String(sessionAt(session)?.payment_intent))
    for (const status of ['warning_needs_response', 'warning_closed'] as const) {
      const dispute = disputes.get(inquiry)
      if (dispute === undefined) throw new Error('dispute not found')
      dispute.status = status
      await billingApp.deliver()
      expect(await customer.scans()).toBe(1_000)
    }
    expect((await report()).revenue).toMatchObject([{ disputes: 0, net: 15 }])
  })
})

describe('a failing lookup at Stripe does not stop the reconciliation of others', () => {
  test('five hundred subscriptions, the limit of one reconciliation', async () => {
    const session = await pays('pro')
    await billingApp.deliver()
    alter(
      `WITH RECURSIVE gone (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM gone WHERE n < 500)
       INSERT INTO subscriptions (ref, account_id, provider, plan, status, period_end, cancels,
         next_plan, past_due_at, asked, checked_at, tier)
       SELECT 'sub_gone' || n, ?, 'stripe', 'hobby', 'active', NULL, 0, NULL, NULL, 1, 1, 'hobby'
         FROM gone`,
      customer.id,
    )
    billingApp.stripe.cancelNow(subscriptionOf(session))
    billingApp.stripe.takeEvents()
    for (let looks = 0; looks < 2; looks++) {
      billingApp.advance(MS_PER_DAY + 1)
      await look()
    }
    expect(await customer.tier()).toBe('free')
    expect((await report()).subscriptions).toEqual([])
  })

  test('rejected checkouts', async () => {
    const refused = new Set<string>()
    for (let n = 0; n < 3; n++) {
      refused.add(await (await billingApp.newcomer()).checkout('scans_1000'))
    }
    billingApp.advance(1_000)
    await pays('scans_1000')
    billingApp.stripe.takeEvents()
    const { sessions } = billingApp.stripe.books
    const get = sessions.get.bind(sessions)
    sessions.get = (id) => {
      if (refused.has(id)) throw new StripeErrorResponse(403, 'not permitted')
      return get(id)
    }
    billingApp.advance(HOUR)
    await look()
    expect(await customer.scans()).toBe(1_000)
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { settleSubscriptions } from '#actions/billing/reconcile-billing.ts'
import { type Pack, PLANS, type Plan, PRICE_CENTS } from '#rules/billing/plans.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import {
  type BillingTestApp,
  type Customer,
  createBillingTestApp,
} from '../../support/billing/billing-app.ts'

// Tiers and scans over months of payments: the real client, a fake Stripe, and events over HTTP.

let billingApp: BillingTestApp
let customer: Customer
beforeEach(async () => {
  billingApp = await createBillingTestApp()
  customer = await billingApp.newcomer()
})
afterEach(async () => {
  expect(await billingApp.testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
})

/** Delivers all pending events; none of them is rejected. */
const deliver = async () => expect(await billingApp.deliver()).toEqual([])

async function subscribe(plan: Plan): Promise<string> {
  const session = await customer.checkout(plan)
  billingApp.stripe.pay(session)
  await deliver()
  return String(billingApp.stripe.books.sessions.get(session)?.subscription)
}

/** @returns its payment */
async function buyPack(pack: Pack): Promise<string> {
  const session = await customer.checkout(pack)
  billingApp.stripe.pay(session)
  await deliver()
  return String(billingApp.stripe.books.sessions.get(session)?.payment_intent)
}

/** Returns the payment of a subscription's last invoice. */
function paymentOf(subscription: string): string {
  const { invoices, invoicePayments, subscriptions } = billingApp.stripe.books
  const invoice = invoices.get(String(subscriptions.get(subscription)?.latest_invoice))
  const paid = [...invoicePayments.values()].find((one) => one.invoice === invoice?.id)
  return String(paid?.payment.payment_intent)
}

/** Advances the clock by days, and runs the job that updates tiers. */
async function passDays(days: number): Promise<void> {
  billingApp.advance(days * MS_PER_DAY)
  await settleSubscriptions(billingApp.testApp.deps)
}

describe('a plan', () => {
  test.each(PLANS)('%s applies to the first request after its payment', async (plan) => {
    const session = await customer.checkout(plan)
    expect([await customer.tier(), await customer.proStatus()]).toEqual(['free', 403])
    billingApp.stripe.pay(session)
    expect(await customer.tier()).toBe('free')
    await deliver()
    expect(await customer.tier()).toBe(plan)
    const isPro = plan === 'pro' || plan === 'business'
    expect(await customer.proStatus()).toBe(isPro ? 200 : 403)
    expect(await customer.subscription()).toEqual({
      plan,
      status: 'active',
      current_period_end: '2026-12-15T21:30:00.000Z',
      cancel_at_period_end: false,
      next_plan: null,
    })
  })

  test('renews every month', async () => {
    const id = await subscribe('pro')
    for (const end of ['2027-01-15', '2027-02-15', '2027-03-15']) {
      billingApp.stripe.renew(id)
      await deliver()
      expect(await customer.tier()).toBe('pro')
      expect((await customer.subscription()).current_period_end).toBe(`${end}T21:30:00.000Z`)
    }
  })

  test('stays for a week after a failed payment, then becomes Free, and returns once paid', async () => {
    const id = await subscribe('pro')
    billingApp.stripe.renew(id, 'failed')
    await deliver()
    expect((await customer.subscription()).status).toBe('past_due')
    await passDays(6.9)
    expect(await customer.tier()).toBe('pro')
    await passDays(0.2)
    expect(await customer.tier()).toBe('free')
    billingApp.stripe.payOpenInvoices(id)
    await deliver()
    expect(await customer.tier()).toBe('pro')
    expect((await customer.subscription()).status).toBe('active')
  })

  test('that was paid within the week gets a new week when the next payment fails', async () => {
    const id = await subscribe('pro')
    billingApp.stripe.renew(id, 'failed')
    await deliver()
    await passDays(3)
    billingApp.stripe.payOpenInvoices(id)
    billingApp.stripe.renew(id, 'failed')
    await deliver()
    await passDays(6.9)
    expect(await customer.tier()).toBe('pro')
    await passDays(0.2)
    expect(await customer.tier()).toBe('free')
  })

  test('has one week, not one for each failed payment', async () => {
    const id = await subscribe('pro')
    billingApp.stripe.renew(id, 'failed')
    await deliver()
    await passDays(8)
    billingApp.stripe.renew(id, 'failed')
    await deliver()
    expect(await customer.tier()).toBe('free')
  })

  test('is upgraded at once', async () => {
    const id = await subscribe('hobby')
    await customer.portal()
    await passDays(10)
    for (const plan of ['starter', 'pro', 'business'] as const) {
      billingApp.stripe.changePlan(id, plan)
      await deliver()
      expect(await customer.tier()).toBe(plan)
    }
  })

  test('is downgraded when its period ends', async () => {
    const id = await subscribe('business')
    await customer.portal()
    billingApp.stripe.changePlan(id, 'starter')
    await deliver()
    expect(await customer.tier()).toBe('business')
    expect(await customer.subscription()).toMatchObject({ plan: 'business', next_plan: 'starter' })
    billingApp.stripe.renew(id)
    await deliver()
    expect(await customer.tier()).toBe('starter')
    expect(await customer.subscription()).toMatchObject({ plan: 'starter', next_plan: null })
  })

  test('lasts until the end of its period after cancelling, or longer after resuming', async () => {
    const id = await subscribe('pro')
    billingApp.stripe.cancelAtPeriodEnd(id)
    await deliver()
    expect(await customer.subscription()).toMatchObject({ cancel_at_period_end: true })
    billingApp.stripe.cancelAtPeriodEnd(id, false)
    await deliver()
    expect(await customer.subscription()).toMatchObject({ cancel_at_period_end: false })
    billingApp.stripe.cancelAtPeriodEnd(id)
    await deliver()
    await passDays(29)
    expect(await customer.tier()).toBe('pro')
    billingApp.stripe.renew(id)
    await deliver()
    expect(await customer.tier()).toBe('free')
    expect((await customer.subscription()).status).toBe('canceled')
    await subscribe('hobby')
    expect(await customer.tier()).toBe('hobby')
  })

  test.each(['unpaid', 'paused'] as const)('grants nothing while it is %s', async (status) => {
    const id = await subscribe('pro')
    billingApp.stripe.setStatus(id, status)
    await deliver()
    expect(await customer.tier()).toBe('free')
    billingApp.stripe.setStatus(id, 'active')
    await deliver()
    expect(await customer.tier()).toBe('pro')
  })

  test('that is ended immediately is over on the next request', async () => {
    const id = await subscribe('pro')
    billingApp.stripe.cancelNow(id)
    await deliver()
    expect([await customer.tier(), await customer.proStatus()]).toEqual(['free', 403])
  })

  test('does not lower the tier that the operator assigned', async () => {
    const { ledger, now } = billingApp.testApp.deps
    await ledger.accounts.updateTier(customer.email, 'starter', { now: now(), address: undefined })
    const id = await subscribe('pro')
    expect(await customer.tier()).toBe('pro')
    billingApp.stripe.cancelNow(id)
    await deliver()
    expect(await customer.tier()).toBe('starter')
  })

  test('that was refunded is recorded, and ends when the operator ends it', async () => {
    const id = await subscribe('pro')
    billingApp.stripe.refund(paymentOf(id), PRICE_CENTS.pro)
    await deliver()
    expect(await customer.tier()).toBe('pro')
    billingApp.stripe.cancelNow(id)
    await deliver()
    expect(await customer.tier()).toBe('free')
  })

  test('grants nothing during a dispute, and counts again once it is won', async () => {
    const id = await subscribe('pro')
    const dispute = billingApp.stripe.dispute(paymentOf(id))
    await deliver()
    expect(await customer.tier()).toBe('free')
    billingApp.stripe.closeDispute(dispute, 'won')
    await deliver()
    expect(await customer.tier()).toBe('pro')
    const second = billingApp.stripe.dispute(paymentOf(id))
    billingApp.stripe.closeDispute(second, 'lost')
    await deliver()
    expect(await customer.tier()).toBe('free')
    billingApp.stripe.renew(id, 'paid')
    await deliver()
    expect(await customer.tier()).toBe('pro')
  })
})

describe('a pack', () => {
  test('is credited once paid, and only once', async () => {
    const session = await customer.checkout('scans_5000')
    expect(await customer.scans()).toBe(0)
    billingApp.stripe.pay(session)
    const events = billingApp.stripe.takeEvents()
    expect(await billingApp.deliver([...events, ...events])).toEqual([])
    expect(await customer.scans()).toBe(5_000)
  })

  test('that is refunded is withdrawn in full or in part', async () => {
    const payment = await buyPack('scans_1000')
    billingApp.stripe.refund(payment, 500)
    await deliver()
    expect(await customer.scans()).toBe(1_000 - 333)
    billingApp.stripe.refund(payment, 250)
    await deliver()
    expect(await customer.scans()).toBe(500)
    billingApp.stripe.refund(payment, 750)
    await deliver()
    expect(await customer.scans()).toBe(0)
  })

  test('that was used before its refund is settled by the next one', async () => {
    const payment = await buyPack('scans_1000')
    await customer.scan(600)
    billingApp.stripe.refund(payment, PRICE_CENTS.scans_1000)
    await deliver()
    // 25 were from the trial.
    expect(await customer.scans()).toBe(0)
    await buyPack('scans_1000')
    expect(await customer.scans()).toBe(1_000 - 575)
  })

  test('is withdrawn during a dispute, and returned only if the dispute is won', async () => {
    const payment = await buyPack('scans_1000')
    await customer.scan(100)
    const dispute = billingApp.stripe.dispute(payment)
    await deliver()
    expect(await customer.scans()).toBe(0)
    billingApp.stripe.closeDispute(dispute, 'won')
    await deliver()
    expect(await customer.scans()).toBe(925)
    const second = billingApp.stripe.dispute(payment, 750)
    billingApp.stripe.closeDispute(second, 'lost')
    await deliver()
    expect(await customer.scans()).toBe(425)
  })

  test.each([
    ['comes', 1_000],
    ['fails', 0],
  ] as const)('whose bank transfer %s has %i scans then, and none before', async (what, scans) => {
    const session = await customer.checkout('scans_1000')
    billingApp.stripe.payLater(session)
    await deliver()
    expect(await customer.scans()).toBe(0)
    await passDays(4)
    if (what === 'comes') billingApp.stripe.settle(session)
    else billingApp.stripe.failPayment(session)
    await deliver()
    expect(await customer.scans()).toBe(scans)
    // Either way, it does not block the next one.
    await buyPack('scans_1000')
    expect(await customer.scans()).toBe(scans + 1_000)
  })

  test('expires if it is not paid in time', async () => {
    const session = await customer.checkout('scans_1000')
    billingApp.advance(MS_PER_DAY + 1)
    await deliver()
    expect(
      await billingApp.testApp.deps.ledger.checkouts.listOpen(new Date('9999-01-01'), 10),
    ).toEqual([])
    expect(await customer.checkout('scans_1000')).not.toBe(session)
    expect(await customer.scans()).toBe(0)
  })
})

describe('an object of another product or account', () => {
  test('does nothing: an unknown customer', async () => {
    const session = await customer.checkout('pro')
    const known = billingApp.stripe.books.sessions.get(session)
    if (known !== undefined) known.customer = 'cus_somebody'
    billingApp.stripe.pay(session)
    await deliver()
    expect(await customer.tier()).toBe('free')
  })

  test('does nothing: another account’s checkout in the metadata', async () => {
    const other = await billingApp.newcomer()
    const own = await customer.checkout('scans_1000')
    const { books } = billingApp.stripe
    const foreign = books.sessions.get(await other.checkout('scans_1000'))
    const known = books.sessions.get(own)
    if (known !== undefined) known.metadata = foreign?.metadata ?? null
    billingApp.stripe.pay(own)
    await deliver()
    expect([await customer.scans(), await other.scans()]).toEqual([0, 0])
    expect(billingApp.testApp.log.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  test('does nothing: an item in the metadata that differs from the checkout', async () => {
    const session = await customer.checkout('scans_1000')
    const known = billingApp.stripe.books.sessions.get(session)
    if (known?.metadata) known.metadata.item = 'scans_100000'
    billingApp.stripe.pay(session)
    await deliver()
    expect(await customer.scans()).toBe(0)
  })

  test('does nothing: the operator’s other products, bought by the same customer', async () => {
    await customer.portal()
    const { books } = billingApp.stripe
    const [payer = ''] = books.customers.keys()
    const authorization = { Authorization: 'Bearer sk_test_standin' }
    for (const mode of ['payment', 'subscription'] as const) {
      const price = billingApp.stripe.addPrice({
        unit_amount: 700,
        isMonthly: mode === 'subscription',
      })
      const body = new URLSearchParams({ mode, customer: payer, 'line_items[0][price]': price })
      const url = `${billingApp.stripe.url}/v1/checkout/sessions`
      const made = await (await fetch(url, { method: 'POST', headers: authorization, body })).json()
      billingApp.stripe.pay(made.id)
    }
    await deliver()
    expect([await customer.tier(), await customer.scans()]).toEqual(['free', 0])
    // Such a subscription does not block buying a plan here.
    await subscribe('pro')
    expect(await customer.tier()).toBe('pro')
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { reconcileBilling } from '#actions/billing/reconcile-billing.ts'
import { BILLABLE_ITEMS } from '#rules/billing/plans.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { type BillingTestApp, createBillingTestApp } from '../../support/billing/billing-app.ts'
import { findStripeMock, startStripeMock } from '../../support/billing/stripe-mock.ts'

// Stripe's own test server must accept every request of a full billing cycle.

const mock = findStripeMock()
if ('why' in mock) console.info(`The test against stripe-mock is left out: ${mock.why}.`)

describe.skipIf('why' in mock)('against stripe-mock', () => {
  let official: Awaited<ReturnType<typeof startStripeMock>>
  let billingApp: BillingTestApp

  beforeAll(async () => {
    official = await startStripeMock('file' in mock ? mock.file : '')
    billingApp = await createBillingTestApp()
  })
  afterAll(() => official?.close())

  test('every request of a billing cycle is accepted', async () => {
    await liveALife(billingApp)
    const refused: unknown[] = []
    const requests = new Map(
      billingApp.stripe.requests.map((one) => [`${one.method} ${one.path} ${one.params}`, one]),
    )
    for (const { method, path, params } of requests.values()) {
      const isGet = method === 'GET'
      const url = `${official.url}/v1/${path}${isGet && params.size > 0 ? `?${params}` : ''}`
      const headers = { Authorization: 'Bearer sk_test_123' }
      const reply = await fetch(url, { method, headers, ...(isGet ? {} : { body: params }) })
      if (reply.status !== 200) refused.push([method, path, await reply.text()])
    }
    expect(refused).toEqual([])
    expect(requests.size).toBeGreaterThan(40)
  })
})

/** Buys, changes, refunds, disputes and queries everything once. */
async function liveALife(billingApp: BillingTestApp): Promise<void> {
  const { stripe } = billingApp
  const customer = await billingApp.newcomer()
  for (const item of BILLABLE_ITEMS) await customer.checkout(item)
  stripe.pay(await customer.checkout('scans_1000'))
  stripe.pay(await customer.checkout('pro'))
  expect(await billingApp.deliver()).toEqual([])
  await customer.portal()
  await customer.buy('business')
  const [id = ''] = stripe.books.subscriptions.keys()
  stripe.changePlan(id, 'business')
  stripe.changePlan(id, 'hobby')
  const [pack, plan] = [...stripe.books.charges.values()].map((one) => String(one.payment_intent))
  stripe.refund(pack ?? '', 500)
  stripe.closeDispute(stripe.dispute(plan ?? ''), 'won')
  stripe.renew(id, 'failed')
  expect(await billingApp.deliver()).toEqual([])
  stripe.payOpenInvoices(id)
  billingApp.advance(2 * MS_PER_DAY)
  await reconcileBilling(billingApp.testApp.deps)
}

import { beforeEach, expect, test } from 'bun:test'
import { deleteAccount } from '#actions/accounts/delete-account.ts'
import { type BillingTestApp, createBillingTestApp } from '../../support/billing/billing-app.ts'

// Deletion of accounts that have ordered at Stripe.

let billing: BillingTestApp
beforeEach(async () => {
  billing = await createBillingTestApp()
})

/** Creates an account with a paid plan, a paid pack and an open order. */
async function createBuyer() {
  const { stripe, testApp } = billing
  const customer = await billing.newcomer()
  for (const item of ['pro', 'scans_1000'] as const) {
    stripe.pay(await customer.checkout(item))
  }
  expect(await billing.deliver()).toEqual([])
  const open = await customer.checkout('scans_5000')
  const { created_at = 0 } = (await testApp.deps.ledger.accounts.getById(customer.id)) ?? {}
  return { customer, open, account: { id: customer.id, created_at } }
}

test('a subscription ends at once at Stripe, and an open order can no longer be paid', async () => {
  const { stripe, testApp } = billing
  const { ledger } = testApp.deps
  const { customer, open, account } = await createBuyer()
  const paid = await ledger.payments.listByAccount(customer.id, 10)
  expect(await customer.tier()).toBe('pro')

  await deleteAccount(testApp.deps, account)
  const events = stripe.takeEvents().map(({ type }) => type)
  expect(events.sort()).toEqual(['checkout.session.expired', 'customer.subscription.deleted'])
  expect((await testApp.deps.stripe?.getSession(open))?.status).toBe('expired')
  expect(await ledger.checkouts.listOpenByAccount(customer.id)).toEqual([])
  const [subscription] = await ledger.subscriptions.listByAccount(customer.id, testApp.deps.now())
  expect(subscription?.status).toBe('canceled')
  expect(await ledger.payments.listByAccount(customer.id, 10)).toEqual(paid)
  expect(await ledger.scans.listUnbalanced()).toEqual([])
})

test('an order that was paid in the same moment is booked under the number of the account', async () => {
  const { stripe, testApp } = billing
  const { ledger } = testApp.deps
  const { customer, open, account } = await createBuyer()
  stripe.pay(open)
  await deleteAccount(testApp.deps, account)
  expect(await billing.deliver()).toEqual([])
  const movements = await ledger.payments.listByAccount(customer.id, 10)
  expect(movements.map(({ item }) => item).sort()).toEqual(['pro', 'scans_1000', 'scans_5000'])
  expect(await ledger.scans.listUnbalanced()).toEqual([])
  expect((await ledger.accounts.getById(customer.id))?.tier).toBe('free')
})

test('nothing is deleted while Stripe does not answer', async () => {
  const { stripe, testApp } = billing
  const { customer, account } = await createBuyer()
  stripe.misbehave({ status: 503 })
  await expect(deleteAccount(testApp.deps, account)).rejects.toMatchObject({
    code: 'BILLING_UNAVAILABLE',
  })
  expect(await testApp.deps.ledger.accounts.getByEmail(customer.email)).toBeDefined()
  expect(await customer.tier()).toBe('pro')
})

test('a customer that is gone at Stripe does not hold the deletion up', async () => {
  const { testApp } = billing
  const { customer, account } = await createBuyer()
  await testApp.deps.stripe?.deleteCustomer(
    (await testApp.deps.ledger.billing.getCustomer(customer.id)) ?? '',
  )
  await deleteAccount(testApp.deps, account)
  expect(await testApp.deps.ledger.accounts.getByEmail(customer.email)).toBeUndefined()
})

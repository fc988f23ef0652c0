import { beforeEach, describe, expect, test } from 'bun:test'
import { completeCheckout } from '#actions/billing/complete-checkout.ts'
import type { PaymentLink, Usage } from '../../../src/client/endpoints.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, PUBLIC_URL, type TestApp, type TestUser } from '../../support/test-app.ts'

// Purchases with manual billing, by a customer with a session.

let testApp: TestApp
const open = async (env: Record<string, string> = {}) => {
  testApp = await createTestApp({ env })
  return testApp
}
beforeEach(() => open())

async function buyer(testAccount: 'free' | 'hobby' | 'pro' = 'free') {
  const session = await testApp.createSession(testAccount)
  const post = (path: string, json?: object) =>
    testApp.client.post<PaymentLink>(path, json, { session })
  const buy = (plan: string) => post('/v1/payments/create-checkout', { plan })
  const idOf = async (plan: string) => (await buy(plan)).body.data.url.split('/').at(-1) ?? ''
  return {
    session,
    buy,
    idOf,
    portal: () => post('/v1/payments/portal'),
    pay: async (plan: string) => completeCheckout(testApp.deps, await idOf(plan)),
    usage: async () => (await testApp.client.get<Usage>('/v1/usage', { session })).body.data,
  }
}

const limitOf = async (as: TestUser) =>
  Number((await testApp.client.get('/v1/sets', { as })).headers.get('x-ratelimit-limit'))

describe('a checkout', () => {
  test('returns 200 with the URL of a page that cannot be guessed, and sells nothing yet', async () => {
    const { buy, usage } = await buyer()
    const { status, body } = await buy('pro')
    expect([status, body.data.kind]).toEqual([200, 'checkout'])
    const id = body.data.url.replace(`${PUBLIC_URL}/checkout/`, '')
    expect(id).toMatch(/^co_[\w-]{32}$/)
    expect((await usage()).account.tier).toBe('free')
  })

  test('is reused by a repeated request, also with concurrent ones', async () => {
    const { buy } = await buyer()
    const replies = await Promise.all(Array.from({ length: 8 }, () => buy('pro')))
    expect(new Set(replies.map(({ body }) => body.data.url)).size).toBe(1)
  })

  test('of a plan replaces that of another plan, which expires', async () => {
    const { idOf } = await buyer()
    const [hobby, pro] = [await idOf('hobby'), await idOf('pro')]
    expect(hobby).not.toBe(pro)
    expect(await testApp.deps.ledger.checkouts.getById(hobby)).toMatchObject({ state: 'ended' })
    expect(await completeCheckout(testApp.deps, pro)).toMatchObject({ state: 'paid' })
  })

  test('returns 429 after sixty per hour', async () => {
    const { buy } = await buyer()
    for (let count = 0; count < 60; count++) expect((await buy('pro')).status).toBe(200)
    const refused = await buy('pro')
    expect([refused.status, refused.body.error.code]).toEqual([429, 'TOO_MANY_ATTEMPTS'])
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 3_601)
    expect((await (await buyer('pro')).buy('business')).status).toBe(200)
  })

  test('completes itself with BILLING_DEV_AUTOPAY=on', async () => {
    await open({ BILLING_DEV_AUTOPAY: 'on' })
    const { buy, usage } = await buyer()
    expect((await buy('starter')).body.data.kind).toBe('checkout')
    expect((await usage()).account.tier).toBe('starter')
  })
})

describe('a paid plan', () => {
  test('applies to the next request with a key, and so does its end', async () => {
    const { pay, usage } = await buyer()
    expect(await limitOf('free')).toBe(100)
    await pay('pro')
    expect(await limitOf('free')).toBe(10_000)
    expect((await usage()).subscription).toEqual({
      plan: 'pro',
      status: 'active',
      current_period_end: '2026-12-15T21:30:00.000Z',
      cancel_at_period_end: false,
      next_plan: null,
    })
    testApp.setClock('2026-12-22T21:30:00Z')
    await testApp.deps.ledger.subscriptions.settleDue(testApp.deps.now())
    expect(await limitOf('free')).toBe(100)
  })

  test('is the last to be sold while a cheaper one waits for its end', async () => {
    const first = await buyer()
    await first.pay('pro')
    await first.pay('hobby')
    expect((await first.buy('starter')).body.data).toEqual({
      url: `${PUBLIC_URL}/billing`,
      kind: 'portal',
    })

    testApp.setClock('2026-12-16T00:00:00Z')
    await testApp.deps.ledger.subscriptions.settleDue(testApp.deps.now())
    expect(await limitOf('free')).toBe(1_000)
    // Nothing is pending any more, so it can be renewed.
    expect((await (await buyer()).buy('hobby')).body.data.kind).toBe('checkout')
  })
})

test('the portal is Cardstock’s own page', async () => {
  const { portal } = await buyer()
  const { status, body } = await portal()
  expect(status).toBe(200)
  expect(body.data).toEqual({ url: `${PUBLIC_URL}/billing`, kind: 'portal' })
})

test('with billing off both return 404', async () => {
  await open({ BILLING_PROVIDER: 'off' })
  const { buy, portal } = await buyer()
  for (const refused of [await buy('pro'), await portal()]) expectRefusal(refused, 404, 'NOT_FOUND')
})

import { afterEach, describe, expect, test } from 'bun:test'
import { completeCheckout } from '#actions/billing/complete-checkout.ts'
import { createTestApp, PUBLIC_URL, type TestApp, type TestUser } from '../../support/test-app.ts'

// Purchases with manual billing, by a customer with a session.

let testApp: TestApp
const open = async (env: Record<string, string> = {}) => {
  testApp = await createTestApp({ env })
  return testApp
}
afterEach(() => testApp.close())

type Way = { url: string; kind: string }

async function buyer(testAccount: 'free' | 'hobby' | 'pro' = 'free') {
  const session = await testApp.createSession(testAccount)
  const post = (path: string, json?: object) => testApp.client.post<Way>(path, json, { session })
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

type Usage = { account: { tier: string }; subscription: object; scans: object }

const limitOf = async (as: TestUser) =>
  Number((await testApp.client.get('/v1/sets', { as })).headers.get('x-ratelimit-limit'))

describe('a checkout', () => {
  test('returns 200 with the URL of a page that cannot be guessed, and sells nothing yet', async () => {
    await open()
    const { buy, usage } = await buyer()
    const { status, body } = await buy('pro')
    expect([status, body.data.kind]).toEqual([200, 'checkout'])
    const id = body.data.url.replace(`${PUBLIC_URL}/checkout/`, '')
    expect(id).toMatch(/^co_[\w-]{32}$/)
    expect((await usage()).account.tier).toBe('free')
  })

  test('is reused by a repeated request, also with concurrent ones', async () => {
    await open()
    const { buy } = await buyer()
    const replies = await Promise.all(Array.from({ length: 8 }, () => buy('pro')))
    expect(new Set(replies.map(({ body }) => body.data.url)).size).toBe(1)
  })

  test('of a plan replaces that of another plan, which expires', async () => {
    await open()
    const { idOf } = await buyer()
    const [hobby, pro] = [await idOf('hobby'), await idOf('pro')]
    expect(hobby).not.toBe(pro)
    expect(await testApp.deps.ledger.checkouts.getById(hobby)).toMatchObject({ state: 'ended' })
    expect(await completeCheckout(testApp.deps, pro)).toMatchObject({ state: 'paid' })
  })

  test('of each pack is separate, and separate from that of a plan', async () => {
    await open()
    const { idOf, usage } = await buyer()
    const ids = [await idOf('pro'), await idOf('scans_1000'), await idOf('scans_5000')]
    for (const id of ids) await completeCheckout(testApp.deps, id)
    const report = await usage()
    expect(report.account.tier).toBe('pro')
    expect(report.scans).toEqual({ balance: 6_000, trial_pending: true })
  })

  test('of one account differs from that of another account', async () => {
    await open()
    const [one, two] = [await buyer('free'), await buyer('hobby')]
    expect(await one.idOf('pro')).not.toBe(await two.idOf('pro'))
  })

  test('that was not paid within thirty days is replaced', async () => {
    await open()
    const { idOf } = await buyer()
    const first = await idOf('pro')
    testApp.setClock('2026-12-16T21:30:00Z')
    const late = await buyer()
    expect(await late.idOf('pro')).not.toBe(first)
  })

  test.each(['free', 'gold', '', 'PRO', 'scans_10', 'constructor', 7, null])(
    'of %p returns 400 and names the field',
    async (plan) => {
      await open()
      const session = await testApp.createSession('free')
      const path = '/v1/payments/create-checkout'
      const { status, body } = await testApp.client.post(path, { plan }, { session })
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(body.error.message).toContain('plan')
    },
  )

  test('requires a session', async () => {
    await open()
    for (const path of ['create-checkout', 'portal']) {
      const { status, body } = await testApp.client.post(`/v1/payments/${path}`, { plan: 'pro' })
      expect([status, body.error.code]).toEqual([401, 'SESSION_REQUIRED'])
    }
  })

  test('returns 429 after sixty per hour', async () => {
    await open()
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
    await open()
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

  test('is extended by another month when bought again', async () => {
    await open()
    const { pay, usage } = await buyer()
    await pay('pro')
    await pay('pro')
    const subscription = { plan: 'pro', current_period_end: '2027-01-15T21:30:00.000Z' }
    expect((await usage()).subscription).toMatchObject(subscription)
  })

  test('is replaced at once by a more expensive one, with credit for the rest', async () => {
    await open()
    const { pay, usage } = await buyer()
    await pay('hobby')
    await pay('business')
    const { subscription } = await usage()
    // 30 days of Hobby are worth 2.997 days of Business.
    expect(subscription).toMatchObject({ plan: 'business', next_plan: null })
    expect(JSON.stringify(subscription)).toContain('2026-12-18T21')
    expect(await limitOf('free')).toBe(50_000)
  })

  test('lasts until its end if a cheaper one is bought, which can then be extended', async () => {
    await open()
    const first = await buyer()
    await first.pay('pro')
    await first.pay('hobby')
    const waiting = { plan: 'pro', next_plan: 'hobby' }
    expect((await first.usage()).subscription).toMatchObject(waiting)
    expect((await first.buy('starter')).body.data).toEqual({
      url: `${PUBLIC_URL}/billing`,
      kind: 'portal',
    })

    testApp.setClock('2026-12-16T00:00:00Z')
    await testApp.deps.ledger.subscriptions.settleDue(testApp.deps.now())
    expect(await limitOf('free')).toBe(1_000)
    const later = await buyer()
    expect((await later.usage()).subscription).toMatchObject({ plan: 'hobby', next_plan: null })
    // Nothing is pending any more, so it can be renewed.
    expect((await later.buy('hobby')).body.data.kind).toBe('checkout')
    await later.pay('hobby')
    const renewed = { plan: 'hobby', current_period_end: '2027-02-15T21:30:00.000Z' }
    expect((await later.usage()).subscription).toMatchObject(renewed)
  })

  test('never lowers a tier that the operator assigned', async () => {
    await open()
    const { pay, usage } = await buyer('pro')
    await pay('hobby')
    expect((await usage()).account.tier).toBe('pro')
    expect((await usage()).subscription).toMatchObject({ plan: 'hobby', status: 'active' })
  })
})

test('the portal is Cardstock’s own page', async () => {
  await open()
  const { portal } = await buyer()
  const { status, body } = await portal()
  expect(status).toBe(200)
  expect(body.data).toEqual({ url: `${PUBLIC_URL}/billing`, kind: 'portal' })
})

test('with billing off both return 404 with a reference to the operator', async () => {
  await open({ BILLING_PROVIDER: 'off' })
  const { buy, portal } = await buyer()
  for (const { status, body } of [await buy('pro'), await portal()]) {
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(body.error.message).toContain('Contact its operator')
  }
})

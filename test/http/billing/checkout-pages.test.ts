import { beforeEach, describe, expect, test } from 'bun:test'
import { completeCheckout, refundCheckout } from '#actions/billing/complete-checkout.ts'
import { createTestApp, emailOf, type TestApp } from '../../support/test-app.ts'

// The billing pages in a browser: their content and their permissions.

let testApp: TestApp
const open = async (env: Record<string, string> = {}) => {
  testApp = await createTestApp({ env })
  return testApp
}
beforeEach(() => open())

async function ordered(plan: string, testAccount: 'free' | 'hobby' = 'free'): Promise<string> {
  const session = await testApp.createSession(testAccount)
  const path = '/v1/payments/create-checkout'
  const { body } = await testApp.client.post<{ url: string }>(path, { plan }, { session })
  return body.data.url.split('/').at(-1) ?? ''
}

const page = (path: string, session?: string) => testApp.client.get(path, { session })

/** Returns the visible text of a page. */
const wordsOf = (text: string) =>
  text
    .replaceAll(/<(head|style)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    .replaceAll(/\s+/g, ' ')

describe('the page of an order', () => {
  test('shows item, price and next step without a login', async () => {
    await open({ BILLING_CONTACT: 'sales@shop.example' })
    const id = await ordered('pro')
    const { status, text } = await page(`/checkout/${id}`)
    expect(status).toBe(200)
    const words = wordsOf(text)
    for (const part of [
      'Waiting for payment',
      'Pro plan',
      '$49.99',
      'f***@guests.example',
      'to arrange the payment',
      'sales@shop.example',
      id.slice(0, 11),
      'December 15, 2026',
      'Reload this page',
    ])
      expect(words).toContain(part)
    expect(text).toContain(`href="mailto:sales@shop.example?subject=Order%20${id.slice(0, 11)}`)
    expect(text).not.toContain(emailOf('free'))
    expect(text).not.toContain(id.slice(12))
  })

  test('shows when it was paid, and nothing of its account, unlike the billing page', async () => {
    const [plan, pack] = [await ordered('pro'), await ordered('scans_1000')]
    await completeCheckout(testApp.deps, plan)
    await completeCheckout(testApp.deps, pack)
    const ofPlan = await page(`/checkout/${plan}`)
    const ofPack = await page(`/checkout/${pack}`)
    expect(wordsOf(ofPlan.text)).toContain('Paid on November 15, 2026 . The plan applies')
    expect(wordsOf(ofPack.text)).toContain('Paid on November 15, 2026 . The scans were added')
    for (const { text } of [ofPlan, ofPack]) {
      expect(text).toContain('href="/billing"')
      // Neither the tier, nor the end of the paid period, nor the number of scans.
      const words = wordsOf(text)
      for (const detail of ['tier', 'December', '2026-12', '1,025', '1025', 'read now', '$0']) {
        expect(words).not.toContain(detail)
      }
      expect(text).not.toContain(emailOf('free'))
    }
    expect(wordsOf(ofPack.text)).not.toContain('Pro')
  })

  test('is not changed by other purchases of its account', async () => {
    const pack = await ordered('scans_1000')
    await completeCheckout(testApp.deps, pack)
    const before = await page(`/checkout/${pack}`)
    await completeCheckout(testApp.deps, await ordered('business'))
    await completeCheckout(testApp.deps, await ordered('scans_5000'))
    expect((await page(`/checkout/${pack}`)).text).toBe(before.text)
  })

  test('shows that it has expired or was refunded, and how to order again', async () => {
    const [ended, pack] = [await ordered('hobby'), await ordered('scans_1000')]
    await ordered('pro')
    await completeCheckout(testApp.deps, pack)
    await refundCheckout(testApp.deps, pack)
    const ofEnded = wordsOf((await page(`/checkout/${ended}`)).text)
    expect(ofEnded).toContain('Do not pay it')
    expect((await page(`/checkout/${ended}`)).text).toContain(
      '<a href="/account/plan">Order again</a>',
    )
    expect(wordsOf((await page(`/checkout/${pack}`)).text)).toContain('scans were removed')
  })

  test.each(['co_', 'co_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', "'--", '%3Cscript%3E', '__proto__'])(
    'of %p is a 404 page',
    async (id) => {
      const { status, text, headers } = await page(`/checkout/${id}`)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(wordsOf(text)).toContain('Order not found')
    },
  )

  test('does not open with the short form of its id or for an order at Stripe', async () => {
    const id = await ordered('pro')
    expect((await page(`/checkout/${id.slice(0, 11)}`)).status).toBe(404)
    expect((await page(`/checkout/${id.slice(0, -1)}`)).status).toBe(404)
    const { ledger } = testApp.deps
    const stripes = { id: 'co_stripe', account_id: 1, provider: 'stripe', item: 'pro' } as const
    await ledger.checkouts.create({ ...stripes, amount_cents: 1, now: new Date(1), openMs: 1 })
    expect((await page('/checkout/co_stripe')).status).toBe(404)
  })

  test.each([
    ['https://shop.example/pay?a=1&b=2', 'href="https://shop.example/pay?a=1&#38;b=2"'],
    ['+49 30 1234 "office"', '+49 30 1234 &#34;office&#34;'],
    ['javascript:alert(1)', 'Contact javascript:alert(1) to'],
    ['<b>me</b>', '&#60;b&#62;me&#60;/b&#62;'],
    ['" onmouseover="x@y.example', '&#34; onmouseover=&#34;x@y.example'],
  ])('gives the contact %p', async (contact, shown) => {
    await open({ BILLING_CONTACT: contact })
    const { text } = await page(`/checkout/${await ordered('pro')}`)
    expect(text).toContain(shown)
    expect(text).not.toContain('<b>')
    expect(text).not.toContain('href="javascript')
    expect(text).not.toMatch(/<[^>]* onmouseover/)
  })
})

describe('the billing page', () => {
  test('shows plan, end, next period, scans, open orders and payments', async () => {
    await open({ BILLING_CONTACT: 'sales@shop.example' })
    await completeCheckout(testApp.deps, await ordered('pro'))
    await completeCheckout(testApp.deps, await ordered('hobby'))
    const pack = await ordered('scans_5000')
    const { status, text } = await page('/billing', await testApp.createSession('free'))
    expect(status).toBe(200)
    const words = wordsOf(text)
    for (const part of [
      'Active Pro tier',
      'Account free@guests.example',
      'Plan Pro plan',
      'Until December 15, 2026',
      'After that Hobby plan',
      'Scans left 25',
      'Waiting for payment',
      '5,000 scans',
      '$60.00',
      '$49.99',
      '$9.99',
      'do not renew automatically',
    ])
      expect(words).toContain(part)
    expect(text).toContain(`href="/checkout/${pack}"`)
    expect(words).not.toContain('Thank you')
  })

  test('shows a missing payment, and until when the plan stays', async () => {
    await completeCheckout(testApp.deps, await ordered('pro'))
    testApp.setClock('2026-12-16T00:00:00Z')
    const words = wordsOf((await page('/billing', await testApp.createSession('free'))).text)
    expect(words).toContain('Payment overdue')
    expect(words).toContain('Pay by December 22, 2026')
  })

  test('shows how to buy to an account without purchases', async () => {
    const { text } = await page('/billing', await testApp.createSession('free'))
    expect(wordsOf(text)).toContain('No plan Free tier')
    expect(wordsOf(text)).toContain('No payments yet')
    expect(text).toContain('href="/account/plan"')
    expect(text).toContain('href="/account/scans"')
  })

  test('shows twenty movements, newest first', async () => {
    for (let pack = 0; pack < 21; pack++) {
      testApp.setClock(`2026-11-15T22:${String(pack + 10)}:00Z`)
      await completeCheckout(testApp.deps, await ordered(pack === 0 ? 'scans_5000' : 'scans_1000'))
    }
    const { text } = await page('/billing', await testApp.createSession('free'))
    expect(text.match(/\$15\.00/g)).toHaveLength(20)
    expect(text).not.toContain('$60.00')
  })

  test('thanks for the payment, with and without a session', async () => {
    for (const session of [await testApp.createSession('free'), undefined]) {
      const words = wordsOf((await page('/billing?checkout=done', session)).text)
      expect(words).toContain('Thank you. Your payment can take a moment')
      const unpaid = wordsOf((await page('/billing?checkout=cancelled', session)).text)
      expect(unpaid).not.toContain('Thank you')
    }
  })

  test('returns 401 without a session, shows how to log in, and no account data', async () => {
    for (const session of [undefined, 'no-such-token']) {
      const { status, text } = await page('/billing', session)
      expect(status).toBe(401)
      expect(text).toContain('href="/login?to=/billing"')
      expect(wordsOf(text)).not.toContain('@')
    }
  })

  test('shows that nothing is sold if billing is off', async () => {
    await open({ BILLING_PROVIDER: 'off' })
    const { status, text } = await page('/billing', await testApp.createSession('free'))
    expect([status, wordsOf(text).includes('Billing is disabled on this server')]).toEqual([
      404,
      true,
    ])
  })

  test('links to Stripe’s portal if the provider is Stripe', async () => {
    const env = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
    await open(env)
    const words = wordsOf((await page('/billing', await testApp.createSession('free'))).text)
    expect(words).toContain('Choose Manage subscription on your plan page to open Stripe')
  })
})

describe('every page', () => {
  test('runs only scripts of this server, may not send or be framed, and is neither cached nor indexed', async () => {
    const id = await ordered('pro')
    const session = await testApp.createSession('free')
    for (const path of [`/checkout/${id}`, '/checkout/none', '/billing']) {
      const { headers, text } = await page(path, session)
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-robots-tag')).toContain('noindex')
      expect(headers.get('strict-transport-security')).toContain('max-age')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('x-request-id')).toBeTruthy()
      expect(text).not.toMatch(
        /<script(?![^>]* src="\/)|<style|<form|<iframe|<img| on\w+="| style="/i,
      )
      expect(text).toContain('<html lang="en">')
      expect(text).toContain('name="viewport"')
    }
  })

  test('answers HEAD without a body, and is counted', async () => {
    const id = await ordered('pro')
    const { status, text } = await testApp.client.head(`/checkout/${id}`)
    expect([status, text]).toEqual([200, ''])
    expect((await page('/metrics')).text).toContain('path="GET /checkout/:id",status="200"} 1')
  })

  test('of an internal error has a request ID, which is in the log', async () => {
    const id = await ordered('pro')
    const { ledger } = testApp.deps
    const byId = ledger.checkouts.getById
    ledger.checkouts.getById = () => Promise.reject(new Error('the disk is gone'))
    const { status, text, headers } = await page(`/checkout/${id}`)
    ledger.checkouts.getById = byId
    expect(status).toBe(500)
    expect(text).toContain(headers.get('x-request-id') ?? 'none')
    expect(text).not.toContain('disk')
    expect(testApp.log).toMatchObject([{ level: 'error', event: 'request failed' }])
  })
})

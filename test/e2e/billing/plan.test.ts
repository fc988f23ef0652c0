// Plans, scans and what is chosen of them, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { completeCheckout } from '#actions/billing/complete-checkout.ts'
import {
  BROWSER_MISSING,
  expectVisible,
  openBrowserUser,
  SCREEN_SIZES,
} from '../../support/browser.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

describe.skipIf(BROWSER_MISSING !== undefined)('plans and scans', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  const sights = SCREEN_SIZES.map((sight, at) => {
    // Who buys has a plan afterwards: each sight is another one's.
    return [sight.name, sight, (['free', 'hobby'] as const)[at]] as const
  })

  test.each(sights)(
    'are looked at; Pro is chosen, paid to the operator, and there: %s',
    async (_, sight, guest = 'free') => {
      const reader = await openBrowserUser(testServer.url, sight)
      await testServer.logIn(reader, guest)
      const { page, faults, look } = reader
      await page.goto('/account/plan')
      const pro = page
        .getByRole('list', { name: 'Plans' })
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: 'Pro' }) })
      await pro.waitFor()
      expect(await pro.textContent()).toMatch(/\$49\.99a month10,000 requests a day/)
      expect(await look('plan')).toEqual([])

      await page.goto('/account/scans')
      await page.getByRole('heading', { name: '1,000 scans' }).waitFor()
      expect(await look('scans')).toEqual([])

      await page.goto('/account/plan')
      await page.getByRole('button', { name: 'Choose Pro' }).click()
      await page.waitForURL(/\/checkout\/co_/)
      await page.getByRole('heading', { name: 'Pro plan' }).waitFor()
      await completeCheckout(testServer.testApp.deps, page.url().split('/').at(-1) ?? '')

      await page.goto('/account/plan')
      await page.getByRole('heading', { level: 2, name: 'Pro Active' }).waitFor()
      expect(await pro.textContent()).toContain('Your plan')
      // It does not renew by itself.
      await pro.getByRole('button', { name: 'Pay another month of Pro' }).waitFor()
      expect(await page.getByText('Until Dec 15, 2026.').count()).toBe(1)
      expect(await look('plan-pro')).toEqual([])
      expect(faults).toEqual([])
      await reader.close()
    },
    60_000,
  )

  test('a double click orders once', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'business')
    const { page } = reader
    let orders = 0
    await page.route('**/v1/payments/create-checkout', async (route) => {
      orders++
      await Bun.sleep(300)
      await route.continue()
    })
    await page.goto('/account/scans')
    await page.getByRole('button', { name: 'Buy 1,000 scans' }).dblclick()
    await page.waitForURL(/\/checkout\/co_/)
    expect(orders).toBe(1)
    await reader.close()
  }, 30_000)

  test('an order that is refused says why, and the page stays usable', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'business')
    const { page, look } = reader
    await page.route(
      '**/v1/payments/create-checkout',
      (route) =>
        route.fulfill({
          status: 503,
          headers: { 'retry-after': '30', 'x-request-id': 'req_1' },
          json: { error: { code: 'BILLING_UNAVAILABLE', message: 'Stripe does not answer.' } },
        }),
      { times: 1 },
    )
    await page.goto('/account/plan')
    await page.getByRole('button', { name: 'Choose Pro' }).click()
    const told = await page.getByRole('alert').textContent()
    expect(told).toContain('Stripe does not answer. You can try again in a minute.')
    expect(told).toContain('req_1')
    expect(await look('plan-refused')).toEqual([])
    await page.getByRole('button', { name: 'Choose Pro' }).click()
    await page.waitForURL(/\/checkout\/co_/)
    await reader.close()
  }, 30_000)

  test('a page that could not be asked for is asked once more', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'pro')
    const { page } = reader
    await page.route(
      '**/v1/plans',
      (route) =>
        route.fulfill({
          status: 503,
          headers: { 'retry-after': '60' },
          json: { error: { code: 'UNAVAILABLE', message: 'Too many are being served.' } },
        }),
      { times: 1 },
    )
    await page.goto('/account/plan')
    await page.getByRole('heading', { name: 'The service is busy' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByRole('list', { name: 'Plans' }))
    await reader.close()
  }, 30_000)
})

test.skipIf(BROWSER_MISSING !== undefined)(
  'where nothing is sold, nothing is offered',
  async () => {
    const site = await startTestServer({ env: { BILLING_PROVIDER: 'off' } })
    const reader = await openBrowserUser(site.url)
    await site.logIn(reader, 'free')
    const { page, faults, look } = reader
    await page.goto('/account/plan')
    await page.getByText('Nothing is sold here').waitFor()
    await page.getByRole('list', { name: 'Plans' }).waitFor()
    expect(await page.getByRole('button', { name: /Choose/ }).count()).toBe(0)
    expect(await look('plan-off')).toEqual([])
    expect(faults).toEqual([])
    await reader.close()
    await site.close()
  },
  30_000,
)

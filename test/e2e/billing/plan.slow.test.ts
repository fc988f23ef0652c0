// Browser tests of plans, scan packs and checkout.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { completeCheckout } from '#actions/billing/complete-checkout.ts'
import {
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  SCREEN_SIZES,
} from '../../support/browser.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

/** Words that only something for sale has. */
const OFFER = /\bBuy\b|per month|Billed|scan packs|See plans|\$(9|19|49|99)\.99|\$15\.00/i

describeInBrowser('plans and scans', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  const screens = SCREEN_SIZES.map((screen, at) => {
    // Each screen size needs a separate account, because buying changes the plan.
    return [screen.name, screen, (['free', 'hobby'] as const)[at]] as const
  })

  test.each(screens)(
    'are listed; Pro is ordered, paid and active: %s',
    async (_, screen, account = 'free') => {
      const user = await openBrowserUser(testServer.url, screen)
      await testServer.logIn(user, account)
      const { page, inspect } = user
      await page.goto('/account/plan')
      const pro = page
        .getByRole('list', { name: 'Plans' })
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: 'Pro' }) })
      await pro.waitFor()
      expect(await pro.textContent()).toMatch(/\$49\.99per month10,000 requests per day/)
      expect(await inspect('plan')).toEqual([])

      await page.goto('/account/scans')
      await page.getByRole('heading', { name: '1,000 scans' }).waitFor()
      expect(await inspect('scans')).toEqual([])

      await page.goto('/account/plan')
      await page.getByRole('button', { name: 'Choose Pro' }).click()
      await page.waitForURL(/\/checkout\/co_/)
      await page.getByRole('heading', { name: 'Pro plan' }).waitFor()
      await completeCheckout(testServer.testApp.deps, page.url().split('/').at(-1) ?? '')

      await page.goto('/account/plan')
      await page.getByRole('heading', { level: 2, name: 'Pro Active' }).waitFor()
      expect(await pro.textContent()).toContain('Your plan')
      // Manual billing does not renew.
      await pro.getByRole('button', { name: 'Pay for another month of Pro' }).waitFor()
      await expectVisible(page.getByText('Until Dec 15, 2026.'))
      expect(await inspect('plan-pro')).toEqual([])
      await user.closeClean()
    },
  )

  test('a double click creates one order', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'business')
    const { page } = user
    let orders = 0
    const clicked = Promise.withResolvers<void>()
    await page.route('**/v1/payments/create-checkout', async (route) => {
      orders++
      await clicked.promise
      await route.continue()
    })
    await page.goto('/account/scans')
    await page.getByRole('button', { name: 'Buy 1,000 scans' }).dblclick()
    clicked.resolve()
    await page.waitForURL(/\/checkout\/co_/)
    expect(orders).toBe(1)
    await user.close()
  })

  test('a failed order shows the reason, and can be repeated', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'business')
    const { page, inspect } = user
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
    const response = await page.getByRole('alert').textContent()
    expect(response).toContain('Stripe does not answer. Try again in a minute.')
    expect(response).toContain('req_1')
    expect(await inspect('plan-refused')).toEqual([])
    await page.getByRole('button', { name: 'Choose Pro' }).click()
    await page.waitForURL(/\/checkout\/co_/)
    await user.close()
  })

  test('the page loads on retry after a 503', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'pro')
    const { page } = user
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
    await page.getByRole('heading', { name: 'The server is busy' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByRole('list', { name: 'Plans' }))
    await user.close()
  })

  test('a community has no page with a plan for sale', async () => {
    const site = await startTestServer({ env: { SERVICE_MODE: 'community' } })
    const user = await openBrowserUser(site.url)
    await site.logIn(user, 'free')
    const account = ['', '/keys', '/usage', '/scans', '/alerts', '/security'].map(
      (part) => `/account${part}`,
    )
    for (const path of ['/', '/cards/900003', '/identify', '/status', '/docs', ...account]) {
      await user.page.goto(path, { waitUntil: 'networkidle' })
      const text = await user.page.locator('body').textContent()
      expect([path, text?.match(OFFER)]).toEqual([path, null])
      const links = await user.page.locator('a[href*="/account/plan"], a[href*="billing"]').count()
      expect([path, links]).toEqual([path, 0])
    }
    await user.close()
    await site.close()
  })

  test('no plan and no price is shown if billing is off', async () => {
    const site = await startTestServer({ env: { BILLING_PROVIDER: 'off' } })
    const user = await openBrowserUser(site.url)
    await site.logIn(user, 'free')
    const { page, inspect } = user
    await page.goto('/account')
    await expectVisible(page.getByRole('heading', { name: 'Your account' }))
    await expectVisible(page.getByRole('link', { name: 'Keys' }).first())
    expect(await page.getByRole('link', { name: 'Plan', exact: true }).count()).toBe(0)
    expect(await inspect('account-without-plans')).toEqual([])
    await page.goto('/account/alerts')
    await expectVisible(page.getByText('Ask the operator of this server for more.'))
    await page.goto('/account/plan')
    await expectVisible(page.getByRole('heading', { name: 'Page not found' }))
    expect(await page.getByText(/\$\d/).count()).toBe(0)
    await user.closeClean()
    await site.close()
  })
})

// Browser tests of watching a price: from the card to the bell.
import { afterAll, beforeAll, expect } from 'bun:test'
import { relayAlert } from '../../contract/alert-endpoints.ts'
import { describeInBrowser, openBrowserUser, testEachScreen } from '../../support/browser.ts'
import { emailOf, FROZEN_TIME } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const MARIGOLD = 900401

describeInBrowser('alerts for people', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  testEachScreen('reach the bell of a free account: %s', async (_, screen) => {
    const user = await openBrowserUser(testServer.url, screen)
    await user.freezeTime(FROZEN_TIME)
    const { page, problems, close, inspect } = user
    await page.goto(`/cards/${MARIGOLD}`)
    const watch = page.getByRole('link', { name: 'Watch this price' })
    expect(await watch.getAttribute('href')).toBe(`/login?to=%2Fcards%2F${MARIGOLD}`)
    await testServer.logIn(user, 'free')
    await page.goto(`/cards/${MARIGOLD}`)
    await page.getByRole('button', { name: 'Watch this price' }).click()
    const dialog = page.getByRole('dialog', { name: 'Watch this price' })
    await dialog.getByText('Now $5.12.').waitFor()
    await dialog.getByRole('button', { name: 'Create alert' }).click()
    await dialog.getByText('Enter a price in USD').waitFor()
    await dialog.getByRole('button', { name: '-10%' }).click()
    expect(await dialog.getByLabel('Price in USD').inputValue()).toBe('4.61')
    expect(await inspect('watch-price')).toEqual([])
    await dialog.getByRole('button', { name: 'Create alert' }).click()
    await dialog.getByText('You get an alert when T.S.V. Marigold is at $4.61 or less.').waitFor()
    expect(await inspect('watch-price-done')).toEqual([])

    const { deps } = testServer.testApp
    const account = await deps.ledger.accounts.getByEmail(emailOf('free'))
    const [alert] = await deps.ledger.priceAlerts.list(account?.id ?? 0)
    await relayAlert(deps, alert?.id ?? '', `msg_${crypto.randomUUID()}`)
    await dialog.getByRole('link', { name: 'Alerts and channels' }).click()
    await page.getByText('T.S.V. Marigold is at $46.40').first().waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Alerts, 1 unread' }).waitFor()
    expect(await inspect('alerts-page')).toEqual([])
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Pause T.S.V. Marigold' }).click()
    await page.getByText('Paused').waitFor()
    await page.getByRole('button', { name: 'Delete T.S.V. Marigold' }).click()
    await page.getByText('You watch no price yet.').waitFor()
    expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
    expect(problems).toEqual([])
    await close()
  })
})

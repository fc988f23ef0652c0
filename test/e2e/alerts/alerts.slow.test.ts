// Browser tests of creating, testing and deleting price alerts.
import { afterAll, beforeAll, expect } from 'bun:test'
import { startReceiver } from '../../support/alerts/receivers.ts'
import {
  type BrowserUser,
  describeInBrowser,
  openBrowserUser,
  testEachScreen,
} from '../../support/browser.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const ALERTS = '/account/alerts'

describeInBrowser('alerts', () => {
  let testServer: TestServer
  const receiver = startReceiver({ behave: () => 'ok with body' })
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(async () => {
    receiver.stop()
    await testServer.close()
  })

  testEachScreen('are created for a card, tested and deleted: %s', async (_, screen) => {
    const user = await openBrowserUser(testServer.url, screen)
    await user.freezeTime(FROZEN_TIME)
    await testServer.logIn(user, 'pro')
    const { page, problems, closeClean, inspect } = user
    await page.goto(ALERTS)
    await page.getByRole('heading', { name: 'No alerts yet' }).waitFor()
    expect(await inspect('alerts none')).toEqual([])

    await page.getByRole('link', { name: 'New alert' }).click()
    const search = page.getByRole('combobox', { name: 'Card', exact: true })
    await search.fill('marigold')
    const choice = page.getByRole('option', { name: /T\.S\.V\. Marigold First Light/ })
    await choice.waitFor()
    await page.getByText('3 cards found. Choose one.').waitFor()
    expect(await inspect('alerts search')).toEqual([])
    // With the keyboard, as in every card search.
    while ((await choice.getAttribute('aria-selected')) !== 'true') await search.press('ArrowDown')
    await search.press('Enter')
    await page.waitForURL(`**${ALERTS}?card=900401`)

    await page.getByRole('button', { name: 'at or above' }).click()
    await page.getByLabel('Price in USD').fill('19.99')
    await page.getByText('Already reached').waitFor()
    await page.getByLabel('Webhook URL').fill('http://10.1.2.3/alerts')
    await page.getByRole('button', { name: 'Create alert' }).click()
    await page.getByText('The URL is in a private network').waitFor()
    expect(await fieldOf(user).getAttribute('aria-invalid')).toBe('true')
    expect(await inspect('alerts form')).toEqual([])
    expect(problems.splice(0)).toEqual([REFUSED])

    await fieldOf(user).fill(receiver.url)
    await page.getByRole('button', { name: 'Create alert' }).dblclick()
    await page.getByRole('textbox', { name: 'Secret' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Secret' }).inputValue()).toStartWith('whsec_')
    const watch = page.getByRole('article', { name: 'T.S.V. Marigold' })
    await watch.getByText('Alerts at $19.99 or more · now $46.40').waitFor()
    expect(await watch.count()).toBe(1)
    expect(await inspect('alerts secret')).toEqual([])
    await page.getByRole('button', { name: 'I’ve saved it' }).click()

    await watch.getByRole('button', { name: 'Send test' }).click()
    await watch.getByText(/Test delivered\. Response: 200\. Took [\d.,]+ m?s/).waitFor()
    await watch.getByText('Thank you.').waitFor()
    expect(receiver.received.at(-1)?.headers.get('cardstock-test')).toBe('1')
    expect(await inspect('alerts tested')).toEqual([])

    await watch.getByRole('link', { name: 'Deliveries' }).click()
    await page.getByRole('heading', { level: 1, name: 'T.S.V. Marigold' }).waitFor()
    const message = page.getByRole('listitem', { name: /^Test at \$46\.40, / })
    await message.getByText('Delivered', { exact: true }).waitFor()
    expect(await message.textContent()).toMatch(/200Nov 15, 2026, 9:30 PM · [\d.,]+ m?s/)
    expect(await inspect('alerts deliveries')).toEqual([])

    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete this alert?' })
    await question.waitFor()
    expect(await inspect('alerts delete')).toEqual([])
    await question.getByRole('button', { name: 'Delete alert' }).click()
    await page.getByRole('heading', { name: 'No alerts yet' }).waitFor()
    // No horizontal overflow.
    expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
    await closeClean()
  })
})

/** The browser logs failed requests. */
const REFUSED =
  'console: Failed to load resource: the server responded with a status of 400 (Bad Request)'

function fieldOf({ page }: BrowserUser) {
  return page.getByLabel('Webhook URL')
}

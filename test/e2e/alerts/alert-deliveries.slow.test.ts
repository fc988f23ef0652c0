// Browser tests of deliveries, changes to alerts, and accounts without alerts.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startAlerts } from '#jobs/alerts.ts'
import { type Behavior, startReceiver } from '../../support/alerts/receivers.ts'
import { addAlert, getWebhookId } from '../../support/alerts/webhook-fixtures.ts'
import { type BrowserUser, describeInBrowser, openBrowserUser } from '../../support/browser.ts'
import { emailOf, FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const ALERTS = '/account/alerts'

describeInBrowser('alerts', () => {
  let testServer: TestServer
  let behavior: Behavior = 'ok'
  const receiver = startReceiver({ behave: () => behavior })
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(async () => {
    receiver.stop()
    await testServer.close()
  })

  async function enter(account: 'pro' | 'business' | 'free') {
    const user = await openBrowserUser(testServer.url)
    await user.freezeTime(FROZEN_TIME)
    await testServer.logIn(user, account)
    return user
  }

  test('show failed deliveries and resend them', async () => {
    const user = await enter('business')
    const { page, takeScreenshot, closeClean, inspect } = user
    const id = await getWebhookId(testServer.testApp, 'business')
    const session = await testServer.testApp.createSession('business')
    await testServer.testApp.client.request('PATCH', `/v1/webhooks/${id}`, {
      session,
      json: { url: receiver.url },
    })
    await addAlert(testServer.testApp, id)
    behavior = 'fail'
    const job = startAlerts(testServer.testApp.deps)
    await page.goto(`${ALERTS}?watch=${id}`)
    const message = page.getByRole('listitem', { name: /^Alert at \$46\.40, / })
    await message.getByText('The receiver responded with 500').first().waitFor()
    await message.getByText('Response body: We broke.').first().waitFor()
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Test failed.').waitFor()
    expect(await inspect('alerts failing')).toEqual([])

    behavior = 'ok'
    await message.getByRole('button', { name: 'Send now' }).click()
    // The page polls while a delivery is pending.
    await message.getByText('Delivered', { exact: true }).waitFor()
    await message.getByRole('button', { name: 'Resend' }).waitFor()
    expect(receiver.received.at(-1)?.id).toStartWith('msg_')
    await takeScreenshot('alerts resent')
    await job.close()
    await closeClean()
  })

  test('are paused, resumed and changed with the keyboard', async () => {
    const user = await enter('business')
    const { page, closeClean, inspect } = user
    await getWebhookId(testServer.testApp, 'business')
    await page.goto(ALERTS)
    const watch = page.getByRole('article', { name: 'T.S.V. Marigold' })
    const press = async (name: string) => {
      await watch.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await press('Pause')
    await watch.getByText('Paused', { exact: true }).waitFor()
    await press('Resume')
    await watch.getByText('Active', { exact: true }).waitFor()

    await press('Edit')
    await watch.getByLabel('Price in USD').fill('a lot')
    await page.keyboard.press('Enter')
    await watch.getByText('Enter a price in USD, such as 12.50.').waitFor()
    await watch.getByLabel('Price in USD').fill('12,50')
    expect(await inspect('alerts edit')).toEqual([])
    await page.keyboard.press('Enter')
    await watch.getByText('$12.50 or more').waitFor()

    await press('Edit')
    await press('Create new secret')
    await page.getByRole('textbox', { name: 'Secret' }).waitFor()
    await watch.getByText('The previous secret also works').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('The secret cannot be shown again').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('I’ve saved it')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await press('Delete')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Delete')
    await closeClean()
  })

  test('require Pro: lower tiers see a description and a link to the plans', async () => {
    const { page, closeClean, inspect } = await enter('free')
    await page.goto(`${ALERTS}?card=900401`)
    await page.getByRole('heading', { name: 'Webhooks require Pro' }).waitFor()
    const plans = page.getByRole('link', { name: 'See plans' })
    expect(await plans.getAttribute('href')).toBe('/account/plan')
    expect(await page.getByRole('button', { name: 'Create alert' }).count()).toBe(0)
    expect(await inspect('alerts below pro')).toEqual([])
    await closeClean()
  })

  test('redirect visitors to the login and back', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto(`${ALERTS}?card=900401`)
    await page.waitForURL('**/login?to=%2Faccount%2Falerts%3Fcard%3D900401')
    await closeClean()
  })

  test('show request errors and keep the form', async () => {
    const user = await enter('pro')
    const { page, audit, takeScreenshot, close } = user
    const answers = [
      { status: 503, headers: { 'retry-after': '30' } },
      { status: 429, headers: { 'retry-after': '60' } },
    ]
    await page.route('**/v1/webhooks', async (route) => {
      const answer = answers.shift()
      if (answer === undefined) return route.continue()
      const code = answer.status === 429 ? 'TOO_MANY_ATTEMPTS' : 'UNAVAILABLE'
      return route.fulfill({ ...answer, json: { error: { code, message: 'Try again later.' } } })
    })
    await page.goto(ALERTS)
    await page.getByRole('heading', { name: 'The server is busy' }).waitFor()
    expect(await audit()).toEqual([])
    const again = page.getByRole('button', { name: 'Try again' })
    await again.click()
    await page.getByRole('heading', { name: 'Too many attempts' }).waitFor()
    await again.click()
    await page.getByRole('heading', { name: 'No alerts yet' }).waitFor()

    const listed = page.waitForResponse('**/v1/webhooks')
    await page.goto(`${ALERTS}?card=900401`)
    await page.getByLabel('Price in USD').fill('5')
    await fieldOf(user).fill(receiver.url)
    await listed
    answers.push({ status: 503, headers: { 'retry-after': '30' } })
    await page.getByRole('button', { name: 'Create alert' }).click()
    await page.getByText('Try again in a minute').waitFor()
    expect(await fieldOf(user).inputValue()).toBe(receiver.url)
    await takeScreenshot('alerts refused')
    await page.getByRole('button', { name: 'Create alert' }).click()
    await page.getByRole('textbox', { name: 'Secret' }).waitFor()
    await close()
  })

  test('keep the form when the session ends, and are created after a login', async () => {
    const user = await enter('pro')
    const { page, context, close, inspect } = user
    await page.goto(`${ALERTS}?card=900401`)
    await page.getByLabel('Price in USD').fill('1,000')
    await page.getByText('Now $46.40. Already reached').waitFor()
    await fieldOf(user).fill(receiver.url)
    await context.clearCookies()
    const make = page.getByRole('button', { name: 'Create alert' })
    await make.click()
    await page.getByText('You are logged out.').waitFor()
    expect(await inspect('alerts logged out')).toEqual([])

    const opening = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Log in in a new tab' }).click()
    const tab = await opening
    await tab.getByLabel('E-mail').fill(emailOf('pro'))
    expect(await tab.getByText('You are logged in as').count()).toBe(0)
    await tab.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await tab.getByRole('main').getByRole('button', { name: 'Log in' }).click()
    await tab.waitForURL(`**${ALERTS}?card=900401`)
    await tab.close()
    await make.click()
    await page.getByRole('textbox', { name: 'Secret' }).waitFor()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText('$1,000.00 or less').waitFor()
    await close()
  })
})

function fieldOf({ page }: BrowserUser) {
  return page.getByLabel('Webhook URL')
}

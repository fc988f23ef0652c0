// Price alerts in a real browser: what was sent, what can be changed, and who has none.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startAlerts } from '#jobs/alerts.ts'
import { type Behaviour, startReceiver } from '../../support/alerts/receivers.ts'
import { addAlert, getWebhookId } from '../../support/alerts/webhook-fixtures.ts'
import { BROWSER_MISSING, type BrowserUser, openBrowserUser } from '../../support/browser.ts'
import { emailOf, FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

setDefaultTimeout(60_000)

const ALERTS = '/account/alerts'

describe.skipIf(BROWSER_MISSING !== undefined)('alerts', () => {
  let testServer: TestServer
  let behaviour: Behaviour = 'ok'
  const receiver = startReceiver({ behave: () => behaviour })
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(async () => {
    receiver.stop()
    await testServer.close()
  })

  async function enter(guest: 'pro' | 'business' | 'free') {
    const reader = await openBrowserUser(testServer.url)
    await reader.page.clock.setFixedTime(FROZEN_TIME)
    await testServer.logIn(reader, guest)
    return reader
  }

  test('whose receiver fails say so, and send again once it is mended', async () => {
    const reader = await enter('business')
    const { page, faults, audit, takeScreenshot, close } = reader
    const id = await getWebhookId(testServer.testApp, 'business')
    const session = await testServer.testApp.createSession('business')
    await testServer.testApp.client.ask('PATCH', `/v1/webhooks/${id}`, {
      session,
      json: { url: receiver.url },
    })
    await addAlert(testServer.testApp, id)
    behaviour = 'fail'
    const job = startAlerts(testServer.testApp.deps)
    await page.goto(`${ALERTS}?watch=${id}`)
    const message = page.getByRole('listitem', { name: /^Alert at \$46\.40, / })
    await message.getByText('The receiver responded with 500').first().waitFor()
    await message.getByText('It said: We broke.').first().waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test did not arrive.').waitFor()
    await takeScreenshot('alerts failing')
    expect(await audit()).toEqual([])

    behaviour = 'ok'
    await message.getByRole('button', { name: 'Try now' }).click()
    // The page looks by itself while something waits.
    await message.getByText('Delivered', { exact: true }).waitFor()
    await message.getByRole('button', { name: 'Send again' }).waitFor()
    expect(receiver.received.at(-1)?.id).toStartWith('msg_')
    await takeScreenshot('alerts mended')
    expect(faults).toEqual([])
    await job.close()
    await close()
  })

  test('are paused, resumed, changed and given another secret, by keyboard alone', async () => {
    const reader = await enter('business')
    const { page, faults, audit, takeScreenshot, close } = reader
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
    await watch.getByLabel('Price in US dollars').fill('a lot')
    await page.keyboard.press('Enter')
    await watch.getByText('Give US dollars, such as 12.50.').waitFor()
    await watch.getByLabel('Price in US dollars').fill('12,50')
    await takeScreenshot('alerts edit')
    expect(await audit()).toEqual([])
    await page.keyboard.press('Enter')
    await watch.getByText('at or above $12.50').waitFor()

    await press('Edit')
    await press('New secret')
    await page.getByRole('textbox', { name: 'The secret' }).waitFor()
    await watch.getByText('The secret before still signs').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('nobody can show you the secret again').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('I have kept it')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await press('Delete')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Delete')
    expect(faults).toEqual([])
    await close()
  })

  test('are of the Pro tier: whoever is below sees what they are, and where to get them', async () => {
    const { page, faults, audit, takeScreenshot, close } = await enter('free')
    await page.goto(`${ALERTS}?card=900401`)
    await page.getByRole('heading', { name: 'Alerts come with Pro' }).waitFor()
    const plans = page.getByRole('link', { name: 'See the plans' })
    expect(await plans.getAttribute('href')).toBe('/account/plan')
    expect(await page.getByRole('button', { name: 'Make the alert' }).count()).toBe(0)
    await takeScreenshot('alerts below pro')
    expect(await audit()).toEqual([])
    expect(faults).toEqual([])
    await close()
  })

  test('wait for whoever is not logged in, and are gone back to', async () => {
    const { page, faults, close } = await openBrowserUser(testServer.url)
    await page.goto(`${ALERTS}?card=900401`)
    await page.waitForURL('**/login?to=%2Faccount%2Falerts%3Fcard%3D900401')
    expect(faults).toEqual([])
    await close()
  })

  test('that cannot be asked for say why, and lose nothing that was typed', async () => {
    const reader = await enter('pro')
    const { page, audit, takeScreenshot, close } = reader
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
    await page.getByRole('heading', { name: 'The service is busy' }).waitFor()
    expect(await audit()).toEqual([])
    const again = page.getByRole('button', { name: 'Try again' })
    await again.click()
    await page.getByRole('heading', { name: 'Too many attempts' }).waitFor()
    await again.click()
    await page.getByRole('heading', { name: 'No price is watched yet' }).waitFor()

    await page.goto(`${ALERTS}?card=900401`)
    await page.getByLabel('Price in US dollars').fill('5')
    await fieldOf(reader).fill(receiver.url)
    answers.push({ status: 503, headers: { 'retry-after': '30' } })
    // Asked for by the list, which comes before.
    await page.getByRole('button', { name: 'Make the alert' }).click()
    await page.getByText('You can try again in a minute').waitFor()
    expect(await fieldOf(reader).inputValue()).toBe(receiver.url)
    await takeScreenshot('alerts refused')
    await page.getByRole('button', { name: 'Make the alert' }).click()
    await page.getByRole('textbox', { name: 'The secret' }).waitFor()
    await close()
  })

  test('lose nothing that was typed when the session ends, and are made after a login', async () => {
    const reader = await enter('pro')
    const { page, context, audit, takeScreenshot, close } = reader
    await page.goto(`${ALERTS}?card=900401`)
    await page.getByLabel('Price in US dollars').fill('1,000')
    await page.getByText('Now $46.40. That fits already').waitFor()
    await fieldOf(reader).fill(receiver.url)
    await context.clearCookies()
    const make = page.getByRole('button', { name: 'Make the alert' })
    await make.click()
    await page.getByText('You are not logged in any more.').waitFor()
    await takeScreenshot('alerts logged out')
    expect(await audit()).toEqual([])

    const opening = context.waitForEvent('page')
    await page.getByRole('link', { name: 'Log in in another tab' }).click()
    const tab = await opening
    await tab.getByLabel('E-mail address').fill(emailOf('pro'))
    expect(await tab.getByText('You are logged in as').count()).toBe(0)
    await tab.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await tab.getByRole('main').getByRole('button', { name: 'Log in' }).click()
    await tab.waitForURL(`**${ALERTS}?card=900401`)
    await tab.close()
    await make.click()
    await page.getByRole('textbox', { name: 'The secret' }).waitFor()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByText('at or below $1,000.00').waitFor()
    await close()
  })
})

function fieldOf({ page }: BrowserUser) {
  return page.getByLabel('Where messages are posted to')
}

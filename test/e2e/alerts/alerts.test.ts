// Price alerts in a real browser: making one, trying it, and seeing what became of what was sent.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startReceiver } from '../../support/alerts/receivers.ts'
import {
  BROWSER_MISSING,
  type BrowserUser,
  openBrowserUser,
  SCREEN_SIZES,
} from '../../support/browser.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

setDefaultTimeout(60_000)

const ALERTS = '/account/alerts'

describe.skipIf(BROWSER_MISSING !== undefined)('alerts', () => {
  let testServer: TestServer
  const receiver = startReceiver({ behave: () => 'ok with body' })
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(async () => {
    receiver.stop()
    await testServer.close()
  })

  test.each(SCREEN_SIZES.map((sight) => [sight.name, sight] as const))(
    'are made for a card, tried, looked at and deleted: %s',
    async (_, sight) => {
      const reader = await openBrowserUser(testServer.url, sight)
      await reader.page.clock.setFixedTime(FROZEN_TIME)
      await testServer.logIn(reader, 'pro')
      const { page, faults, close, look } = reader
      await page.goto(ALERTS)
      await page.getByRole('heading', { name: 'No price is watched yet' }).waitFor()
      expect(await look('alerts none')).toEqual([])

      await page.getByRole('link', { name: 'New alert' }).click()
      const search = page.getByRole('combobox', { name: 'Card', exact: true })
      await search.fill('marigold')
      const choice = page.getByRole('option', { name: /T\.S\.V\. Marigold First Light/ })
      await choice.waitFor()
      await page.getByText('3 cards found. Choose one.').waitFor()
      expect(await look('alerts search')).toEqual([])
      // By keyboard, as everywhere that cards are searched.
      while ((await choice.getAttribute('aria-selected')) !== 'true')
        await search.press('ArrowDown')
      await search.press('Enter')
      await page.waitForURL(`**${ALERTS}?card=900401`)

      await page.getByRole('button', { name: 'at or above' }).click()
      await page.getByLabel('Price in US dollars').fill('19.99')
      await page.getByText('That fits already').waitFor()
      await page.getByLabel('Where messages are posted to').fill('http://10.1.2.3/alerts')
      await page.getByRole('button', { name: 'Make the alert' }).click()
      await page.getByText('The URL is in a private network').waitFor()
      expect(await fieldOf(reader).getAttribute('aria-invalid')).toBe('true')
      expect(await look('alerts form')).toEqual([])
      expect(faults.splice(0)).toEqual([REFUSED])

      await fieldOf(reader).fill(receiver.url)
      await page.getByRole('button', { name: 'Make the alert' }).dblclick()
      await page.getByRole('textbox', { name: 'The secret' }).waitFor()
      expect(await page.getByRole('textbox', { name: 'The secret' }).inputValue()).toStartWith(
        'whsec_',
      )
      const watch = page.getByRole('article', { name: 'T.S.V. Marigold' })
      await watch.getByText('Tells when it is at or above $19.99 · now $46.40').waitFor()
      expect(await watch.count()).toBe(1)
      expect(await look('alerts secret')).toEqual([])
      await page.getByRole('button', { name: 'I have kept it' }).click()

      await watch.getByRole('button', { name: 'Send a test' }).click()
      await watch.getByText(/The test arrived\. It answered 200\. It took [\d.,]+ m?s/).waitFor()
      await watch.getByText('Thank you.').waitFor()
      expect(receiver.received.at(-1)?.headers.get('cardstock-test')).toBe('1')
      expect(await look('alerts tested')).toEqual([])

      await watch.getByRole('link', { name: 'Messages' }).click()
      await page.getByRole('heading', { level: 1, name: 'T.S.V. Marigold' }).waitFor()
      const message = page.getByRole('listitem', { name: /^Test at \$46\.40, / })
      await message.getByText('Delivered').waitFor()
      expect(await message.textContent()).toMatch(/200Nov 15, 2026, 9:30 PM · [\d.,]+ m?s/)
      expect(await look('alerts messages')).toEqual([])

      await page.getByRole('button', { name: 'Delete' }).click()
      const question = page.getByRole('dialog', { name: 'Delete this alert?' })
      await question.waitFor()
      expect(await look('alerts delete')).toEqual([])
      await question.getByRole('button', { name: 'Delete it' }).click()
      await page.getByRole('heading', { name: 'No price is watched yet' }).waitFor()
      // Nothing is wider than the page.
      expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
      expect(faults).toEqual([])
      await close()
    },
  )
})

/** The browser notes every refusal in its console. */
const REFUSED =
  'console: Failed to load resource: the server responded with a status of 400 (Bad Request)'

function fieldOf({ page }: BrowserUser) {
  return page.getByLabel('Where messages are posted to')
}

// Browser tests of times and prices: always in English, whatever the language of the browser.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openBrowserUser, SCREENS } from '../support/browser.ts'
import { FROZEN_TIME } from '../support/test-app.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

describeInBrowser('times and prices', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  async function readCard(locale: string): Promise<string> {
    const { page, freezeTime, close } = await openBrowserUser(testServer.url, SCREENS[2], {
      ownContext: true,
      locale,
    })
    await freezeTime(FROZEN_TIME)
    await page.goto('/cards/900003')
    await page.getByRole('heading', { name: 'Card details' }).waitFor()
    const text = await page.getByRole('main').innerText()
    await close()
    return text
  }

  test('are in English in a German browser', async () => {
    const text = await readCard('de-DE')
    expect(text).toContain('$23.01')
    expect(text).toMatch(/\d+ (?:minute|hour)s? ago/)
    expect(text).not.toMatch(/\bvor \d|\d,\d\d\s?\$|Stunden|Minuten/)
  })

  test('have the English form that the browser prefers', async () => {
    expect(await readCard('en-GB')).toContain('US$23.01')
  })
})

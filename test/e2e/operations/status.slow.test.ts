// Browser tests of the public data status page.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openBrowserUser, testEachScreen } from '../../support/browser.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

describeInBrowser('the status page', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  testEachScreen(
    'is linked in the footer and shows the status of each game: %s',
    async (_, size) => {
      const user = await openBrowserUser(testServer.url, size)
      const { page, inspect, closeClean } = user
      await user.freezeTime(FROZEN_TIME)
      await page.goto('/')
      await page.getByRole('link', { name: 'Data status' }).click()
      await page.getByRole('heading', { level: 2, name: 'All games are up to date' }).waitFor()
      const game = page.getByRole('listitem').filter({ hasText: 'Wickerwild Creature Duels' })
      await game.waitFor()
      expect(await game.textContent()).toMatch(/\d+ cards, refreshed every 4 days.*Up to date$/)
      expect(await page.getByRole('definition').first().textContent()).toBe('3')
      expect(await inspect('status')).toEqual([])
      // No horizontal overflow.
      expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
      await closeClean()
    },
  )

  test('shows which games are out of date, and since when', async () => {
    const { page, problems, close, inspect } = await openBrowserUser(testServer.url)
    testServer.testApp.publish(
      "UPDATE games SET stale_since = '2026-11-14T08:00:00.000Z' WHERE slug = 'wickerwild'",
    )
    await page.goto('/status')
    await page.getByRole('heading', { level: 2, name: '1 of 3 games are out of date' }).waitFor()
    await page.getByText('Out of date since Nov 14, 2026').waitFor()
    expect(await inspect('status late')).toEqual([])
    expect(problems).toEqual([])
    testServer.testApp.publish('UPDATE games SET stale_since = NULL')
    await close()
  })

  test('shows an error and loads on retry', async () => {
    const { page, audit, close } = await openBrowserUser(testServer.url)
    let answers = 1
    await page.route('**/v1/meta', (route) =>
      answers-- > 0
        ? route.fulfill({
            status: 503,
            headers: { 'retry-after': '30' },
            json: { error: { code: 'UNAVAILABLE', message: 'The service is starting.' } },
          })
        : route.continue(),
    )
    await page.goto('/status')
    await page.getByText('The service is starting.').waitFor()
    expect(await audit()).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 2, name: /up to date/ }).waitFor()
    await close()
  })
})

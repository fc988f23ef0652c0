// How fresh the data is, as everybody can see it, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { BROWSER_MISSING, openBrowserUser, SCREEN_SIZES } from '../../support/browser.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

setDefaultTimeout(60_000)

describe.skipIf(BROWSER_MISSING !== undefined)('the status page', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  test.each(SCREEN_SIZES.map((size) => [size.name, size] as const))(
    'is led to by the foot, and tells how fresh each game is: %s',
    async (_, size) => {
      const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(
        testServer.url,
        size,
      )
      await page.clock.setFixedTime(FROZEN_TIME)
      await page.goto('/')
      await page.getByRole('link', { name: 'How fresh this is' }).click()
      await page.getByRole('heading', { level: 2, name: 'Every game is fresh' }).waitFor()
      const game = page.getByRole('listitem').filter({ hasText: 'Wickerwild Creature Duels' })
      await game.waitFor()
      expect(await game.textContent()).toMatch(/\d+ cards, refreshed every 4 days.*Fresh$/)
      expect(await page.getByRole('definition').first().textContent()).toBe('3')
      await takeScreenshot('status')
      expect(await audit()).toEqual([])
      // Nothing is wider than the page.
      expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
      expect(faults).toEqual([])
      await close()
    },
  )

  test('says which games are late, and since when', async () => {
    const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(testServer.url)
    testServer.testApp.publish(
      "UPDATE games SET stale_since = '2026-11-14T08:00:00.000Z' WHERE slug = 'wickerwild'",
    )
    await page.goto('/status')
    await page.getByRole('heading', { level: 2, name: '1 of 3 games are late' }).waitFor()
    await page.getByText('Late, since Nov 14, 2026').waitFor()
    await takeScreenshot('status late')
    expect(await audit()).toEqual([])
    expect(faults).toEqual([])
    testServer.testApp.publish('UPDATE games SET stale_since = NULL')
    await close()
  })

  test('says when it cannot be asked for, and can be asked again', async () => {
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
    await page.getByRole('heading', { level: 2, name: /fresh/ }).waitFor()
    await close()
  })
})

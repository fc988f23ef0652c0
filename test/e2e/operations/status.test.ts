// How fresh the data is, as everybody can see it, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { NO_BROWSER, openReader, SIZES } from '../../support/browser.ts'
import { FROZEN } from '../../support/test-app.ts'
import { openSite, type Site } from '../../support/test-server.ts'

if (NO_BROWSER !== undefined) console.info(`skipped: ${NO_BROWSER}`)

setDefaultTimeout(60_000)

describe.skipIf(NO_BROWSER !== undefined)('the status page', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site.close())

  test.each(SIZES.map((size) => [size.name, size] as const))(
    'is led to by the foot, and tells how fresh each game is: %s',
    async (_, size) => {
      const { page, faults, audit, show, close } = await openReader(site.url, size)
      await page.clock.setFixedTime(FROZEN)
      await page.goto('/')
      await page.getByRole('link', { name: 'How fresh this is' }).click()
      await page.getByRole('heading', { level: 2, name: 'Every game is fresh' }).waitFor()
      const game = page.getByRole('listitem').filter({ hasText: 'Wickerwild Creature Duels' })
      await game.waitFor()
      expect(await game.textContent()).toMatch(/\d+ cards, refreshed every 4 days.*Fresh$/)
      expect(await page.getByRole('definition').first().textContent()).toBe('3')
      await show('status')
      expect(await audit()).toEqual([])
      // Nothing is wider than the page.
      expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
      expect(faults).toEqual([])
      await close()
    },
  )

  test('says which games are late, and since when', async () => {
    const { page, faults, audit, show, close } = await openReader(site.url)
    site.house.publish(
      "UPDATE games SET stale_since = '2026-11-14T08:00:00.000Z' WHERE slug = 'wickerwild'",
    )
    await page.goto('/status')
    await page.getByRole('heading', { level: 2, name: '1 of 3 games are late' }).waitFor()
    await page.getByText('Late, since Nov 14, 2026').waitFor()
    await show('status late')
    expect(await audit()).toEqual([])
    expect(faults).toEqual([])
    site.house.publish('UPDATE games SET stale_since = NULL')
    await close()
  })

  test('says when it cannot be asked for, and can be asked again', async () => {
    const { page, audit, close } = await openReader(site.url)
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

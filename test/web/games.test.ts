// From the games to a set's cards, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { NO_BROWSER, openReader, SIGHTS } from '../support/browser.ts'
import { openSite, type Site } from '../support/site.ts'

if (NO_BROWSER !== undefined) console.info(`skipped: ${NO_BROWSER}`)

describe.skipIf(NO_BROWSER !== undefined)('the games', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site.close())

  test.each(SIGHTS.map((sight) => [sight.name, sight] as const))(
    'lead to a set and its cards with pictures and prices: %s',
    async (_, sight) => {
      const { page, faults, audit, show, close } = await openReader(site.url, sight)
      await page.goto('/')
      await page.getByRole('heading', { level: 1 }).waitFor()
      const game = page.getByRole('link', { name: 'Wickerwild Creature Duels' })
      await game.waitFor()
      await show('games')
      expect(await audit()).toEqual([])

      await game.click()
      await page.getByRole('heading', { level: 1, name: 'Wickerwild Creature Duels' }).waitFor()
      const set = page.getByRole('link', { name: 'Lantern Season' })
      await set.waitFor()
      await show('game')
      expect(await audit()).toEqual([])

      await set.click()
      await page.getByRole('heading', { level: 1, name: 'Lantern Season' }).waitFor()
      const card = page.getByRole('listitem').filter({ hasText: 'Cindlemane Regent' })
      expect(await card.textContent()).toMatch(/003\/024 · Holo Rare\$[\d,]+\.\d\d/)
      await show('set')
      expect(await audit()).toEqual([])
      // A screen reader is told of the new page.
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
      expect(await page.title()).toBe('Lantern Season – Cardstock')
      expect(faults).toEqual([])
      await close()
    },
    60_000,
  )
})

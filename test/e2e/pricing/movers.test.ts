// What rose and fell most, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { NO_BROWSER, openReader, type Page, SIGHTS, SIZES } from '../../support/browser.ts'
import { countShifts } from '../../support/layout-shift.ts'
import { openSite, type Site } from '../../support/test-server.ts'

if (NO_BROWSER !== undefined) console.info(`skipped: ${NO_BROWSER}`)

type MoverRow = { name: string; printing: string; market_price: number; price_change: number }

describe.skipIf(NO_BROWSER !== undefined)('the movers', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  }, 30_000)
  afterAll(() => site.close())

  test.each(SIZES.map((size) => [size.name, size] as const))(
    'are ranked as the API ranks them, by what is chosen: %s',
    async (_, size) => {
      const { page, faults, audit, show, close } = await openReader(site.url, size)
      await page.goto('/movers')
      await page.getByText('1 printing left out').waitFor()
      await expectRanked(page, '')
      await show('movers')
      // A dense screen needs no large picture for so small a place.
      expect(await page.locator('.mover-art img[srcset]').count()).toBe(0)
      expect(await audit()).toEqual([])

      await page.getByRole('button', { name: 'Falling' }).click()
      await page.getByRole('button', { name: '7 days' }).click()
      await page.getByRole('combobox', { name: 'Game' }).selectOption('Wickerwild Creature Duels')
      await page.getByRole('combobox', { name: 'Type' }).selectOption('Cards')
      const query = 'direction=down&period=7d&game=wickerwild&type=Cards'
      await page.waitForURL(`**/movers?${query}`)
      await expectRanked(page, query)
      await show('movers, chosen')
      expect(await audit()).toEqual([])

      // What was chosen is there again on the way back.
      await page.getByRole('listitem').getByRole('link').first().click()
      await page.waitForURL('**/cards/*')
      await page.goBack()
      await expectRanked(page, query)
      expect(faults).toEqual([])
      await close()
    },
    60_000,
  )

  test('of an address with slips in it are those that are usual', async () => {
    const { page, faults, close } = await openReader(site.url)
    await page.goto('/movers?direction=sideways&period=1y&type=Cats')
    await expectRanked(page, '')
    expect(faults).toEqual([])
    await close()
  }, 30_000)

  test('say that nothing moved, and where to look instead', async () => {
    const quiet = await openSite()
    quiet.house.publish("DELETE FROM movers WHERE period = '24h'")
    const { page, faults, audit, show, close } = await openReader(quiet.url, SIGHTS[0])
    await page.goto('/movers')
    await page.getByRole('heading', { name: 'Nothing moved' }).waitFor()
    await show('movers, none')
    expect(await audit()).toEqual([])
    await page.getByRole('button', { name: 'Look at 30 days' }).click()
    await page.waitForURL('**/movers?period=30d')
    await page.getByRole('listitem').first().waitFor()
    expect(faults).toEqual([])
    await close()
    await quiet.close()
  }, 30_000)

  test.each([
    [429, 'RATE_LIMIT_EXCEEDED', 'That is all for today'],
    [503, 'UNAVAILABLE', 'The service is busy'],
  ] as const)(
    'can be asked for again after a %i',
    async (status, code, heading) => {
      const { page, audit, show, close } = await openReader(site.url)
      const refusal = { error: { code, message: 'Come again in a minute.' } }
      await page.route('**/top-movers*', (route) =>
        route.fulfill({ status, headers: { 'retry-after': '60' }, json: refusal }),
      )
      await page.goto('/movers')
      await page.getByRole('heading', { name: heading }).waitFor()
      await show(`movers ${status}`)
      expect(await audit()).toEqual([])
      await page.unroute('**/top-movers*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expectRanked(page, '')
      await close()
    },
    30_000,
  )

  test('keep their place while the API is slow', async () => {
    for (const sight of [SIGHTS[0], SIGHTS[2]]) {
      const { page, faults, audit, show, close } = await openReader(site.url, sight)
      const shifts = await countShifts(page)
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      await page.route('**/top-movers*', async (route) => {
        await answered
        await route.continue()
      })
      await page.goto('/movers')
      await page.getByRole('status', { name: 'Loading' }).waitFor()
      await show('movers, slow')
      expect(await audit()).toEqual([])
      answer()
      await expectRanked(page, '')
      expect(await shifts()).toBeLessThan(0.02)
      expect(faults).toEqual([])
      await close()
    }
  }, 30_000)

  /** The list shows what the API answers to a program, in that order. */
  async function expectRanked(page: Page, query: string): Promise<void> {
    const response = await fetch(`${site.url}/v1/prices/top-movers?limit=50&${query}`, {
      headers: { 'X-API-Key': site.house.keys.pro },
    })
    // The contract suites hold the answer to this shape.
    const { data } = (await response.json()) as { data: MoverRow[] }
    const lines = page.getByRole('main').getByRole('listitem')
    await lines.nth(data.length - 1).waitFor()
    await lines.nth(data.length).waitFor({ state: 'detached' })
    for (const [at, { name, printing, market_price }] of data.slice(0, 3).entries()) {
      const text = await lines.nth(at).textContent()
      expect(text).toContain(name)
      expect(text).toContain(printing)
      expect(text).toContain(usd(market_price))
    }
  }
})

function usd(dollars: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(dollars)
}

// Browser tests of the price movers.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  describeInBrowser,
  openBrowserUser,
  type Page,
  SCREENS,
  testEachScreen,
} from '../../support/browser.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

type MoverRow = { name: string; printing: string; market_price: number; price_change: number }

describeInBrowser('movers', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  testEachScreen('are filtered and ranked as in the API: %s', async (_, size) => {
    const { page, audit, takeScreenshot, closeClean, inspect } = await openBrowserUser(
      testServer.url,
      size,
    )
    await page.goto('/movers')
    await page.getByText('1 printing hidden').first().waitFor()
    await expectRanked(page, '')
    const isWide = size.width > 1000
    // Risers and fallers stand side by side if there is room.
    if (isWide) await expectRanked(page, 'direction=down')
    const row = await page.getByRole('listitem').first().boundingBox()
    expect(row?.height).toBeLessThan(65)
    await takeScreenshot('movers')
    expect(await audit()).toEqual([])

    if (!isWide) await page.getByRole('button', { name: 'Falling' }).click()
    await page.getByRole('button', { name: '7 days' }).click()
    await page.getByRole('combobox', { name: 'Game' }).selectOption('Wickerwild Creature Duels')
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Cards')
    const query = `${isWide ? '' : 'direction=down&'}period=7d&game=wickerwild&type=Cards`
    await page.waitForURL(`**/movers?${query}`)
    await expectRanked(page, query)
    expect(await inspect('movers, chosen')).toEqual([])

    // Back navigation restores the filters.
    await page.getByRole('listitem').getByRole('link').first().click()
    await page.waitForURL('**/cards/*')
    await page.goBack()
    await expectRanked(page, query)
    await closeClean()
  })

  test('ignore invalid URL parameters', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto('/movers?direction=sideways&period=1y&type=Cats')
    await expectRanked(page, '')
    await closeClean()
  })

  test('suggest a longer period if the list is empty', async () => {
    const quiet = await startTestServer()
    quiet.testApp.publish("DELETE FROM movers WHERE period = '24h'")
    const { page, closeClean, inspect } = await openBrowserUser(quiet.url, SCREENS[0])
    await page.goto('/movers')
    await page.getByRole('heading', { name: 'No price movers' }).waitFor()
    expect(await inspect('movers, none')).toEqual([])
    await page.getByRole('button', { name: 'Show 30 days' }).click()
    await page.waitForURL('**/movers?period=30d')
    await page.getByRole('listitem').first().waitFor()
    await closeClean()
    await quiet.close()
  })

  test('have a minimum price, and both changes', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto('/movers?period=30d')
    await page.getByRole('combobox', { name: 'Minimum price' }).selectOption('20 or more')
    await page.waitForURL('**/movers?period=30d&min_price=20')
    await expectRanked(page, 'period=30d&min_price=20')
    const row = page.getByRole('region', { name: 'Rising' }).getByRole('listitem').first()
    expect(await row.textContent()).toMatch(/\$[\d.]+▲ \+[\d.]+% \+\$[\d.]+$/)
    await closeClean()
  })

  test('say on the first day when they are expected', async () => {
    const first = await startTestServer()
    const today = Math.floor(Date.now() / 86_400_000)
    first.testApp.publish(`DELETE FROM movers; UPDATE games SET prices_since = ${today}`)
    for (const screen of [SCREENS[0], SCREENS[2]]) {
      const { page, closeClean, inspect } = await openBrowserUser(first.url, screen)
      await page.goto('/movers')
      await page.getByText('Prices since today. First movers tomorrow.').waitFor()
      expect(await page.getByRole('button', { name: 'Show 30 days' }).count()).toBe(0)
      expect(await inspect('movers, first day')).toEqual([])
      await page.goto('/')
      await page.getByText('Prices since today. First movers tomorrow.').waitFor()
      expect(await inspect('home, first day')).toEqual([])
      await page.goto('/cards/900208')
      await page.getByText('Prices since today. First changes tomorrow.').waitFor()
      await closeClean()
    }
    await first.close()
  })

  test.each([
    [429, 'RATE_LIMIT_EXCEEDED', 'Daily limit reached'],
    [503, 'UNAVAILABLE', 'The server is busy'],
  ] as const)('load on retry after a %i', async (status, code, heading) => {
    const { page, close, inspect } = await openBrowserUser(testServer.url)
    const refusal = { error: { code, message: 'Come again in a minute.' } }
    await page.route('**/top-movers*', (route) =>
      route.fulfill({ status, headers: { 'retry-after': '60' }, json: refusal }),
    )
    await page.goto('/movers')
    await page.getByRole('heading', { name: heading }).waitFor()
    expect(await inspect(`movers ${status}`)).toEqual([])
    await page.unroute('**/top-movers*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectRanked(page, '')
    await close()
  })

  test('do not shift the layout while the API is slow', async () => {
    for (const screen of [SCREENS[0], SCREENS[2]]) {
      const { page, closeClean, inspect } = await openBrowserUser(testServer.url, screen)
      const readShifts = await watchLayoutShifts(page)
      const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
      await page.route('**/top-movers*', async (route) => {
        await answered
        await route.continue()
      })
      await page.goto('/movers')
      await page.getByRole('status', { name: 'Loading' }).first().waitFor()
      expect(await inspect('movers, slow')).toEqual([])
      answer()
      await expectRanked(page, '')
      const { sum, moved } = await readShifts()
      expect(sum, moved).toBeLessThan(0.02)
      await closeClean()
    }
  })

  /** Compares the list with the API. */
  async function expectRanked(page: Page, query: string): Promise<void> {
    const response = await fetch(`${testServer.url}/v1/prices/top-movers?limit=50&${query}`, {
      headers: { 'X-API-Key': testServer.testApp.keys.pro },
    })
    // The contract tests check this type.
    const { data } = (await response.json()) as { data: MoverRow[] }
    const name = query.includes('direction=down') ? 'Falling' : 'Rising'
    const lines = page.getByRole('region', { name }).getByRole('listitem')
    await lines.nth(data.length - 1).waitFor()
    await lines.nth(data.length).waitFor({ state: 'detached' })
    for (const [at, { name, printing, market_price }] of data.slice(0, 3).entries()) {
      const line = lines.nth(at)
      // The list shows the previous movers until the new ones arrive.
      await line
        .filter({ hasText: name })
        .filter({ hasText: usd(market_price) })
        .waitFor()
      const text = await line.textContent()
      expect(text).toContain(name)
      expect(text).toContain(printing)
      expect(text).toContain(usd(market_price))
    }
  }
})

function usd(dollars: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(dollars)
}

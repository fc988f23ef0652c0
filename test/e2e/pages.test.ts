// What holds for every page: the way back, and what becomes of one that breaks, in a real browser.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { BROWSER_MISSING, openBrowserUser, type Page, SCREENS } from '../support/browser.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

setDefaultTimeout(30_000)

describe.skipIf(BROWSER_MISSING !== undefined)('pages', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  test('begin at their top, and are left off where they were on the way back', async () => {
    const { page, faults, close } = await openBrowserUser(testServer.url, SCREENS[0])
    await page.clock.install()
    await page.goto('/sets/90011')
    await page.getByRole('link', { name: 'Cindlemane Regent' }).waitFor()
    const last = page.getByRole('main').getByRole('listitem').getByRole('link').last()
    await last.scrollIntoViewIfNeeded()
    const before = await top(page)
    expect(before).toBeGreaterThan(500)
    await last.click()
    await page.waitForURL(/\/cards\//)
    await page.locator('h1:focus').waitFor()
    expect(await top(page)).toBe(0)

    // However long the card was looked at.
    await page.clock.fastForward('10:00')
    await page.goBack()
    await page.waitForURL(/\/sets\//)
    await page.locator('h1:focus').waitFor()
    await page.waitForFunction((y) => Math.abs(scrollY - y) < 2, before)
    await page.goForward()
    await page.getByRole('heading', { name: 'About it' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('of another card begin at their top, too', async () => {
    const { page, faults, close } = await openBrowserUser(testServer.url)
    await page.goto('/cards/900003')
    await page.getByRole('heading', { name: 'About it' }).waitFor()
    await page.mouse.wheel(0, 400)
    await page.waitForFunction(() => scrollY > 100)
    await page.keyboard.press('/')
    await page.keyboard.type('marigold')
    await page.getByRole('option').first().click()
    await page.waitForURL(/\/cards\/(?!900003)/)
    await page.locator('h1:focus').waitFor()
    expect(await top(page)).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('that break say so below the bar, which still leads on', async () => {
    const { page, audit, takeScreenshot, close } = await openBrowserUser(testServer.url)
    const odd = { data: [null], meta: { total: 1, page: 1, per_page: 60, has_more: false } }
    await page.route('**/v1/sets/90011/cards?*', (route) => route.fulfill({ json: odd }))
    await page.goto('/sets/90011')
    await page.getByRole('heading', { level: 1, name: 'This page broke' }).waitFor()
    await takeScreenshot('broken')
    expect(await audit()).toEqual([])
    await page.unroute('**/v1/sets/90011/cards?*')
    await page.getByRole('button', { name: 'Load the page again' }).click()
    const card = page.getByRole('link', { name: 'Cindlemane Regent' })
    await card.waitFor()

    await page.route('**/v1/cards/900003', (route) => route.fulfill({ json: { data: {} } }))
    await card.click()
    await page.getByRole('heading', { level: 1, name: 'This page broke' }).waitFor()
    await page.goBack()
    await card.waitFor()
    await close()
  })

  test('whose file an upgrade has taken away are loaded again, by themselves', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/')
    await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).waitFor()
    const gone: string[] = []
    await page.route('**/assets/*.js', (route) => {
      gone.push(route.request().url())
      return gone.length > 1 ? route.continue() : route.fulfill({ status: 404, body: 'gone' })
    })
    await page.getByRole('navigation').first().getByRole('link', { name: 'Movers' }).click()
    await page.getByRole('heading', { level: 1, name: 'Movers' }).waitFor()
    expect(gone.filter((url) => url === gone[0])).toHaveLength(2)
    await close()
  })

  test('whose file stays away say so, once they were loaded again', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/')
    await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).waitFor()
    let isFirst: string | undefined
    let asked = 0
    await page.route('**/assets/*.js', (route) => {
      isFirst ??= route.request().url()
      if (route.request().url() !== isFirst) return route.continue()
      asked++
      return route.fulfill({ status: 404, body: 'gone' })
    })
    await page.getByRole('navigation').first().getByRole('link', { name: 'Movers' }).click()
    await page.getByRole('button', { name: 'Load the page again' }).waitFor()
    expect(asked).toBe(2)
    await page.unroute('**/assets/*.js')
    await page.getByRole('button', { name: 'Load the page again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Movers' }).waitFor()
    await close()
  })
})

function top(page: Page): Promise<number> {
  return page.evaluate(() => scrollY)
}

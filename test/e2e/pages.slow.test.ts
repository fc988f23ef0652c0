// Browser tests of navigation and error handling on every page.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openBrowserUser, type Page, SCREENS } from '../support/browser.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

describeInBrowser('pages', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  test('start at the top, and back navigation restores the scroll position', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url, SCREENS[0], {
      ownContext: true,
    })
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

    // Even after a long time.
    await page.clock.fastForward('10:00')
    await page.goBack()
    await page.waitForURL(/\/sets\//)
    await page.locator('h1:focus').waitFor()
    await page.waitForFunction((y) => Math.abs(scrollY - y) < 2, before)
    await page.goForward()
    await page.getByRole('heading', { name: 'Card details' }).waitFor()
    await closeClean()
  })

  test('show their outline before their script has arrived', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url, SCREENS[0])
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      if (!route.request().url().includes('/assets/start-')) await arrived
      await route.continue()
    })
    await page.goto('/movers', { waitUntil: 'commit' })
    await page.locator('.loading-page .skeleton').first().waitFor()
    arrive()
    await page.getByRole('heading', { level: 1, name: 'Movers' }).waitFor()
    expect(await page.locator('.loading-page').count()).toBe(0)
    await closeClean()
  })

  test('of another card start at the top', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto('/cards/900003')
    await page.getByRole('heading', { name: 'Card details' }).waitFor()
    await page.mouse.wheel(0, 400)
    await page.waitForFunction(() => scrollY > 100)
    await page.keyboard.press('/')
    await page.keyboard.type('marigold')
    await page.getByRole('listbox').getByRole('option').first().click()
    await page.waitForURL(/\/cards\/(?!900003)/)
    await page.locator('h1:focus').waitFor()
    expect(await top(page)).toBe(0)
    await closeClean()
  })

  test('that crash show an error below the header, which still works', async () => {
    const { page, close, inspect } = await openBrowserUser(testServer.url)
    const odd = { data: [null], meta: { total: 1, page: 1, per_page: 60, has_more: false } }
    await page.route('**/v1/sets/90011/cards?*', (route) => route.fulfill({ json: odd }))
    await page.goto('/sets/90011')
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor()
    expect(await inspect('broken')).toEqual([])
    await page.unroute('**/v1/sets/90011/cards?*')
    await page.getByRole('button', { name: 'Reload page' }).click()
    const card = page.getByRole('link', { name: 'Cindlemane Regent' })
    await card.waitFor()

    await page.route('**/v1/cards/900003', (route) => route.fulfill({ json: { data: {} } }))
    await card.click()
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor()
    await page.goBack()
    await card.waitFor()
    await close()
  })

  test('reload by themselves if an upgrade removed their script', async () => {
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

  test('show an error if their script is still missing after a reload', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/')
    await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).waitFor()
    let requests = 0
    await page.route('**/assets/movers-*.js', (route) => {
      requests++
      return route.fulfill({ status: 404, body: 'gone' })
    })
    await page.getByRole('navigation').first().getByRole('link', { name: 'Movers' }).click()
    await page.getByRole('button', { name: 'Reload page' }).waitFor()
    expect(requests).toBe(2)
    await page.unroute('**/assets/movers-*.js')
    await page.getByRole('button', { name: 'Reload page' }).click()
    await page.getByRole('heading', { level: 1, name: 'Movers' }).waitFor()
    await close()
  })
})

function top(page: Page): Promise<number> {
  return page.evaluate(() => scrollY)
}

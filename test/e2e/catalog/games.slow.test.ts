// Browser tests of the home page, games and sets.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  describeInBrowser,
  openBrowserUser,
  SCREENS,
  testEachScreen,
} from '../../support/browser.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

describeInBrowser('games', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  testEachScreen('link to a set and its cards with images and prices: %s', async (_, size) => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url, size)
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const game = page.getByRole('link', { name: 'Wickerwild Creature Duels' })
    await game.waitFor()
    const moved = page.getByRole('region', { name: 'Today’s movers' })
    for (const direction of ['Rising', 'Falling']) {
      const list = moved.getByRole('region', { name: direction }).getByRole('listitem')
      await list.nth(4).waitFor()
      expect(await list.count()).toBe(5)
    }
    expect(await inspect('games')).toEqual([])

    await game.click()
    await page.getByRole('heading', { level: 1, name: 'Wickerwild Creature Duels' }).waitFor()
    const set = page.getByRole('link', { name: 'Lantern Season' })
    await set.waitFor()
    expect(await inspect('game')).toEqual([])

    await set.click()
    await page.getByRole('heading', { level: 1, name: 'Lantern Season' }).waitFor()
    const card = page.getByRole('listitem').filter({ hasText: 'Cindlemane Regent' })
    expect(await card.textContent()).toMatch(/003\/024 · Holo Rare\$[\d,]+\.\d\d/)
    expect(await inspect('set')).toEqual([])
    // Focus moves to the heading, so that screen readers announce the page.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await page.title()).toBe('Lantern Season – Cardstock')
    await closeClean()
  })

  test('start with a search field and a link to photo identification', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Search cards' }).fill('regent & co')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=regent\+%26\+co$/)
    await page.goBack()
    await page.getByRole('main').getByRole('link', { name: 'Identify a photo' }).click()
    await page.waitForURL(/\/identify$/)
    await closeClean()
  })

  test('show the search field and the link in one row on wide screens', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/')
    const way = page.getByRole('main').getByRole('link', { name: 'Identify a photo' })
    const field = page.getByRole('combobox', { name: 'Search cards' })
    for (const width of [768, 1024, 1200, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const box = await way.boundingBox()
      expect(box?.y).toBeCloseTo((await field.boundingBox())?.y ?? 0, 0)
      // Nothing covers the end of the field.
      await way.click({ position: { x: (box?.width ?? 0) - 4, y: 10 }, trial: true })
    }
    await close()
  })

  test('show this week’s movers if today has no movers', async () => {
    const quiet = await startTestServer()
    quiet.testApp.publish("DELETE FROM movers WHERE period = '24h'")
    const { page, closeClean } = await openBrowserUser(quiet.url)
    await page.goto('/')
    const moved = page.getByRole('region', { name: 'This week’s movers' })
    await moved.getByRole('link', { name: 'All movers' }).click()
    await page.waitForURL(/\/movers\?period=7d$/)
    await closeClean()
    await quiet.close()
  })

  test('are shown without movers if that request fails', async () => {
    const { page, close, inspect } = await openBrowserUser(testServer.url)
    const refusal = { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Used up.' } }
    await page.route('**/top-movers*', (route) => route.fulfill({ status: 429, json: refusal }))
    await page.goto('/')
    await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).waitFor()
    await page.getByRole('heading', { name: 'Today’s movers' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await inspect('games without movers')).toEqual([])
    await close()
  })

  test('load on retry after a 503', async () => {
    const { page, close, inspect } = await openBrowserUser(testServer.url, SCREENS[0])
    const refusal = { error: { code: 'UNAVAILABLE', message: 'Come again in a minute.' } }
    await page.route('**/v1/games?*', (route) =>
      route.fulfill({ status: 503, headers: { 'retry-after': '60' }, json: refusal }),
    )
    await page.goto('/')
    await page.getByText('Come again in a minute.').waitFor()
    expect(await inspect('games, busy')).toEqual([])
    await page.unroute('**/v1/games?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).waitFor()
    await close()
  })

  test('show a not-found page for invalid ids, without a request', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    for (const address of ['/sets/abc', '/sets/1e9', '/cards/0', '/cards/99999999999999999999']) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    }
    await closeClean()
  })

  test('ignore invalid URL parameters', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    for (const address of [
      '/games/wickerwild?page=0',
      '/games/wickerwild?page=abc',
      '/games/wickerwild?page=1e12',
      '/sets/90011?page=abc&type=odd',
      '/search?q=lantern&page=abc&sort=odd&type=odd&set_id=abc&min_price=much',
      '/cards/900003?range=odd',
    ]) {
      await page.goto(address)
      await page.getByRole('main').getByText('Lantern Season').first().waitFor()
      expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    }
    await closeClean()
  })

  test('link to the last page from a page past the end', async () => {
    const { page, audit, closeClean } = await openBrowserUser(testServer.url)
    const links = page.getByRole('main').getByRole('link', { name: /Lantern Season/ })
    for (const list of ['/search?q=lantern+booster&', '/sets/90011?']) {
      await page.goto(`${list}page=99999`)
      const back = page.getByRole('button', { name: 'Go to last page' })
      await back.waitFor()
      if (list.startsWith('/sets')) expect(await audit()).toEqual([])
      await back.click()
      await links.first().waitFor()
    }
    await closeClean()
  })

  test('do not shift the layout while loading', async () => {
    for (const screen of [SCREENS[0], SCREENS[2]]) {
      const { page, close } = await openBrowserUser(testServer.url, screen)
      const readShifts = await watchLayoutShifts(page)
      await page.goto('/')
      await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).waitFor()
      await page.locator('.mover a').first().waitFor()
      const { sum, moved } = await readShifts()
      expect(sum, moved).toBeLessThan(0.02)
      await close()
    }
  })
})

// Browser tests of a game with many sets: their table, its orders and the index of years.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { SetSummary } from '#client/endpoints.ts'
import {
  describeInBrowser,
  openBrowserUser,
  type Page,
  SCREENS,
  testEachScreen,
} from '../../support/browser.ts'
import { addManySets, MANY_SETS } from '../../support/catalog/many-sets.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

/** A set of the game with cards and prices. */
const LANTERN = 90011

describeInBrowser('a game with many sets', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
    testServer.testApp.publish(addManySets('wickerwild'))
  })
  afterAll(() => testServer.close())

  const rowsOf = (page: Page) => page.locator('tbody tr:has(a)')

  testEachScreen('lists them by year, with a filter: %s', async (_, size) => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url, size)
    await page.goto('/')
    await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).click()
    await page.getByRole('rowheader', { name: '2026', exact: true }).waitFor()
    const all = await rowsOf(page).count()
    expect(all).toBeGreaterThan(MANY_SETS)
    expect(await page.getByRole('rowheader', { name: 'Undated', exact: true }).count()).toBe(1)
    expect(await inspect('game with many sets')).toEqual([])
    await page.getByRole('searchbox', { name: 'Find a set' }).fill('set 2015')
    await page.getByRole('rowheader', { name: '2026', exact: true }).waitFor({ state: 'detached' })
    expect(await rowsOf(page).count()).toBe(10)
    // A single year needs no index.
    expect(await page.getByRole('navigation', { name: 'Years' }).count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Find a set' }).fill('nonsense')
    await page.getByText('No set matches.').waitFor()
    await closeClean()
  })

  testEachScreen('jumps to a year, below what stays in view: %s', async (_, size) => {
    const { page, closeClean } = await openBrowserUser(testServer.url, size)
    await page.goto('/games/wickerwild')
    const years = page.getByRole('navigation', { name: 'Years' })
    await years.getByRole('link', { name: '1995', exact: true }).click()
    const head = page.getByRole('rowheader', { name: '1995', exact: true })
    await page.waitForFunction(() => scrollY > 1_000)
    const { y: top = 0 } = (await head.boundingBox()) ?? {}
    const bar = (await page.getByRole('banner').boundingBox()) ?? { y: 0, height: 0 }
    const index = (await years.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const isStrip = index.width > index.height
    expect(top).toBeGreaterThanOrEqual(isStrip ? index.y + index.height : bar.y + bar.height)
    expect(top).toBeLessThan(200)
    // The index is still there, so that the next jump needs no way back.
    await years.getByRole('link', { name: '2026', exact: true }).click()
    await page.waitForFunction(() => scrollY < 1_000)
    await page.goBack()
    await page.waitForURL(/#year-1995$/)
    await closeClean()
  })

  test('shows the value that the page of a set shows', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto('/games/wickerwild')
    const row = rowsOf(page).filter({ hasText: 'Lantern Season' })
    const { client } = testServer.testApp
    const path = `/v1/sets/${LANTERN}/summary`
    const { data } = (await client.get<SetSummary>(path, { as: 'pro' })).body
    const value = data.value.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    expect(await row.locator('td').last().textContent()).toBe(value)
    await row.getByRole('link').click()
    await page.locator('.set-value strong', { hasText: value }).waitFor()
    // A set without prices has no value.
    await page.goto('/games/wickerwild')
    const unpriced = rowsOf(page).filter({
      has: page.getByRole('link', { name: 'Set 40', exact: true }),
    })
    expect(await unpriced.locator('td').last().textContent()).toBe('–')
    await closeClean()
  })

  test('shows how much of each set somebody owns', async () => {
    const user = await openBrowserUser(testServer.url)
    const { page, inspect } = user
    await testServer.logIn(user, 'pro')
    const post = async (path: string, data: object) => {
      const headers = { origin: testServer.url }
      const reply = await page.request.post(`${testServer.url}/v1${path}`, { headers, data })
      return ((await reply.json()) as { data: { id: string } }).data
    }
    const { id } = await post('/collections', { name: 'Binder' })
    await post(`/collections/${id}/items`, {
      items: [
        { card_id: 900003, quantity: 3 },
        { card_id: 900003, condition: 'damaged' },
      ],
    })
    const { client } = testServer.testApp
    const path = `/v1/sets/${LANTERN}/summary`
    const { cards } = (await client.get<SetSummary>(path, { as: 'pro' })).body.data
    const share = `${Math.round(100 / cards)}%`
    await page.goto('/games/wickerwild')
    const row = rowsOf(page).filter({ hasText: 'Lantern Season' })
    await row.getByText(`1 of ${cards} · ${share}`).waitFor()
    expect(await rowsOf(page).last().locator('td').last().textContent()).toBe('0%')
    expect(await inspect('owned sets')).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await row.getByText(`cards · ${share} owned`).waitFor()
    // The page of the set has the same number.
    await row.getByRole('link').click()
    await page.getByText(`1 of ${cards} cards owned`).waitFor()
    await page.route('**/v1/collections/owned/sets*', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'UNAVAILABLE', message: 'Busy.' } } }),
    )
    await page.goto('/games/wickerwild')
    await page.getByRole('alert').getByText('Busy.').waitFor()
    await row.waitFor()
    await user.close()
  })

  test('sorts by name, date, number of cards and value, as its URL says', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto('/games/wickerwild')
    const first = rowsOf(page).first()
    const head = (name: string) => page.getByRole('columnheader', { name })
    const sortBy = async (name: string, order: string, url: RegExp, top: string) => {
      await head(name).getByRole('button').click()
      await page.waitForURL(url)
      expect(await head(name).getAttribute('aria-sort')).toBe(order)
      await first.getByRole('link', { name: top }).waitFor()
    }
    await sortBy('Value', 'descending', /sort=value_desc$/, 'Set 554')
    expect(await page.getByRole('navigation', { name: 'Years' }).count()).toBe(0)
    const last = await rowsOf(page).last().locator('td').last().textContent()
    expect(last).toBe('–')
    await sortBy('Value', 'ascending', /sort=value_asc$/, 'Lantern Season')
    await sortBy('Cards', 'descending', /sort=cards_desc$/, 'Set 554')
    await sortBy('Cards', 'ascending', /sort=cards_asc$/, 'Set 1')
    await sortBy('Set', 'ascending', /sort=name$/, 'Lantern Season')
    await sortBy('Released', 'descending', /wickerwild$/, 'Set ')
    await sortBy('Released', 'ascending', /sort=date_asc$/, 'Set 5')
    // On phones, where only two columns have a head, the list has all orders.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Most cards first')
    await page.waitForURL(/sort=cards_desc$/)
    await page.reload()
    await first.getByRole('link', { name: 'Set 554' }).waitFor()
    await page.goBack()
    await first.getByRole('link', { name: 'Set 5' }).waitFor()
    await closeClean()
  })

  test('has rows that are links, as high as a finger needs', async () => {
    for (const screen of [SCREENS[0], SCREENS[2]]) {
      const { page, closeClean } = await openBrowserUser(testServer.url, screen)
      await page.goto('/games/wickerwild?sort=name')
      const row = rowsOf(page).filter({ hasText: 'Lantern Season' })
      await row.waitFor()
      const { width = 0, height = 0 } = (await row.boundingBox()) ?? {}
      expect(height).toBeGreaterThanOrEqual(40)
      await row.click({ position: { x: width - 4, y: 4 } })
      await page.waitForURL(/\/sets\/90011$/)
      await closeClean()
    }
  })

  test('does not shift the layout while loading', async () => {
    for (const screen of [SCREENS[0], SCREENS[2]]) {
      const { page, close } = await openBrowserUser(testServer.url, screen)
      const readShifts = await watchLayoutShifts(page)
      await page.goto('/games/wickerwild')
      await rowsOf(page).last().waitFor()
      await page.waitForLoadState('networkidle')
      const { sum, moved } = await readShifts()
      expect(sum, moved).toBeLessThan(0.02)
      await close()
    }
  })
})

describeInBrowser('a game', () => {
  test('without sets says so, and one with a set shows its value', async () => {
    const testServer = await startTestServer()
    const { testApp, url } = testServer
    testApp.publish(
      `UPDATE sets SET game_id = (SELECT id FROM games WHERE slug = 'vellum-and-thorn'), release_date = NULL,
         slug = 'moved-' || id WHERE game_id = (SELECT id FROM games WHERE slug = 'perihelion-drift')`,
    )
    const { page, closeClean, inspect } = await openBrowserUser(url)
    await page.goto('/games/perihelion-drift')
    await page.getByText('This game has no sets.').waitFor()
    expect(await inspect('game without sets')).toEqual([])
    await page.goto('/games/vellum-and-thorn')
    await page.getByRole('heading', { level: 2, name: 'Undated' }).waitFor()
    expect(await page.locator('.set-year .tile').last().textContent()).toMatch(/\$[\d,]+\.\d\d$/)
    await closeClean()
    await testServer.close()
  })
})

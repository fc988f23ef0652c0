// Browser tests of the items of a collection as tiles.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  describeInBrowser,
  expectFocused,
  expectUrl,
  openBrowserUser,
  type Page,
  SCREEN_SIZES,
  testEachScreen,
} from '../../support/browser.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const [PHONE, DESKTOP] = SCREEN_SIZES

describeInBrowser('items as tiles', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  /** Opens a binder of thirty items. */
  async function openOwner(size: (typeof SCREEN_SIZES)[number] = DESKTOP) {
    const user = await openBrowserUser(testServer.url, size)
    await testServer.logIn(user, 'business')
    const post = async (path: string, data: object) => {
      const response = await user.page.request.post(`${testServer.url}/v1${path}`, {
        headers: { origin: testServer.url },
        data,
      })
      return ((await response.json()) as { data: { id: string; token: string } }).data
    }
    const { id } = await post('/collections', { name: 'Binder' })
    const wanted = await post('/collections', { name: 'Wanted', kind: 'wish' })
    await post(`/collections/${wanted.id}/items`, { items: [{ card_id: 900401, quantity: 3 }] })
    const items = Array.from({ length: 30 }, (_, at) => ({
      card_id: at % 2 === 0 ? 900401 : 900402,
      quantity: 1 + at,
    }))
    await post(`/collections/${id}/items`, { items })
    return { ...user, id, wanted: wanted.id, share: () => post(`/collections/${id}/share`, {}) }
  }

  const tilesOf = (page: Page) => page.getByRole('list', { name: 'List of items' })

  testEachScreen('are chosen for this browser and in the address: %s', async (_, size) => {
    const { page, id, share, audit, takeScreenshot, closeClean } = await openOwner(size)
    await page.goto(`/collection/${id}?page=2`)
    await page.getByRole('region', { name: 'List of items' }).waitFor()
    await page.getByRole('button', { name: 'Tiles', exact: true }).click()
    await expectUrl(
      page,
      ({ searchParams: all }) => all.get('view') === 'tiles' && all.get('page') === '2',
    )
    await tilesOf(page).waitFor()
    await page.goto(`/collection/${id}`)
    const tiles = tilesOf(page).getByRole('listitem')
    await tiles.nth(24).waitFor()
    const [first] = await tiles.all()
    expect(await first?.innerText()).toContain('30 copies')
    const places = await tiles.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x))
    if (size === PHONE) expect(new Set(places).size).toBe(2)
    await takeScreenshot('collection tiles')
    expect(await audit()).toEqual([])
    await page.evaluate('scrollTo(0, 0)')
    const shifts = await watchLayoutShifts(page)
    await page.reload()
    await tiles.nth(24).waitFor()
    const { sum, moved } = await shifts()
    expect(sum, moved).toBeLessThan(0.02)
    await page.goto(`/collection/${id}?view=table`)
    await page.getByRole('region', { name: 'List of items' }).waitFor()
    await page.goto(`/shared/${(await share()).token}`)
    await tiles.nth(24).waitFor()
    expect(await first?.innerText()).not.toContain('paid')
    expect(await audit()).toEqual([])
    await closeClean()
  })

  test('have the actions of the table in a menu, also by keyboard', async () => {
    const { page, id, closeClean } = await openOwner()
    await page.goto(`/collection/${id}?view=tiles`)
    const menu = page.getByRole('button', { name: /^Actions for / }).first()
    await menu.press('Enter')
    await expectFocused(page.getByRole('menuitem', { name: 'Watch' }))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /^Edit / })
    await dialog.getByLabel('Quantity').fill('77')
    await page.keyboard.press('Enter')
    await tilesOf(page).getByText('77 copies').waitFor()
    await menu.press('Enter')
    await expectFocused(page.getByRole('menuitem', { name: 'Watch' }))
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await tilesOf(page).getByText('77 copies').waitFor({ state: 'detached' })
    await closeClean()
  })

  testEachScreen('are selected by a click anywhere, and by ranges: %s', async (_, size) => {
    const { page, id, audit, takeScreenshot, closeClean } = await openOwner(size)
    await page.goto(`/collection/${id}?view=tiles`)
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    const tiles = tilesOf(page).getByRole('listitem')
    await tiles.nth(1).locator('.art').click({ force: true })
    await tiles
      .nth(4)
      .locator('.tile-price')
      .click({ force: true, modifiers: ['Shift'] })
    await page.getByText('4 items selected').waitFor()
    await page.getByRole('checkbox').nth(2).press('Space')
    await page.getByText('3 items selected').waitFor()
    expect(await page.getByRole('checkbox').nth(3).isChecked()).toBe(true)
    await takeScreenshot('collection tiles selection')
    expect(await audit()).toEqual([])
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    await page.getByText('3 items selected').waitFor()
    expect(await page.getByRole('checkbox').nth(3).isChecked()).toBe(true)
    await closeClean()
  })

  test('of a wish list have the price of one copy and of all of them', async () => {
    const { page, wanted, closeClean } = await openOwner()
    await page.goto(`/collection/${wanted}?view=table`)
    const list = page.getByRole('region', { name: 'List of items' })
    await list.getByRole('rowheader').waitFor()
    const heads = await list.getByRole('columnheader').allInnerTexts()
    expect(new Set(heads).size).toBe(heads.length)
    const cells = await list.getByRole('row').nth(1).getByRole('cell').allInnerTexts()
    const amountOf = (name: string) => Number(cells[heads.indexOf(name) - 1]?.match(/[\d.]+/)?.[0])
    expect(amountOf('All copies')).toBeCloseTo(3 * amountOf('Price'), 2)
    await closeClean()
  })

  test('keep their columns with names of 200 letters, down to 320 px', async () => {
    const { page, id, close } = await openOwner(PHONE)
    await page.route('**/v1/collections/*/items?*', async (route) => {
      const response = await route.fetch()
      const json = (await response.json()) as { data: { name: string }[] }
      for (const item of json.data) item.name = 'W'.repeat(200)
      await route.fulfill({ response, json })
    })
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto(`/collection/${id}?view=tiles`)
    const tiles = tilesOf(page).getByRole('listitem')
    await tiles.nth(24).waitFor()
    const boxes = await tiles.evaluateAll((all) =>
      all.map((one) => ({ width: one.clientWidth, needed: one.scrollWidth })),
    )
    expect(boxes.filter(({ width, needed }) => needed > width)).toEqual([])
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    await close()
  })
})

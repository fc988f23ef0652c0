// Browser tests of the actions of a collection: its menu, and new collections where cards are added.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  describeInBrowser,
  expectFocused,
  openBrowserUser,
  SCREEN_SIZES,
  testEachScreen,
} from '../../support/browser.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const [, DESKTOP] = SCREEN_SIZES

describeInBrowser('a collection', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  async function openOwner(size: (typeof SCREEN_SIZES)[number] = DESKTOP) {
    const user = await openBrowserUser(testServer.url, size)
    await testServer.logIn(user, 'business')
    const headers = { origin: testServer.url }
    const post = async (path: string, data: object) => {
      const response = await user.page.request.post(`${testServer.url}/v1${path}`, {
        headers,
        data,
      })
      return ((await response.json()) as { data: { id: string } }).data
    }
    const { id } = await post('/collections', { name: 'Binder' })
    await post(`/collections/${id}/items`, { items: [{ card_id: 900401, price_paid: 1 }] })
    return { ...user, id }
  }

  testEachScreen('hides what destroys it in a menu: %s', async (_, size) => {
    const { page, id, audit, takeScreenshot, closeClean } = await openOwner(size)
    await page.goto(`/collection/${id}`)
    const value = page.getByLabel('Value', { exact: true })
    await value.getByText('Gain').waitFor()
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    const more = page.getByRole('button', { name: 'More actions' })
    await more.click()
    const menu = page.getByRole('menu', { name: 'More actions' })
    await expectFocused(menu.getByRole('menuitem', { name: 'Rename' }))
    await takeScreenshot('collection menu')
    expect(await audit()).toEqual([])
    await page.locator('h1').click()
    await menu.waitFor({ state: 'hidden' })
    await closeClean()
  })

  test('shows its value and gain by game and set at every width', async () => {
    const { page, closeClean } = await openOwner()
    const headers = { origin: testServer.url }
    const created = await page.request.post(`${testServer.url}/v1/collections`, {
      headers,
      data: { name: 'Gains' },
    })
    const { data } = (await created.json()) as { data: { id: string } }
    const path = `/collections/${data.id}`
    const items = [{ card_id: 900401, quantity: 500, price_paid: 0.07 }]
    await page.request.post(`${testServer.url}/v1${path}/items`, { headers, data: { items } })
    await page.goto(`/collection/${data.id}`)
    for (const name of ['Value by game', 'Value by set']) {
      const table = page.getByRole('region', { name })
      for (const width of [320, 390, 768, 900, 1024, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        await table.locator('.change:visible').waitFor()
        const hidden = await table.evaluate((one) => one.scrollWidth - one.clientWidth)
        expect([name, width, hidden]).toEqual([name, width, 0])
      }
    }
    await closeClean()
  })

  test('is renamed and deleted by the keyboard', async () => {
    const { page, id, closeClean } = await openOwner()
    await page.goto(`/collection/${id}`)
    const more = page.getByRole('button', { name: 'More actions' })
    await more.press('Enter')
    await expectFocused(page.getByRole('menuitem', { name: 'Rename' }))
    await page.keyboard.press('ArrowUp')
    await expectFocused(page.getByRole('menuitem', { name: 'Delete' }))
    await page.keyboard.press('Escape')
    await expectFocused(more)
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('menuitem', { name: 'Rename' }))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').fill('Box')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Box' }).waitFor()
    await expectFocused(more)
    await page.keyboard.press('Enter')
    await expectFocused(page.getByRole('menuitem', { name: 'Rename' }))
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Collections' }).waitFor()
    expect(await page.getByRole('link', { name: 'Box' }).count()).toBe(0)
    await closeClean()
  })

  test('can always be a new one, where cards are added', async () => {
    const { page, audit, takeScreenshot, closeClean } = await openOwner()
    await page.goto('/cards/900402')
    await page.getByRole('button', { name: 'Add to collection' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('To').selectOption('New collection')
    expect(await dialog.getByLabel('Name of the new one').inputValue()).toBe('Collection')
    await dialog.getByLabel('Name of the new one').fill('Second box')
    await takeScreenshot('add to a new collection')
    expect(await audit()).toEqual([])
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('is in “Second box”').waitFor()
    await dialog.getByRole('link', { name: 'Open it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Second box' }).waitFor()
    await page.getByText('T.S.V. Marigold, Refit').first().waitFor()
    await closeClean()
  })
})

// Browser tests of what is owned: marks in every list, one tap to add, and the missing cards of a set.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  type BrowserUser,
  describeInBrowser,
  expectFocused,
  openBrowserUser,
  type Page,
  SCREEN_SIZES,
  testEachScreen,
} from '../../support/browser.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const SET = '/sets/90031'
const [, DESKTOP] = SCREEN_SIZES
const SHIFT_MAX = 0.02

describeInBrowser('owned cards', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  async function call<T>(user: BrowserUser, method: string, path: string, json?: object) {
    const response = await user.page.request.fetch(`${testServer.url}/v1${path}`, {
      method,
      headers: { origin: testServer.url },
      ...(json && { data: json }),
    })
    // The contract tests check these types.
    return ((await response.json()) as { data: T }).data
  }

  /** Opens a user with a collection of two cards of the set, and a page. */
  async function openOwner(size: Parameters<typeof openBrowserUser>[1] = DESKTOP) {
    const user = await openBrowserUser(testServer.url, size)
    await testServer.logIn(user, 'business')
    for (const { id } of await call<{ id: string }[]>(user, 'GET', '/collections')) {
      await call(user, 'DELETE', `/collections/${id}`)
    }
    const { id } = await call<{ id: string }>(user, 'POST', '/collections', { name: 'Binder' })
    const items = [{ card_id: 900401, quantity: 2 }, { card_id: 900402 }]
    await call(user, 'POST', `/collections/${id}/items`, { items })
    return { ...user, user, id }
  }
  const tile = (page: Page, name: string) =>
    page.locator('.tile').filter({ has: page.getByRole('link', { name, exact: true }) })

  testEachScreen('are marked in every list, and on their own page: %s', async (_, size) => {
    const { page, closeClean, audit, takeScreenshot } = await openOwner(size)
    const shifts = await watchLayoutShifts(page)
    await page.goto(SET)
    await page.getByText('2 of 23 cards owned').waitFor()
    await tile(page, 'T.S.V. Marigold').getByText('Owned: 2 Normal').waitFor()
    expect(await page.locator('.tile.owned').count()).toBe(2)
    const { sum, moved } = await shifts()
    if (sum > SHIFT_MAX) throw new Error(moved)
    await takeScreenshot('owned set')
    expect(await audit()).toEqual([])
    await page.getByRole('button', { name: 'Table' }).click()
    await page
      .getByRole('row', { name: /T\.S\.V\. Marigold/ })
      .getByText('Owned: 2')
      .waitFor()
    await takeScreenshot('owned set as a table')
    expect(await audit()).toEqual([])
    await page.goto('/search?q=marigold')
    await tile(page, 'T.S.V. Marigold').getByText('Owned: 2 Normal').waitFor()
    await takeScreenshot('owned search')
    expect(await audit()).toEqual([])
    await page.goto('/cards/900401')
    const owned = page.getByRole('region', { name: 'Owned' })
    await owned.getByText('Normal · Near mint in').waitFor()
    await owned.getByText('at $5.12 each').waitFor()
    await takeScreenshot('owned card')
    expect(await audit()).toEqual([])
    await owned.getByRole('link', { name: 'Binder' }).click()
    await page.waitForURL(/\/collection\//)
    await closeClean()
  })

  test('are marked among the suggestions', async () => {
    const { page, closeClean } = await openOwner()
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Search cards' }).first().fill('marigold')
    await page.getByRole('option', { name: /^T\.S\.V\. Marigold Owned: 2 Normal/ }).waitFor()
    await closeClean()
  })

  test('get one copy more with one tap, which one more tap takes back', async () => {
    const { page, user, id, closeClean, takeScreenshot } = await openOwner()
    const copies = async () =>
      (await call<{ quantity: number }[]>(user, 'GET', `/collections/${id}/items`)).length
    await page.goto(SET)
    await tile(page, 'T.S.V. Marigold')
      .getByRole('button', { name: /Add a copy/ })
      .click()
    await tile(page, 'T.S.V. Marigold').getByText('Owned: 3 Normal').waitFor()
    await page.getByText('T.S.V. Marigold is in “Binder”.').waitFor()
    await takeScreenshot('owned added')
    expect(await copies()).toBe(3)
    await page.getByRole('button', { name: 'Undo' }).click()
    await tile(page, 'T.S.V. Marigold').getByText('Owned: 2 Normal').waitFor()
    expect(await copies()).toBe(2)
    await closeClean()
  })

  test('are added once if answers get lost, also to another collection', async () => {
    const { page, user, id, close } = await openOwner()
    const { id: box } = await call<{ id: string }>(user, 'POST', '/collections', { name: 'Box' })
    const countIn = async (list: string) =>
      (await call<object[]>(user, 'GET', `/collections/${list}/items`)).length
    let answers = 0
    await page.route('**/v1/collections/*/items', async (route) => {
      if (route.request().method() !== 'POST' || ++answers % 2 === 0) return route.continue()
      await route.fetch()
      if (answers === 1) return route.abort()
      const error = { code: 'INTERNAL_ERROR', message: 'The answer was lost.' }
      return route.fulfill({ status: 500, json: { error } })
    })
    await page.goto('/cards/900403')
    const dialog = page.getByRole('dialog')
    const add = dialog.getByRole('button', { name: 'Add', exact: true })
    await page.getByRole('button', { name: 'Add to collection' }).click()
    await dialog.getByLabel('To').selectOption('Binder')
    await add.click()
    await dialog.getByText('is in “Binder”').waitFor()
    expect([answers, await countIn(id)]).toEqual([2, 3])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Add to collection' }).click()
    await dialog.getByLabel('To').selectOption('Binder')
    await add.click()
    await dialog.getByText('The answer was lost.').waitFor()
    expect([answers, await countIn(id)]).toEqual([3, 4])
    await dialog.getByLabel('To').selectOption('Box')
    await add.click()
    await dialog.getByText('is in “Box”').waitFor()
    expect([await countIn(id), await countIn(box)]).toEqual([3, 1])
    await close()
  })

  test('get and lose a copy by the keyboard, which stays where it was', async () => {
    const { page, closeClean } = await openOwner()
    await page.goto(SET)
    const marigold = tile(page, 'T.S.V. Marigold')
    const add = marigold.getByRole('button', { name: /Add a copy/ })
    await add.press('Enter')
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await expectFocused(undo)
    await page.keyboard.press('Enter')
    await marigold.getByText('Owned: 2 Normal').waitFor()
    await undo.waitFor({ state: 'detached' })
    await expectFocused(add)
    await page.keyboard.press('Enter')
    await expectFocused(undo)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await undo.waitFor({ state: 'detached' })
    await expectFocused(add)
    await closeClean()
  })

  test('say what was added last while an earlier one is taken back', async () => {
    const { page, closeClean } = await openOwner()
    const deleted = Promise.withResolvers<void>()
    await page.route('**/v1/collections/*/items/*', async (route) => {
      await deleted.promise
      await route.continue()
    })
    await page.goto(SET)
    const add = (name: string) =>
      tile(page, name)
        .getByRole('button', { name: /Add a copy/ })
        .click()
    const [first, second] = ['T.S.V. Marigold', 'T.S.V. Marigold, Refit']
    await add(first)
    await page.getByRole('button', { name: 'Undo' }).click()
    await add(second)
    await page.getByText(`${second} is in “Binder”.`).waitFor()
    deleted.resolve()
    await tile(page, first).getByText('Owned: 2 Normal').waitFor()
    expect(await page.getByText(`${second} is in “Binder”.`).isVisible()).toBe(true)
    await closeClean()
  })

  test('keep an error on the page until it is closed', async () => {
    const { page, close } = await openOwner()
    await page.clock.install()
    await page.goto(SET)
    const refusal = { error: { code: 'NOT_FOUND', message: 'No collection has this id.' } }
    await page.route('**/v1/collections/*/items', (route) =>
      route.fulfill({ status: 404, json: refusal }),
    )
    await tile(page, 'T.S.V. Marigold')
      .getByRole('button', { name: /Add a copy/ })
      .click()
    const error = page.locator('.toast').getByText('No collection has this id.')
    await error.waitFor()
    await page.mouse.move(0, 0)
    await page.clock.runFor(60_000)
    expect(await error.isVisible()).toBe(true)
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
    await error.waitFor({ state: 'detached' })
    await close()
  })

  test('go to the collection that was used last, and to a new one without any', async () => {
    const { page, user, id, closeClean } = await openOwner()
    const box = await call<{ id: string }>(user, 'POST', '/collections', { name: 'Box' })
    await page.goto('/cards/900402')
    await page.getByRole('button', { name: 'Add to collection' }).click()
    await page.getByLabel('To', { exact: true }).selectOption('Box')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('is in “Box”').waitFor()
    await page.goto('/search?q=marigold')
    const add = tile(page, 'T.S.V. Marigold').getByRole('button', { name: /Add a copy/ })
    await add.click()
    await page.getByText('is in “Box”').waitFor()
    for (const list of [id, box.id]) await call(user, 'DELETE', `/collections/${list}`)
    await page.reload()
    await add.click()
    await page.getByText('is in “Collection”').waitFor()
    await closeClean()
  })

  test('leave a wish list of the missing ones, with its cost', async () => {
    const { page, user, closeClean, takeScreenshot } = await openOwner()
    await page.goto(SET)
    await page.getByRole('button', { name: 'Wish list of the missing 21 cards' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/base printing: \$\d/).waitFor()
    await takeScreenshot('owned missing')
    await dialog.getByRole('button', { name: 'Create wish list' }).click()
    await dialog.getByText('21 cards are in “Missing of First Light”.').waitFor()
    const lists = await call<{ kind: string; item_count: number }[]>(user, 'GET', '/collections')
    expect(lists).toContainEqual(expect.objectContaining({ kind: 'wish', item_count: 21 }))
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('2 of 23 cards owned').waitFor()
    await closeClean()
  })

  test('are added one after another, however quickly they are tapped', async () => {
    const { page, user, id, closeClean } = await openOwner()
    await call(user, 'DELETE', `/collections/${id}`)
    await page.goto(SET)
    await page.getByText('0 of 23 cards owned').waitFor()
    const names = ['T.S.V. Marigold', 'Quiet Arithmetic', 'The Long Haul']
    await page.evaluate((taps) => {
      for (const name of taps)
        document.querySelector<HTMLElement>(`[aria-label="Add a copy of ${name}"]`)?.click()
    }, names)
    await page.getByText('3 of 23 cards owned').waitFor()
    const lists = await call<{ item_count: number }[]>(user, 'GET', '/collections')
    expect(lists.map(({ item_count }) => item_count)).toEqual([3])
    await closeClean()
  })

  test('leave one wish list, also if a part of it fails at first', async () => {
    const { page, user, close } = await openOwner()
    await page.goto(SET)
    await page.getByRole('button', { name: 'Wish list of the missing 21 cards' }).click()
    const dialog = page.getByRole('dialog')
    let requests = 0
    await page.route('**/v1/collections/*/items', (route) =>
      requests++ > 0 ? route.continue() : route.fulfill({ status: 500, json: {} }),
    )
    await dialog.getByRole('button', { name: 'Create wish list' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Create wish list' }).click()
    await dialog.getByText('21 cards are in “Missing of First Light”.').waitFor()
    const lists = await call<{ kind: string; item_count: number }[]>(user, 'GET', '/collections')
    const wanted = lists.filter(({ kind }) => kind === 'wish')
    expect(wanted.map(({ item_count }) => item_count)).toEqual([21])
    await close()
  })

  test('are offered again if they could not be fetched', async () => {
    const { page, close } = await openOwner()
    await page.route('**/v1/collections/owned?*', (route) =>
      route.fulfill({ status: 500, json: {} }),
    )
    await page.goto(`${SET}?view=table`)
    const progress = page.getByRole('region', { name: 'Owned' })
    const again = progress.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    expect(await page.getByRole('columnheader', { name: 'Owned' }).count()).toBe(0)
    await page.unroute('**/v1/collections/owned?*')
    await again.click()
    await progress.getByText('2 of 23 cards owned').waitFor()
    await close()
  })

  test('show nothing to visitors', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto(SET)
    await page.locator('.tile').first().waitFor()
    expect(await page.getByText(/owned/i).count()).toBe(0)
    expect(await page.getByRole('button', { name: /Add a copy/ }).count()).toBe(0)
    await closeClean()
  })
})

// Browser tests of many items of a collection: found, selected, changed, moved and removed, also without an answer.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  type BrowserUser,
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

const [, DESKTOP] = SCREEN_SIZES

type Item = {
  id: string
  name: string
  condition: string
  place: string | null
  quantity: number
  price_paid: number | null
  paid_currency: string
}

describeInBrowser('many items', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  async function call<T>({ page }: BrowserUser, method: string, path: string, data?: object) {
    const response = await page.request.fetch(`${testServer.url}/v1${path}`, {
      method,
      headers: { origin: testServer.url },
      ...(data && { data }),
    })
    // The contract tests check these types.
    return ((await response.json()) as { data: T }).data
  }

  /** Opens a binder of thirty items, twenty of them in a box, and an empty one. */
  async function openOwner(size: (typeof SCREEN_SIZES)[number] = DESKTOP) {
    const user = await openBrowserUser(testServer.url, size)
    await testServer.logIn(user, 'business')
    for (const { id } of await call<{ id: string }[]>(user, 'GET', '/collections')) {
      await call(user, 'DELETE', `/collections/${id}`)
    }
    const { id } = await call<{ id: string }>(user, 'POST', '/collections', { name: 'Binder' })
    const other = await call<{ id: string }>(user, 'POST', '/collections', { name: 'Box' })
    const items = Array.from({ length: 30 }, (_, at) => ({
      card_id: at < 20 ? 900401 : 900402,
      quantity: 1 + at,
      ...(at < 20 && { place: 'Shelf 3' }),
    }))
    await call(user, 'POST', `/collections/${id}/items`, { items })
    await user.page.goto(`/collection/${id}`)
    await user.page.getByRole('region', { name: 'List of items' }).waitFor()
    const stored = (list: string) =>
      call<Item[]>(user, 'GET', `/collections/${list}/items?per_page=100&sort=added_asc`)
    return { ...user, id, other: other.id, stored }
  }

  testEachScreen('are found by name and place, which the address keeps: %s', async (_, size) => {
    const { page, audit, takeScreenshot, closeClean } = await openOwner(size)
    await page.getByRole('searchbox', { name: 'Search this collection' }).fill('refit')
    await expectUrl(page, ({ searchParams }) => searchParams.get('q') === 'refit')
    const list = page.getByRole('region', { name: 'List of items' })
    await list.getByRole('link', { name: 'T.S.V. Marigold, Refit' }).first().waitFor()
    await list.getByRole('row').nth(11).waitFor({ state: 'detached' })
    expect(await list.getByRole('row').count()).toBe(11)
    // A reload keeps the place of a page that was scrolled, whose end is then in view until it is long again.
    await page.evaluate('scrollTo(0, 0)')
    const shifts = await watchLayoutShifts(page)
    await page.reload()
    await list.getByRole('row').nth(10).waitFor()
    const { sum, moved } = await shifts()
    expect(sum, moved).toBeLessThan(0.02)
    const field = page.getByRole('searchbox', { name: 'Search this collection' })
    expect(await field.inputValue()).toBe('refit')
    await field.fill('')
    const filters = page.getByRole('button', { name: 'Filters' })
    if (await filters.isVisible()) await filters.click()
    await page.getByLabel('Place').selectOption('Shelf 3')
    await expectUrl(page, ({ searchParams }) => searchParams.get('place') === 'Shelf 3')
    await takeScreenshot('collection filters')
    expect(await audit()).toEqual([])
    await closeClean()
  })

  testEachScreen('are changed at once, and back: %s', async (_, size) => {
    const { page, id, stored, audit, takeScreenshot, closeClean } = await openOwner(size)
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    const boxes = page.getByRole('checkbox')
    await boxes.nth(1).click()
    await boxes.nth(4).click({ modifiers: ['Shift'] })
    await page.getByText('4 items selected').waitFor()
    await takeScreenshot('collection selection')
    expect(await audit()).toEqual([])
    await page.getByRole('button', { name: 'Select all 30' }).click()
    await page.getByText('30 items selected').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 30 items' })
    await dialog.getByLabel('Condition').selectOption('Lightly played')
    await dialog.getByLabel('Place').fill('Box 7')
    await takeScreenshot('collection edit many')
    expect(await audit()).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('30 items are changed.').waitFor()
    const changed = await stored(id)
    expect(
      changed.filter((one) => one.condition === 'lightly_played' && one.place === 'Box 7'),
    ).toHaveLength(30)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
    const back = await stored(id)
    expect(back.filter(({ condition }) => condition === 'near_mint')).toHaveLength(30)
    expect(back.filter(({ place }) => place === 'Shelf 3')).toHaveLength(20)
    await closeClean()
  })

  test('are moved and removed by the keyboard, and back', async () => {
    const { page, id, other, stored, closeClean } = await openOwner()
    const select = page.getByRole('button', { name: 'Select', exact: true })
    const done = page.getByRole('button', { name: 'Done', exact: true })
    await select.press('Enter')
    await expectFocused(done)
    await page.keyboard.press('Enter')
    await expectFocused(select)
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox').first().press('Space')
    await page.getByRole('button', { name: 'Move', exact: true }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Move 1 item' })
    await dialog.getByLabel('To').selectOption('Box')
    await dialog.getByRole('button', { name: 'Move' }).press('Enter')
    await page.getByText('1 item is moved to “Box”.').waitFor()
    expect([(await stored(id)).length, (await stored(other)).length]).toEqual([29, 1])
    const undo = page.getByRole('button', { name: 'Undo' })
    await expectFocused(undo)
    await page.keyboard.press('Enter')
    await undo.waitFor({ state: 'detached' })
    expect([(await stored(id)).length, (await stored(other)).length]).toEqual([30, 0])
    const before = await stored(id)
    await page.getByRole('button', { name: 'Select all 30' }).press('Enter')
    await page.getByText('30 items selected').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await page.getByText('30 items are removed.').waitFor()
    expect(await stored(id)).toEqual([])
    await expectFocused(undo)
    await page.keyboard.press('Enter')
    await undo.waitFor({ state: 'detached' })
    const facts = (all: Item[]) => all.map((one) => [one.id, one.name, one.place, one.quantity])
    expect(facts(await stored(id))).toEqual(facts(before))
    await page.getByRole('button', { name: 'Select all 30' }).press('Enter')
    await page.getByText('30 items selected').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await expectFocused(undo)
    await page.getByText('No items yet.').waitFor()
    await done.press('Enter')
    await expectFocused(page.getByRole('searchbox', { name: 'Search this collection' }))
    await closeClean()
  })

  test('are changed once if the answer gets lost, and stay as another browser has left them', async () => {
    const user = await openOwner()
    const { page, id, stored } = user
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('button', { name: 'Select all 30' }).click()
    await page.getByText('30 items selected').waitFor()
    const [first] = await stored(id)
    await call(user, 'PATCH', `/collections/${id}/items/${first?.id}`, { quantity: 50 })
    const countLost = await loseFirstAnswer(page)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Condition').selectOption('Damaged')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('29 items are changed. Left as they are: 1 changed elsewhere.').waitFor()
    const after = await stored(id)
    expect(countLost()).toBe(1)
    expect(after.filter(({ condition }) => condition === 'damaged')).toHaveLength(29)
    expect(after[0]).toMatchObject({ condition: 'near_mint', quantity: 50 })
    await user.close()
  })

  test('are removed although the answer gets lost, and all come back', async () => {
    const { page, id, stored, close } = await openOwner()
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('button', { name: 'Select all 30' }).click()
    await page.getByText('30 items selected').waitFor()
    const countLost = await loseFirstAnswer(page)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('30 items are removed.').waitFor()
    expect([countLost(), (await stored(id)).length]).toEqual([1, 0])
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.click()
    await undo.waitFor({ state: 'detached' })
    expect(await stored(id)).toHaveLength(30)
    await close()
  })

  test('that were removed before an error come back, and the others stay selected', async () => {
    const user = await openOwner()
    const { page, id, stored, close } = user
    const items = Array.from({ length: 80 }, () => ({ card_id: 900402 }))
    await call(user, 'POST', `/collections/${id}/items`, { items })
    await page.reload()
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('button', { name: 'Select all 110' }).click()
    await page.getByText('110 items selected').waitFor()
    let parts = 0
    await page.route('**/v1/collections/*/items', (route) => {
      if (route.request().method() !== 'PATCH' || ++parts === 1) return route.continue()
      const error = { code: 'INTERNAL_ERROR', message: 'The second part has failed.' }
      return route.fulfill({ status: 500, json: { error } })
    })
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('100 items are removed.').waitFor()
    await page.getByText('The second part has failed.').waitFor()
    await page.getByText('10 items selected').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.click()
    await undo.waitFor({ state: 'detached' })
    expect((await stored(id)).length).toBe(100)
    await close()
  })

  test('get a price with its currency, whatever theirs was', async () => {
    const user = await openOwner()
    const { page, id, stored, closeClean } = user
    const [first] = await stored(id)
    const theirs = { price_paid: 5, paid_currency: 'EUR' }
    await call(user, 'PATCH', `/collections/${id}/items/${first?.id}`, theirs)
    await page.reload()
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('button', { name: 'Select all 30' }).click()
    await page.getByText('30 items selected').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Price paid for each copy').fill('10')
    expect(await dialog.getByLabel('Paid in').inputValue()).toBe('USD')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('30 items are changed.').waitFor()
    const paid = async () =>
      (await stored(id)).map((item) => `${item.price_paid} ${item.paid_currency}`)
    expect(new Set(await paid())).toEqual(new Set(['10 USD']))
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.click()
    await undo.waitFor({ state: 'detached' })
    expect(new Set(await paid())).toEqual(new Set(['5 EUR', 'null USD']))
    await closeClean()
  })

  test('say which of them another browser keeps from coming back', async () => {
    const user = await openOwner()
    const { page, id, stored, close } = user
    await page.getByRole('button', { name: 'Select', exact: true }).click()
    await page.getByRole('button', { name: 'Select all 30' }).click()
    await page.getByText('30 items selected').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Condition').selectOption('Damaged')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('30 items are changed.').waitFor()
    const [first] = await stored(id)
    await call(user, 'PATCH', `/collections/${id}/items/${first?.id}`, { quantity: 50 })
    await page.getByRole('button', { name: 'Undo' }).click()
    const text = '29 items are restored. Left as they are: 1 changed elsewhere.'
    await page.getByText(text).waitFor()
    const damaged = (await stored(id)).filter(({ condition }) => condition === 'damaged')
    expect(damaged.map((item) => item.id)).toEqual([first?.id ?? ''])
    await page.getByRole('button', { name: 'OK' }).click()
    await page.getByText(text).waitFor({ state: 'detached' })
    await close()
  })
})

/** Lets the first change of items reach the server, and its answer get lost. @returns a function that counts lost answers */
async function loseFirstAnswer(page: Page): Promise<() => number> {
  let lost = 0
  await page.route('**/v1/collections/*/items', async (route) => {
    if (route.request().method() !== 'PATCH' || lost > 0) return route.continue()
    lost++
    await route.fetch()
    await route.abort()
  })
  return () => lost
}

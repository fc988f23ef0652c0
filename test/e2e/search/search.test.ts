// Finding a card by typing, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Route } from 'playwright-core'
import {
  BROWSER_MISSING,
  expectVisible,
  openBrowserUser,
  type Page,
  SCREEN_SIZES,
  SCREENS,
} from '../../support/browser.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

describe.skipIf(BROWSER_MISSING !== undefined)('searching', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  }, 30_000)
  afterAll(() => testServer.close())

  test.each(SCREEN_SIZES.map((size) => [size.name, size] as const))(
    'finds while it is typed, narrows down, and stands in the address: %s',
    async (_, size) => {
      const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(
        testServer.url,
        size,
      )
      await page.goto('/search')
      await page.getByRole('link', { name: 'Perihelion Drift Crew Game' }).waitFor()
      await takeScreenshot('search-start')
      expect(await audit()).toEqual([])

      // Who comes with nothing to look for finds the field ready.
      await page.keyboard.type('mar', { delay: 20 })
      await total(page, '10 cards')
      expect(queryOf(page)).toEqual({ q: 'mar' })
      await takeScreenshot('search-results')
      expect(await audit()).toEqual([])

      const filters = page.getByRole('button', { name: /^Filters/ })
      await open(filters)
      await page.getByLabel('Game').selectOption({ label: 'Wickerwild Creature Duels' })
      await total(page, '5 cards')
      const set = page.getByRole('combobox', { name: 'Set' })
      await set.fill('tide')
      await page.getByRole('option', { name: 'Tidepool Parade' }).waitFor()
      await takeScreenshot('search-sets')
      expect(await audit()).toEqual([])
      await set.press('ArrowDown')
      await set.press('Enter')
      await page.waitForURL(/set_id=90012/)
      await page.getByRole('button', { name: 'Sealed', exact: true }).click()
      await total(page, '1 sealed product')
      await page.getByRole('button', { name: 'Take away: Sealed Products' }).click()
      await page.getByLabel('From').fill('1,5')
      await page.getByLabel('From').press('Enter')
      await total(page, '3 cards')
      await page.getByLabel('Sort by').selectOption('price_desc')
      await page.waitForURL(/sort=price_desc/)
      expect(queryOf(page)).toEqual({
        q: 'mar',
        game: 'wickerwild',
        set_id: '90012',
        min_price: '1.5',
        sort: 'price_desc',
      })
      expect(await names(page)).toEqual([
        'Tidepool Parade Holiday Tin - Grand Marshal',
        'Grand Marshal Cindle',
        'Urchin Marshal',
      ])
      await takeScreenshot('search-filters')
      expect(await audit()).toEqual([])

      // Going to a card and back, everything is as it was.
      await page.getByRole('link', { name: 'Urchin Marshal' }).click()
      await arrived(page, /\/cards\//)
      await page.goBack()
      await total(page, '3 cards')
      expect(await field(page).inputValue()).toBe('mar')
      await open(filters)
      expect(await page.getByLabel('From').inputValue()).toBe('1.5')
      expect(await set.inputValue()).toBe('Tidepool Parade')
      await page.getByRole('button', { name: 'Clear all filters' }).click()
      await total(page, '10 cards')

      await field(page).fill('zzzzzz')
      await page.getByRole('heading', { name: 'No card fits “zzzzzz”' }).waitFor()
      await takeScreenshot('search-nothing')
      expect(await audit()).toEqual([])
      expect(faults).toEqual([])
      await close()
    },
    60_000,
  )

  // A phone has no bar: its tabs lead to the page of the search.
  test('the bar proposes cards, and the keyboard chooses one', async () => {
    const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(
      testServer.url,
      SCREENS[3],
    )
    await page.goto('/')
    await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).waitFor()
    const asked = searchesOf(page)
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Search cards' })
    expect(await box.evaluate((input) => input === document.activeElement)).toBe(true)

    await page.keyboard.type('mari', { delay: 20 })
    const options = page.getByRole('option')
    await page.getByRole('option', { name: 'See all 3 results' }).waitFor()
    expect(await options.allTextContents()).toEqual([
      'T.S.V. Marigold (Blueprint)First Light · PD1-023$274.52',
      'T.S.V. Marigold, RefitFirst Light · PD1-002$86.99',
      'T.S.V. MarigoldFirst Light · PD1-001$46.40',
      'See all 3 results',
    ])
    // A hand that rests longer than a keystroke takes asks, a hand that types on does not.
    expect(asked.at(-1)).toBe('mari')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page)).toStartWith('T.S.V. Marigold, Refit')
    await takeScreenshot('search-bar')
    expect(await audit()).toEqual([])
    await page.keyboard.press('End')
    expect(await chosen(page)).toBe('See all 3 results')
    await page.keyboard.press('Home')
    expect(await chosen(page)).toStartWith('T.S.V. Marigold (Blueprint)')

    // What was asked for before is not asked for again.
    await page.keyboard.press('Escape')
    expect(await options.count()).toBe(0)
    await page.keyboard.type('x')
    await page.getByText('No card is called that.').first().waitFor()
    await page.keyboard.press('Backspace')
    await options.nth(3).waitFor()
    expect(asked.slice(asked.indexOf('mari'))).toEqual(['mari', 'marix'])

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await arrived(page, /\/cards\/\d+$/)

    // Enter without a choice leads to all of them.
    await page.keyboard.press('/')
    await page.keyboard.type('th')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=th$/)
    await total(page, '11 cards')
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  test('the arrows lead from the field through the results and back', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/search?q=th')
    await total(page, '11 cards')
    await field(page).press('ArrowDown')
    const all = await names(page)
    const columns = await page
      .locator('.results')
      .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
    expect(await focused(page)).toBe(all[0] ?? '')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe(all[1 + columns] ?? '')
    await page.keyboard.press('ArrowUp')
    expect(await focused(page)).toBe(all[1] ?? '')
    await page.keyboard.press('Escape')
    expect(await field(page).evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    expect(await focused(page)).toBe(all[10] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/cards\/\d+$/)
    await close()
  }, 30_000)

  test('a search is one step of the history, however it was typed', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/')
    await page.goto('/search?q=mari')
    await total(page, '3 cards')
    await field(page).click()
    await field(page).fill('')
    for (const typed of ['th', 'thi', 'this']) {
      await field(page).fill(typed)
      await page.waitForURL(new RegExp(`q=${typed}$`))
    }
    await page.goBack()
    await total(page, '3 cards')
    expect(await field(page).inputValue()).toBe('mari')
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe('/')
    await close()
  }, 30_000)

  test('a near miss is found under its right spelling, and that is said', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/search?q=marigod')
    await expectVisible(page.getByText('Nothing is called “marigod”. These are for “marigold”.'))
    await total(page, '3 cards')
    await close()
  }, 30_000)

  test('what cannot be searched for is told at its field, and nothing typed is lost', async () => {
    const { page, audit, takeScreenshot, close } = await openBrowserUser(testServer.url)
    await page.goto('/search?q=--')
    await page.getByText('"q" must hold at least one letter or digit.').waitFor()
    await field(page).fill('mari')
    await total(page, '3 cards')

    const from = page.getByLabel('From')
    await from.fill('many')
    await from.press('Enter')
    await page.getByText('Write a price such as 12 or 12.50.').waitFor()
    expect(await from.inputValue()).toBe('many')
    await from.fill('99999999999')
    await from.press('Enter')
    await page.getByText('"min_price" must be a number from 0 to 1000000000.').waitFor()
    expect(await from.inputValue()).toBe('99999999999')
    await takeScreenshot('search-refused')
    expect(await audit()).toEqual([])
    await from.fill('50')
    await from.press('Enter')
    await total(page, '2 cards')
    await page.getByLabel('To').fill('20')
    await page.getByLabel('To').press('Enter')
    await page.getByText('This is below 50.').waitFor()
    expect(queryOf(page)).toEqual({ q: 'mari', min_price: '50' })
    await close()
  }, 30_000)

  test.each([
    [429, 'RATE_LIMIT_EXCEEDED', 'That is all for today'],
    [503, 'OVERLOADED', 'The service is busy'],
  ] as const)(
    'a %i is told in the words of the API, and can be tried again',
    async (...told) => {
      const [status, code, heading] = told
      const { page, audit, takeScreenshot, close } = await openBrowserUser(
        testServer.url,
        SCREENS[0],
      )
      const refuse = (route: Route) =>
        route.fulfill({
          status,
          headers: { 'retry-after': '60' },
          json: { error: { code, message: 'Come back in a minute.' } },
        })
      await page.route('**/v1/search?*', refuse)
      await page.goto('/search?q=mari')
      await page.getByRole('heading', { name: heading }).waitFor()
      await page.getByText('Come back in a minute.').waitFor()
      await takeScreenshot(`search-${status}`)
      expect(await audit()).toEqual([])
      expect(await field(page).inputValue()).toBe('mari')
      await page.unroute('**/v1/search?*', refuse)
      await page.getByRole('button', { name: 'Try again' }).click()
      await total(page, '3 cards')
      await close()
    },
    30_000,
  )

  test('slow answers do not come out of order, and older results stay meanwhile', async () => {
    const { page, takeScreenshot, close } = await openBrowserUser(testServer.url)
    const held = Promise.withResolvers<void>()
    await page.route(/\/v1\/search\?q=thi&/, async (route) => {
      await held.promise
      // The page has given this question up: nobody takes the answer.
      await route.continue().catch(() => undefined)
    })
    await page.goto('/search?q=th')
    await total(page, '11 cards')
    await field(page).fill('thi')
    await page.locator('.results.old').waitFor()
    expect((await names(page)).length).toBe(11)
    await takeScreenshot('search-slow')
    await field(page).fill('mari')
    await total(page, '3 cards')
    held.resolve()
    await page.waitForLoadState('networkidle')
    expect((await names(page)).length).toBe(3)
    expect(await page.locator('.results.old').count()).toBe(0)
    await close()
  }, 30_000)

  test('a set shows its sealed products alone, and that stands in the address', async () => {
    const { page, audit, close } = await openBrowserUser(testServer.url, SCREENS[0])
    await page.goto('/sets/90011')
    await page.getByRole('link', { name: 'Cindlemane Regent' }).waitFor()
    await page.getByRole('button', { name: 'Sealed products' }).click()
    await page.waitForURL(/\?type=Sealed\+Products$/)
    await page.getByRole('link', { name: 'Cindlemane Regent' }).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Lantern Season Booster Box', exact: true }).waitFor()
    expect(await audit()).toEqual([])
    await page.goBack()
    await page.getByRole('link', { name: 'Cindlemane Regent' }).waitFor()
    await close()
  }, 30_000)
})

function field(page: Page) {
  return page.getByRole('main').getByRole('searchbox', { name: 'Search cards' })
}

async function total(page: Page, text: string): Promise<void> {
  await page.locator('.found-count').getByText(text, { exact: true }).waitFor()
}

/** Waits for another page, whose heading takes the focus. */
async function arrived(page: Page, url: RegExp): Promise<void> {
  await page.waitForURL(url)
  await page.locator('h1:focus').waitFor()
}

/** Opens the filters of a phone; on a desk they are open. */
async function open(filters: Locator): Promise<void> {
  if (!(await filters.isVisible())) return
  if ((await filters.getAttribute('aria-expanded')) === 'false') await filters.click()
}

function names(page: Page): Promise<string[]> {
  return page.locator('.results .tile a').allTextContents()
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '')
}

/** What the arrows have chosen, as a screen reader is told it. */
function chosen(page: Page): Promise<string> {
  return page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
    const option = document.getElementById(id)
    return option?.getAttribute('aria-selected') === 'true' ? (option.textContent ?? '') : ''
  })
}

/** What is searched for, in the order in which it is asked. */
function searchesOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/v1/search') asked.push(url.searchParams.get('q') ?? '')
  })
  return asked
}

function queryOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams)
}

// Browser tests of the search page and the search field.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Route } from 'playwright-core'
import {
  describeInBrowser,
  expectFocused,
  expectUrl,
  expectVisible,
  openBrowserUser,
  type Page,
  SCREENS,
  testEachScreen,
} from '../../support/browser.ts'
import { closeFilters, openFilters } from '../../support/search/filters.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

describeInBrowser('search', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  testEachScreen(
    'finds cards while typing, filters them, and keeps its state in the URL: %s',
    async (_, size) => {
      const { page, closeClean, inspect } = await openBrowserUser(testServer.url, size)
      await page.goto('/search')
      await page.getByRole('link', { name: 'Perihelion Drift Crew Game' }).waitFor()
      expect(await inspect('search-start')).toEqual([])

      // The empty search page focuses its field.
      await page.keyboard.type('mar', { delay: 20 })
      await total(page, '10 cards')
      expect(queryOf(page)).toEqual({ q: 'mar' })
      expect(await inspect('search-results')).toEqual([])

      await openFilters(page)
      await page.getByLabel('Game').selectOption({ label: 'Wickerwild Creature Duels' })
      await total(page, '5 cards')
      const set = page.getByRole('combobox', { name: 'Set' })
      await set.fill('tide')
      await page.getByRole('option', { name: 'Tidepool Parade' }).waitFor()
      expect(await inspect('search-sets')).toEqual([])
      await set.press('ArrowDown')
      await set.press('Enter')
      await page.waitForURL(/set_id=90012/)
      await page.getByRole('button', { name: 'Sealed', exact: true }).click()
      await total(page, '1 sealed product')
      await closeFilters(page)
      await page.getByRole('button', { name: 'Remove filter: Sealed Products' }).click()
      await openFilters(page)
      await page.getByLabel('From').fill('1,2')
      await page.getByLabel('From').press('Enter')
      await total(page, '3 cards')
      await closeFilters(page)
      await page.getByLabel('Sort by').selectOption('price_desc')
      await page.waitForURL(/sort=price_desc/)
      expect(queryOf(page)).toEqual({
        q: 'mar',
        game: 'wickerwild',
        set_id: '90012',
        min_price: '1.2',
        sort: 'price_desc',
      })
      // The list shows the previous order until the new one arrives.
      await page.locator('.results li:nth-child(3)', { hasText: 'Urchin Marshal' }).waitFor()
      expect(await names(page)).toEqual([
        'Tidepool Parade Holiday Tin - Grand Marshal',
        'Grand Marshal Cindle',
        'Urchin Marshal',
      ])
      expect(await inspect('search-filters')).toEqual([])

      // Back navigation restores the search.
      await page.getByRole('link', { name: 'Urchin Marshal' }).click()
      await arrived(page, /\/cards\//)
      await page.goBack()
      await total(page, '3 cards')
      expect(await field(page).inputValue()).toBe('mar')
      await openFilters(page)
      expect(await page.getByLabel('From').inputValue()).toBe('1.2')
      expect(await set.inputValue()).toBe('Tidepool Parade')
      await closeFilters(page)
      await page.getByRole('button', { name: 'Clear all filters' }).click()
      await total(page, '10 cards')

      await field(page).fill('zzzzzz')
      await page.getByRole('heading', { name: 'No results for “zzzzzz”' }).waitFor()
      expect(await inspect('search-nothing')).toEqual([])
      await closeClean()
    },
  )

  test('a printing is selected, and results are sorted by its price, change or release', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url, SCREENS[3])
    await page.goto('/search?q=cindle&sort=price_desc')
    await page.locator('.results li').first().waitFor()
    const printing = page.getByRole('combobox', { name: 'Printing' })
    await printing.click()
    await page.getByRole('option', { name: 'Holofoil', exact: true }).click()
    await page.waitForURL(/printing=Holofoil/)
    const own = page.locator('.results:not([aria-busy="true"]) .tile-price + p')
    await page.getByRole('button', { name: 'Remove filter: Holofoil' }).waitFor()
    await own.first().waitFor()
    expect(new Set(await own.allTextContents())).toEqual(new Set(['Holofoil']))
    for (const sort of ['change_desc', 'change_asc', 'newest']) {
      await page.getByLabel('Sort by').selectOption(sort)
      await page.waitForURL(new RegExp(`sort=${sort}`))
      await own.first().waitFor()
    }
    await closeClean()
  })

  // Phones have no header search.
  test('the search field suggests cards, and the keyboard selects one', async () => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url, SCREENS[3])
    await page.goto('/')
    await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).waitFor()
    const searches = searchesOf(page)
    await page.keyboard.press('/')
    const box = page.getByRole('combobox', { name: 'Search cards' })
    await expectFocused(box)

    await page.keyboard.type('mari', { delay: 20 })
    const options = page.getByRole('listbox').getByRole('option')
    await page.getByRole('option', { name: 'See all 3 results' }).waitFor()
    expect(await options.allTextContents()).toEqual([
      'T.S.V. Marigold (Blueprint)First Light · PD1-023$274.52Cold Foil',
      'T.S.V. Marigold, RefitFirst Light · PD1-002$23.04Foil',
      'T.S.V. MarigoldFirst Light · PD1-001$5.12Normal',
      'See all 3 results',
    ])
    // Only a pause in typing sends a request.
    expect(searches.at(-1)).toBe('mari')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page)).toStartWith('T.S.V. Marigold, Refit')
    expect(await inspect('search-bar')).toEqual([])
    await page.keyboard.press('End')
    expect(await chosen(page)).toBe('See all 3 results')
    await page.keyboard.press('Home')
    expect(await chosen(page)).toStartWith('T.S.V. Marigold (Blueprint)')

    // Cached results are not requested again.
    await page.keyboard.press('Escape')
    expect(await options.count()).toBe(0)
    await page.keyboard.type('x')
    await page.getByText('No matching cards.').first().waitFor()
    await page.keyboard.press('Backspace')
    await options.nth(3).waitFor()
    expect(searches.slice(searches.indexOf('mari'))).toEqual(['mari', 'marix'])

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await arrived(page, /\/cards\/\d+$/)

    // Enter without a selection shows all results.
    await page.keyboard.press('/')
    await page.keyboard.type('th')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/search\?q=th$/)
    await total(page, '11 cards')
    await closeClean()
  })

  test('the arrow keys move between the field and the results', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/search?q=mar')
    await total(page, '10 cards')
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
    await expectFocused(field(page))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    expect(await focused(page)).toBe(all[9] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/cards\/\d+$/)
    await close()
  })

  test('a search is one history entry', async () => {
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
    await expectUrl(page, ({ pathname }) => pathname === '/')
    await close()
  })

  test('a misspelling is corrected, with a note on the page', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/search?q=marigod')
    await expectVisible(page.getByText('No results for “marigod”. Showing “marigold”.'))
    await total(page, '3 cards')
    await close()
  })

  testEachScreen(
    'a result shows the price of the printing that the query names, and the page the words that it ignores: %s',
    async (_, size) => {
      const { page, closeClean, inspect } = await openBrowserUser(testServer.url, size)
      const answered = page.waitForResponse('**/v1/search?*')
      await page.goto('/search?q=cindlemane+regent+1st+edition+xyzzyq')
      await total(page, '1 card')
      await expectVisible(page.getByText('Ignored: “xyzzyq”', { exact: true }))
      const tile = page.locator('.results .tile')
      expect(await tile.textContent()).toMatch(/\$92\.86.*1st Edition Holofoil$/)
      expect(await inspect('search-printing')).toEqual([])

      // The page fetches the members that it shows, without texts and attributes.
      const { data } = await (await answered).json()
      expect(Object.keys(data[0])).not.toContain('custom_attributes')

      // Results stay sorted by the base printing if very many cards have the requested printing.
      await page.route('**/v1/search?*', async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        for (const card of body.data)
          Object.assign(card, { printing: 'Holofoil', market_price: 23.01 })
        await route.fulfill({ response, json: body })
      })
      await field(page).fill('cindlemane regent 1st edition')
      await page.getByText('Ignored:').waitFor({ state: 'hidden' })
      await page.getByText('$92.86 1st Edition Holofoil').waitFor()
      expect(await tile.textContent()).toMatch(/\$23\.01.*Holofoil\$92\.86 1st Edition Holofoil$/)
      expect(await inspect('search-both-printings')).toEqual([])
      await closeClean()
    },
  )

  test('the search field names the printing and the ignored words, too', async () => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url, SCREENS[3])
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Search cards' }).fill('regent 1st edition xyzzyq')
    await expectVisible(page.getByText('Ignored: “xyzzyq”', { exact: true }))
    expect(await page.getByRole('listbox').getByRole('option').allTextContents()).toEqual([
      'Cindlemane RegentLantern Season · 003/024$92.861st Edition Holofoil',
      'See the result',
    ])
    expect(await inspect('search-bar-printing')).toEqual([])
    await closeClean()
  })

  test('the search field and the results offer the set and the game that a text names', async () => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url, SCREENS[3])
    await page.goto('/')
    const box = page.getByRole('combobox', { name: 'Search cards' })
    await box.fill('tidepool')
    const set = page.getByRole('option', { name: 'Tidepool Parade Set' })
    await set.waitFor()
    await expectVisible(page.getByRole('option', { name: /^See all/ }))
    expect(await inspect('search-bar-set')).toEqual([])
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page)).toStartWith('Tidepool Parade')
    await page.keyboard.press('Enter')
    await arrived(page, /\/sets\/90012$/)

    await page.goto('/search?q=tidepool')
    const offered = page.getByRole('list', { name: 'Sets and games' })
    await offered.getByRole('link', { name: 'Tidepool Parade' }).waitFor()
    expect(await inspect('search-results-set')).toEqual([])
    await page.goto('/search?q=wickerwild')
    await offered.getByRole('link', { name: 'Wickerwild Creature Duels' }).click()
    await arrived(page, /\/games\/wickerwild$/)
    await closeClean()
  })

  test('the sheet of the filters applies what was typed, however it is closed', async () => {
    const { page, audit, closeClean } = await openBrowserUser(testServer.url, SCREENS[0])
    await page.goto('/search?q=mar')
    await total(page, '10 cards')
    await openFilters(page)
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    await page.getByLabel('From').fill('1.2')
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.waitForURL(/min_price=1\.2/)

    await openFilters(page)
    await page.getByLabel('To').fill('abc')
    await sheet.getByRole('button', { name: 'Show results' }).click()
    await expectVisible(sheet.getByText('Enter a price such as 12 or 12.50.'))
    await expectFocused(page.getByLabel('To'))
    expect(await audit()).toEqual([])
    await page.getByLabel('To').fill('')
    // The first Escape closes the list of a field, the next one the sheet.
    await page.getByRole('combobox', { name: 'Rarity' }).fill('ra')
    await page.keyboard.press('Escape')
    await expectVisible(sheet)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })

    await openFilters(page)
    await page.setViewportSize({ width: 900, height: 400 })
    await sheet.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: /^Filters/ }).waitFor()
    expect(await sheet.count()).toBe(0)
    await closeClean()
  })

  test('invalid input is reported at its field and kept', async () => {
    const { page, close, inspect } = await openBrowserUser(testServer.url)
    await page.goto('/search?q=--')
    await page.getByText(/must (hold|contain) at least one letter or digit/i).waitFor()
    await field(page).fill('mari')
    await total(page, '3 cards')

    const from = page.getByLabel('From')
    await from.fill('many')
    await from.press('Enter')
    await page.getByText('Enter a price such as 12 or 12.50.').waitFor()
    expect(await from.inputValue()).toBe('many')
    await from.fill('99999999999')
    await from.press('Enter')
    await page.getByText('Must be a number from 0 to 1000000000.').waitFor()
    expect(await from.inputValue()).toBe('99999999999')
    expect(await inspect('search-refused')).toEqual([])
    await from.fill('20')
    await from.press('Enter')
    await total(page, '2 cards')
    await page.getByLabel('To').fill('10')
    await page.getByLabel('To').press('Enter')
    await page.getByText('Enter at least 20.').waitFor()
    expect(queryOf(page)).toEqual({ q: 'mari', min_price: '20' })
    await close()
  })

  test.each([
    [429, 'RATE_LIMIT_EXCEEDED', 'Daily limit reached'],
    [503, 'OVERLOADED', 'The server is busy'],
  ] as const)(
    'a %i shows the message of the API and a retry button',
    async (status, code, heading) => {
      const { page, close, inspect } = await openBrowserUser(testServer.url, SCREENS[0])
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
      expect(await inspect(`search-${status}`)).toEqual([])
      expect(await field(page).inputValue()).toBe('mari')
      await page.unroute('**/v1/search?*', refuse)
      await page.getByRole('button', { name: 'Try again' }).click()
      await total(page, '3 cards')
      await close()
    },
  )

  test('slow responses stay in order, and older results remain visible', async () => {
    const { page, takeScreenshot, close } = await openBrowserUser(testServer.url)
    const held = Promise.withResolvers<void>()
    await page.route(/\/v1\/search\?q=marg&/, async (route) => {
      await held.promise
      // The page aborts this request.
      await route.continue().catch(() => undefined)
    })
    await page.goto('/search?q=mar')
    await total(page, '10 cards')
    await field(page).fill('marg')
    await page.locator('.results.stale').waitFor()
    expect((await names(page)).length).toBe(10)
    await takeScreenshot('search-slow')
    await field(page).fill('mari')
    await total(page, '3 cards')
    held.resolve()
    await page.waitForLoadState('networkidle')
    expect((await names(page)).length).toBe(3)
    expect(await page.locator('.results.stale').count()).toBe(0)
    await close()
  })

  test('a set can show only sealed products, as the URL states', async () => {
    const { page, audit, close } = await openBrowserUser(testServer.url, SCREENS[0])
    await page.goto('/sets/90011')
    await page.getByRole('link', { name: 'Cindlemane Regent' }).waitFor()
    await openFilters(page)
    await page.getByRole('button', { name: 'Sealed products' }).click()
    await closeFilters(page)
    await page.waitForURL(/\?type=Sealed\+Products$/)
    await page.getByRole('link', { name: 'Cindlemane Regent' }).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Lantern Season Booster Box', exact: true }).waitFor()
    expect(await audit()).toEqual([])
    await page.goBack()
    await page.getByRole('link', { name: 'Cindlemane Regent' }).waitFor()
    await close()
  })
})

function field(page: Page) {
  return page.getByRole('main').getByRole('searchbox', { name: 'Search cards' })
}

async function total(page: Page, text: string): Promise<void> {
  await page.locator('.results-count').getByText(text, { exact: true }).waitFor()
}

/** Waits for another page, whose heading has the focus. */
async function arrived(page: Page, url: RegExp): Promise<void> {
  await page.waitForURL(url)
  await page.locator('h1:focus').waitFor()
}

function names(page: Page): Promise<string[]> {
  return page.locator('.results .tile a').allTextContents()
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '')
}

/** Returns the selected option, as exposed to screen readers. */
function chosen(page: Page): Promise<string> {
  return page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
    const option = document.getElementById(id)
    return option?.getAttribute('aria-selected') === 'true' ? (option.textContent ?? '') : ''
  })
}

/** Records the search requests in order. */
function searchesOf(page: Page): string[] {
  const searches: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/v1/search') searches.push(url.searchParams.get('q') ?? '')
  })
  return searches
}

function queryOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams)
}

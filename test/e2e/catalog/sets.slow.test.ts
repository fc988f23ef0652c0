// Browser tests of a set's page: its value, its table, filters and files.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  describeInBrowser,
  openBrowserUser,
  type Page,
  testEachScreen,
} from '../../support/browser.ts'
import { closeFilters, openFilters } from '../../support/search/filters.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const SET = '/sets/90011'

describeInBrowser('a set', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  async function get<T>(path: string): Promise<T> {
    const headers = { 'X-API-Key': testServer.testApp.keys.pro }
    const body = await (await fetch(`${testServer.url}/v1${path}`, { headers })).json()
    // The contract tests check these types.
    return (body as { data: T }).data
  }
  const rowsOf = (page: Page) => page.locator('.set-table tbody th a').allTextContents()

  testEachScreen('shows its value, and its cards as a table in any order: %s', async (_, size) => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url, size)
    await page.goto(SET)
    const { value } = await get<{ value: number }>('/sets/90011/summary')
    await page.getByText(`$${value.toFixed(2)}`).waitFor()
    await page.getByRole('button', { name: 'Table' }).click()
    await page.waitForURL(/view=table/)
    const names = async (query: string) =>
      (await get<{ name: string }[]>(`/sets/90011/cards?per_page=100${query}`)).map(
        (one) => one.name,
      )
    await page.locator('.set-table').waitFor()
    expect(await rowsOf(page)).toEqual(await names(''))
    expect(await inspect('set as a table')).toEqual([])
    const by = async (header: string, order: string, query: string) => {
      await page.getByRole('button', { name: header, exact: true }).click()
      await page.waitForURL((url) => url.search.includes(query))
      await page.locator(`th[aria-sort=${order}]`).waitFor()
      expect(await rowsOf(page)).toEqual(await names(`&${query}`))
    }
    await by('Price', 'descending', 'sort=price_desc')
    await by('Price', 'ascending', 'sort=price_asc')
    await by('Name', 'ascending', 'sort=name')
    await openFilters(page)
    await page.getByRole('combobox', { name: 'Printing' }).selectOption('Holofoil')
    await page.waitForURL(/printing=Holofoil/)
    await page.getByRole('combobox', { name: 'Rarity' }).selectOption('Holo Rare')
    await page.waitForURL(/rarity=Holo\+Rare/)
    await closeFilters(page)
    const few = await names('&printing=Holofoil&rarity=Holo+Rare&sort=name')
    expect(few.length).toBeGreaterThan(2)
    await page.waitForFunction(
      (count) => document.querySelectorAll('.set-table tbody tr').length === count,
      few.length,
    )
    expect(await rowsOf(page)).toEqual(few)
    // The URL has the selection.
    await page.reload()
    await page.locator('.set-table').waitFor()
    expect(await rowsOf(page)).toEqual(few)
    await page.goto(`${SET}?rarity=Nonsense`)
    await page.getByText('No card of this set matches the filters.').waitFor()
    await closeClean()
  })

  testEachScreen('charts its value over time: %s', async (_, size) => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url, size)
    await page.goto(SET)
    await page.getByText('Value over time').click()
    await page.locator('.chart canvas').waitFor()
    await page.getByRole('button', { name: '3M' }).click()
    expect(await inspect('set value')).toEqual([])
    type SetValue = { date: string; value: number; cards: number }
    const history = await get<SetValue[]>('/sets/90011/history?range=all')
    const last = history.at(-1)?.value.toLocaleString('en-US', { minimumFractionDigits: 2 })
    const chart = page.getByRole('slider', { name: 'Market price by day' })
    expect(await chart.getAttribute('aria-valuetext')).toContain(`Set value $${last}`)
    // Earlier days are no sums, so each says how many cards are behind it.
    await page.getByText('Earlier days are chained, not sums').waitFor()
    const counts = history.map(({ cards }) => String(cards)).reverse()
    await page.locator('.history-day', { hasText: `${counts[0]} cards` }).waitFor()
    await page.getByText('Show as table').click()
    const cells = page.locator('.history-table tbody td:last-child')
    await cells.first().waitFor()
    const shown = await cells.allTextContents()
    expect(shown.length).toBeGreaterThan(30)
    expect(shown).toEqual(counts.slice(0, shown.length))
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    const lines = (await Bun.file(await file.path()).text()).trim().split('\r\n')
    expect(lines[0]).toBe('date,Set value,cards')
    expect(lines.at(-1)?.endsWith(`,${counts[0]}`)).toBe(true)
    const guide = page.locator('.history').getByRole('link', { name: 'value of a set' })
    const url = new URL((await guide.getAttribute('href')) ?? '', testServer.url)
    expect((await fetch(url)).status).toBe(200)
    await closeClean()
  })

  test('is saved as a file if the plan includes it; otherwise a note explains the plan', async () => {
    const pro = await openBrowserUser(testServer.url)
    await testServer.logIn(pro, 'pro')
    await pro.page.goto(SET)
    const [file] = await Promise.all([
      pro.page.waitForEvent('download'),
      pro.page.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Lantern-Season.csv')
    const lines = (await Bun.file(await file.path()).text()).trim().split('\n')
    expect(lines.length).toBeGreaterThan(27)
    await pro.close()

    const free = await openBrowserUser(testServer.url)
    await testServer.logIn(free, 'free')
    await free.page.goto(SET)
    await free.page.getByRole('button', { name: 'Export as CSV' }).click()
    await free.page.getByText('Requires the Pro plan or higher').waitFor()
    await free.close()
  })
})

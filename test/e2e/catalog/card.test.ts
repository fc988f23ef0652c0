// From the games to a card and its price chart, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  BROWSER_MISSING,
  expectVisible,
  openBrowserUser,
  type Page,
  SCREEN_SIZES,
  SCREENS,
} from '../../support/browser.ts'
import { measureLayoutShift } from '../../support/layout-shift.ts'
import type { PointRow } from '../../support/test-client.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

const REGENT = 900003
/** A case that was never sold. */
const UNSOLD = 900082

/** For the browser: by how many pixels the page is wider than what is seen of it. */
const BEYOND_THE_SCREEN =
  'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe.skipIf(BROWSER_MISSING !== undefined)('a card', () => {
  let testServer: TestServer
  /** What visitors see nothing of, so that the plan counts. */
  let closed: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
    closed = await startTestServer({ env: { VISITOR_TIER: 'off' } })
  }, 30_000)
  afterAll(async () => {
    await testServer.close()
    await closed.close()
  })

  test.each(SCREEN_SIZES.map((size) => [size.name, size] as const))(
    'is found from the games, and its chart tells what the API tells: %s',
    async (_, size) => {
      const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(
        testServer.url,
        size,
      )
      await page.goto('/')
      await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).click()
      await page.getByRole('link', { name: 'Lantern Season' }).click()
      await page.getByRole('link', { name: 'Cindlemane Regent' }).click()
      await page.getByRole('heading', { level: 1, name: 'Cindlemane Regent' }).waitFor()
      await page.locator('.chart canvas').waitFor()
      await takeScreenshot('card')
      expect(await audit()).toEqual([])

      await pointAt(page, 0.4, size.width < 600)
      await expectRead(page, '1st Edition Holofoil')
      await expectRead(page, 'Holofoil')

      const month = await pointsOf(page)
      await page.getByRole('button', { name: '1Y' }).click()
      await page.waitForURL(/range=year/)
      await page.waitForFunction(
        (before) => Number(document.querySelector('.chart')?.ariaValueMax) > before,
        month,
      )
      await pointAt(page, 0.7, size.width < 600)
      await expectRead(page, '1st Edition Holofoil')

      await page.getByText('Show as table').click()
      const rows = page.getByRole('region', { name: 'Prices by day' }).getByRole('row')
      await rows.first().waitFor()
      expect(await rows.count()).toBe((await pointsOf(page)) + 2)
      await page.getByText('Use it in the API').click()
      expect(await page.getByRole('textbox', { name: 'The request' }).inputValue()).toContain(
        `/v1/cards/${REGENT}/prices`,
      )
      await takeScreenshot('card, all open')
      // What is wide scrolls within itself.
      expect(await page.evaluate<number>(BEYOND_THE_SCREEN)).toBeLessThanOrEqual(0)
      expect(await audit()).toEqual([])
      expect(faults).toEqual([])
      await close()
    },
    60_000,
  )

  test('has a chart that is read by the keyboard alone', async () => {
    const { page, faults, close } = await openBrowserUser(testServer.url)
    await page.goto(`/cards/${REGENT}`)
    const chart = page.getByRole('slider', { name: 'Market price by day' })
    await chart.focus()
    const newest = (await historyOf('1st Edition Holofoil')).at(-1)
    expect(await chart.getAttribute('aria-valuetext')).toBe(
      `${dayText(newest?.date)}: 1st Edition Holofoil ${usd(newest)}, Holofoil ${usd((await historyOf('Holofoil')).at(-1))}`,
    )
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    const third = (await historyOf('1st Edition Holofoil')).at(-3)
    await page.getByText(dayText(third?.date), { exact: true }).waitFor()
    await expectRead(page, '1st Edition Holofoil')
    await page.keyboard.press('Home')
    expect(await chart.getAttribute('aria-valuenow')).toBe('0')

    // A line that is put out is not read any more; the last one stays.
    await page.getByRole('button', { name: /^Holofoil/ }).press('Space')
    expect(await chart.getAttribute('aria-valuetext')).not.toContain(', Holofoil')
    const other = page.getByRole('button', { name: /^1st Edition Holofoil/ })
    await other.press('Space')
    expect(await other.getAttribute('aria-pressed')).toBe('true')
    expect(faults).toEqual([])
    await close()
  }, 30_000)

  test('costs one request a printing for its whole history, whatever is looked at', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/')) asked.push(new URL(request.url()).pathname)
    })
    await page.goto(`/cards/${REGENT}`)
    for (const range of ['3M', '1Y', 'All', '1M']) {
      await page.locator('.chart canvas').waitFor()
      await page.getByRole('button', { name: range }).click()
    }
    const path = `/v1/cards/${REGENT}`
    expect(asked.toSorted()).toEqual([path, `${path}/history`, `${path}/history`, `${path}/prices`])
    await close()
  }, 30_000)

  test('is drawn anew in the colours of the night', async () => {
    const { page, faults, close } = await openBrowserUser(testServer.url)
    await page.goto(`/cards/${REGENT}`)
    const drawn = () => page.locator('.chart canvas').evaluate('(canvas) => canvas.toDataURL()')
    await page.locator('.chart canvas').waitFor()
    const byDay = await drawn()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(
      (before) => document.querySelector('canvas')?.toDataURL() !== before,
      byDay,
    )
    expect(faults).toEqual([])
    await close()
  }, 30_000)

  test('moves nothing while it loads', async () => {
    for (const sight of [SCREENS[0], SCREENS[2]]) {
      const { page, close } = await openBrowserUser(testServer.url, sight)
      const shifts = await measureLayoutShift(page)
      await page.goto(`/cards/${REGENT}`)
      await page.locator('.chart canvas').waitFor()
      await page.getByRole('heading', { name: 'About it' }).waitFor()
      expect(await shifts()).toBeLessThan(0.02)
      await close()
    }
  }, 30_000)

  test('that was never sold says so', async () => {
    const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(testServer.url)
    await page.goto(`/cards/${UNSOLD}`)
    await page.getByText('No price of this is known yet.').waitFor()
    await page.getByText('No prices in this time').waitFor()
    // A change that is not known is no sign beside the price.
    const price = page.getByRole('region', { name: 'Price', exact: true })
    expect(await price.locator('.price-large').textContent()).toBe('– ')
    await takeScreenshot('card without prices')
    expect(await audit()).toEqual([])
    expect(faults).toEqual([])
    await close()
  }, 30_000)

  test('that nobody sells any more says so, and keeps its history', async () => {
    const gone = await startTestServer()
    const priceless = JSON.stringify((await pricesOf(gone)).map(withoutPrices))
    gone.testApp.publish(
      `UPDATE price_texts SET prices = '${priceless.replaceAll("'", "''")}' WHERE card_id = ${REGENT}`,
    )
    const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(
      gone.url,
      SCREENS[0],
    )
    await page.goto(`/cards/${REGENT}`)
    await page.getByText('Nobody sells this card at the moment').waitFor()
    await page.locator('.chart canvas').waitFor()
    await takeScreenshot('card that vanished')
    expect(await audit()).toEqual([])
    expect(faults).toEqual([])
    await close()
    await gone.close()
  }, 30_000)

  test('shows the history that the plan shows, and says where it ends', async () => {
    const reader = await openBrowserUser(closed.url)
    await closed.logIn(reader, 'hobby')
    await reader.page.goto(`/cards/${REGENT}`)
    await reader.page.getByText('Your plan shows 7 days.').waitFor()
    expect(
      await reader.page.getByRole('link', { name: 'See the plans' }).getAttribute('href'),
    ).toBe('/account/plan')
    await reader.takeScreenshot('card of a small plan')
    expect(await reader.audit()).toEqual([])
    expect(reader.faults).toEqual([])
    await reader.close()
  }, 30_000)

  test('stays readable where the plan has no history', async () => {
    const reader = await openBrowserUser(closed.url, SCREENS[0])
    await closed.logIn(reader, 'free')
    await reader.page.goto(`/cards/${REGENT}`)
    await reader.page.getByRole('heading', { name: 'Your plan does not have this' }).waitFor()
    await reader.page.getByRole('region', { name: 'Prices by printing' }).waitFor()
    await reader.takeScreenshot('card without history')
    expect(await reader.audit()).toEqual([])
    expect(new Set(reader.faults)).toEqual(new Set([refused(403)]))
    await reader.close()
  }, 30_000)

  test.each([
    [429, 'RATE_LIMIT_EXCEEDED', 'That is all for today'],
    [503, 'UNAVAILABLE', 'The service is busy'],
  ] as const)(
    'stays usable when its prices answer %i, and is whole when asked again',
    async (status, code, heading) => {
      const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(testServer.url)
      const refusal = { error: { code, message: 'Come again in a minute.' } }
      await page.route('**/prices', (route) =>
        route.fulfill({ status, headers: { 'retry-after': '60' }, json: refusal }),
      )
      await page.goto(`/cards/${REGENT}`)
      await page.getByRole('heading', { name: heading }).waitFor()
      await page.getByText('Come again in a minute.').waitFor()
      await page.getByRole('heading', { level: 1, name: 'Cindlemane Regent' }).waitFor()
      await takeScreenshot(`card ${status}`)
      expect(await audit()).toEqual([])

      await page.unroute('**/prices')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.locator('.chart canvas').waitFor()
      expect(new Set(faults)).toEqual(new Set([refused(status)]))
      await close()
    },
    30_000,
  )

  test('says that it is loading as long as the API is slow', async () => {
    const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(
      testServer.url,
      SCREENS[0],
    )
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/v1/cards/**', async (route) => {
      await answered
      await route.continue()
    })
    await page.goto(`/cards/${REGENT}`)
    await page.getByRole('status', { name: 'Loading' }).first().waitFor()
    await takeScreenshot('card, slow')
    expect(await audit()).toEqual([])
    answer()
    await page.locator('.chart canvas').waitFor()
    expect(faults).toEqual([])
    await close()
  }, 30_000)

  test('that does not exist says so', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/cards/1')
    await expectVisible(page.getByRole('heading', { name: 'There is no such thing here' }))
    await close()
  }, 30_000)

  /** What the API tells a program of a printing, as far back as it goes. */
  async function historyOf(printing: string): Promise<PointRow[]> {
    const query = new URLSearchParams({ range: 'all', printing })
    const response = await fetch(`${testServer.url}/v1/cards/${REGENT}/history?${query}`, {
      headers: { 'X-API-Key': testServer.testApp.keys.pro },
    })
    // The contract suites hold the answer to this shape.
    return ((await response.json()) as { data: PointRow[] }).data
  }

  async function pricesOf(at: TestServer): Promise<object[]> {
    const response = await fetch(`${at.url}/v1/cards/${REGENT}/prices`, {
      headers: { 'X-API-Key': at.testApp.keys.pro },
    })
    return ((await response.json()) as { data: object[] }).data
  }

  /** The readout beside a printing's name is what the API tells of the day above it. */
  async function expectRead(page: Page, printing: string): Promise<void> {
    const day = await page.locator('.history-day').textContent()
    const point = (await historyOf(printing)).find(({ date }) => dayText(date) === day)
    const read = page.getByRole('button', { name: new RegExp(`^${printing}`) })
    expect(await read.textContent()).toBe(`${printing}${usd(point)}`)
  }
})

/** Points at a part of the chart's width, by mouse or by finger, and waits until that is read. */
async function pointAt(page: Page, part: number, byTouch: boolean): Promise<void> {
  await page.locator('.chart').scrollIntoViewIfNeeded()
  const over = page.locator('.chart .u-over')
  const before = await page.locator('.chart').getAttribute('aria-valuenow')
  const { width = 0, height = 0 } = (await over.boundingBox()) ?? {}
  const position = { x: width * part, y: height / 2 }
  await (byTouch ? over.tap({ position }) : over.hover({ position }))
  await page.waitForFunction(
    (old) => document.querySelector('.chart')?.getAttribute('aria-valuenow') !== old,
    before,
  )
}

/** How many days the chart shows, but one. */
async function pointsOf(page: Page): Promise<number> {
  return Number(await page.locator('.chart').getAttribute('aria-valuemax'))
}

function withoutPrices(price: object): object {
  return { ...price, market_price: null, low_price: null, median_price: null }
}

function dayText(date = ''): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
  return format.format(new Date(date))
}

function usd(point: Pick<PointRow, 'market_price'> | undefined): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  return format.format(point?.market_price ?? Number.NaN)
}

function refused(status: 403 | 429 | 503): string {
  const words = { 403: 'Forbidden', 429: 'Too Many Requests', 503: 'Service Unavailable' }
  return `console: Failed to load resource: the server responded with a status of ${status} (${words[status]})`
}

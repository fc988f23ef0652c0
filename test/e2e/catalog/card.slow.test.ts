// Browser tests of the card page and its price chart.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'
import { seriesId } from '#store/catalog/history/history.ts'
import { openHistoryWriter } from '#store/catalog/history/history-writer.ts'
import { openDatabase } from '#store/db.ts'
import {
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  type Page,
  SCREENS,
  testEachScreen,
} from '../../support/browser.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'
import type { PointRow } from '../../support/test-client.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const REGENT = 900003
/** A card whose price rose by half within a day. */
const RISING = 900208
/** A product without any price. */
const UNSOLD = 900082

/** Evaluates to the horizontal overflow of the page, in pixels. */
const BEYOND_THE_SCREEN =
  'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describeInBrowser('a card', () => {
  let testServer: TestServer
  /** A server without visitor access, so that the plan limits the history. */
  let closed: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
    closed = await startTestServer({ env: { VISITOR_TIER: 'off' } })
  })
  afterAll(async () => {
    await testServer.close()
    await closed.close()
  })

  test.each([390, 320])(
    'shows its price beside the picture above the fold of a phone of %i px',
    async (width) => {
      const { page, closeClean, inspect } = await openBrowserUser(testServer.url, {
        ...SCREENS[0],
        width,
      })
      await page.goto(`/cards/${REGENT}`)
      await page.locator('.chart canvas').waitFor()
      await page.getByText('Fictional prices of the sample catalog, in USD.').waitFor()
      expect(await inspect(`card ${width}`)).toEqual([])
      const price = await page.locator('.price-large').boundingBox()
      const picture = await page.locator('.card-side .art').boundingBox()
      expect((price?.y ?? 844) + (price?.height ?? 0)).toBeLessThan(400)
      expect(picture?.width).toBeLessThan(width / 3)
      expect(picture?.y).toBeLessThan((price?.y ?? 0) + 1)
      expect(await page.evaluate<number>(BEYOND_THE_SCREEN)).toBeLessThan(1)
      await closeClean()
    },
  )

  testEachScreen(
    'shows market, low and median in one place, and links to cards of its name: %s',
    async (_, size) => {
      const { page, closeClean, inspect } = await openBrowserUser(testServer.url, size)
      await page.goto('/cards/900208')
      const printings = page.getByRole('region', { name: 'Prices by printing' })
      const foil = printings
        .getByRole('row')
        .filter({ has: page.getByText('Foil', { exact: true }) })
      await foil.waitFor()
      const [market, ...offered] = (await foil.getByRole('cell').allTextContents()).slice(0, 3)
      expect(market).toContain('$10.19')
      for (const price of offered) {
        expect(price).toStartWith('$')
        const places = [printings, page].map((place) => place.getByText(price, { exact: true }))
        const [inTable, onPage] = await Promise.all(places.map((place) => place.count()))
        expect(onPage).toBe(inTable)
      }
      const reprints = page.getByRole('region', { name: /^Other cards named/ })
      await reprints.waitFor()
      expect(await inspect('card reprints')).toEqual([])
      await reprints.getByRole('link', { name: 'Drowned Abbey' }).click()
      await page.waitForURL('**/cards/900305')
      await reprints.getByRole('link', { name: 'The Ninth Library' }).waitFor()
      await closeClean()
    },
  )

  testEachScreen('is compared with another card on one chart: %s', async (_, size) => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url, size)
    await page.goto('/cards/900208')
    await page.getByText('Compare with another card').click()
    await page.getByRole('combobox', { name: 'Card', exact: true }).fill('marigold refit')
    await page.getByRole('option', { name: 'T.S.V. Marigold, Refit' }).click()
    await page.waitForURL(/with=900402/)
    const line = page.getByRole('button', {
      name: /^T\.S\.V\. Marigold, Refit, First Light \(Foil\)/,
    })
    await line.waitFor()
    await page.locator('.chart canvas').waitFor()
    expect(await inspect('card compared')).toEqual([])
    expect(await page.evaluate<number>(BEYOND_THE_SCREEN)).toBeLessThan(1)
    const chart = page.getByRole('slider', { name: 'Market price by day' })
    await chart.and(page.locator('[aria-valuetext*="Refit, First Light (Foil) $"]')).waitFor()
    expect(await chart.getAttribute('aria-valuetext')).toMatch(
      /Normal \$.*Refit, First Light \(Foil\) \$/,
    )
    // The URL keeps the comparison, also in another period.
    await page.getByRole('button', { name: '3M' }).click()
    await page.waitForURL(/with=900402&range=quarter/)
    await page.reload()
    await line.waitFor()
    await page.getByRole('button', { name: /^Remove from the chart/ }).click()
    await line.waitFor({ state: 'detached' })
    await closeClean()
  })

  testEachScreen(
    'is reached from the games, and its chart shows the values of the API: %s',
    async (_, size) => {
      const { page, audit, takeScreenshot, closeClean, inspect } = await openBrowserUser(
        testServer.url,
        size,
      )
      await page.goto('/')
      await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).click()
      await page.getByRole('link', { name: 'Lantern Season' }).click()
      const tile = page.getByRole('listitem').filter({ hasText: 'Cindlemane Regent' })
      expect(await tile.innerText()).toMatch(/\$23\.01[^$]*\nHolofoil$/)
      await page.getByRole('link', { name: 'Cindlemane Regent' }).click()
      await page.getByRole('heading', { level: 1, name: 'Cindlemane Regent' }).waitFor()
      await page.locator('.chart canvas').waitFor()
      expect(await inspect('card')).toEqual([])
      const price = page.getByRole('region', { name: 'Price', exact: true })
      expect(await price.locator('.price-text').innerText()).toMatch(/^\$23\.01.*\nHolofoil · /s)

      await pointAt(page, 0.4, size.width < 600)
      await expectRead(page, '1st Edition Holofoil')
      await expectRead(page, 'Holofoil')

      const month = await pointsOf(page)
      await page.getByRole('button', { name: '3M' }).click()
      await page.waitForURL(/range=quarter/)
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
      expect(await page.getByRole('textbox', { name: 'Request' }).inputValue()).toContain(
        `/v1/cards/${REGENT}/prices`,
      )
      await takeScreenshot('card, all open')
      // Wide content scrolls in its own box.
      expect(await page.evaluate<number>(BEYOND_THE_SCREEN)).toBeLessThanOrEqual(0)
      expect(await audit()).toEqual([])
      await closeClean()
    },
  )

  test.each([
    [REGENT, /^Reliable$/],
    [RISING, /^Uncertain: it changed suddenly$/],
  ])('says how reliable the price of %i is', async (id, text) => {
    const { page, closeClean } = await openBrowserUser(testServer.url, SCREENS[0])
    await page.goto(`/cards/${id}`)
    await expectVisible(page.getByText(text))
    await closeClean()
  })

  test('has a chart that works with the keyboard', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto(`/cards/${REGENT}`)
    const chart = page.getByRole('slider', { name: 'Market price by day' })
    await chart.focus()
    const newest = (await historyOf('1st Edition Holofoil')).at(-1)
    expect(await chart.getAttribute('aria-valuetext')).toBe(
      `${dayText(newest?.date)}: Holofoil ${usd((await historyOf('Holofoil')).at(-1))}, 1st Edition Holofoil ${usd(newest)}`,
    )
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    const third = (await historyOf('1st Edition Holofoil')).at(-3)
    await page.getByText(dayText(third?.date), { exact: true }).waitFor()
    await expectRead(page, '1st Edition Holofoil')
    await page.getByText(/· change since /).waitFor()
    await page.keyboard.press('Home')
    expect(await chart.getAttribute('aria-valuenow')).toBe('0')
    expect(await page.getByText(/· change since /).count()).toBe(0)

    // Screen readers skip a hidden line; the last line cannot be hidden.
    await page.getByRole('button', { name: /^Holofoil/ }).press('Space')
    expect(await chart.getAttribute('aria-valuetext')).not.toContain(': Holofoil')
    const other = page.getByRole('button', { name: /^1st Edition Holofoil/ })
    await other.press('Space')
    expect(await other.getAttribute('aria-pressed')).toBe('true')
    await closeClean()
  })

  testEachScreen('shows visitors 90 days of history and says so: %s', async (_, size) => {
    const user = await openBrowserUser(testServer.url, size)
    const { page } = user
    await page.goto(`/cards/${REGENT}?range=all`)
    await page.locator('.chart canvas').waitFor()
    await page.getByText('Visitors see 90 days of history.').waitFor()
    expect(await page.getByRole('link', { name: 'See plans' }).getAttribute('href')).toBe(
      '/account/plan',
    )
    // The longest useful period is selected, whatever the URL says. Longer ones are not offered.
    expect(await pressedPeriod(page)).toBe('3M')
    expect(await page.getByRole('group', { name: 'Period' }).textContent()).toBe('1M3M')
    expect(await pointsOf(page)).toBeLessThanOrEqual(90)
    expect(await page.evaluate<number>(BEYOND_THE_SCREEN)).toBeLessThanOrEqual(0)
    expect(await user.inspect('card of a visitor')).toEqual([])
    await user.closeClean()
  })

  test('shows the full history of a plan that includes it', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'pro')
    await user.page.goto(`/cards/${REGENT}?range=all`)
    await user.page.locator('.chart canvas').waitFor()
    expect(await pressedPeriod(user.page)).toBe('3M')
    expect(await user.page.getByText('days of history').count()).toBe(0)
    await user.close()
  })

  test('fetches the full history with one request per printing', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'pro')
    const { page, close } = user
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/cards')) requests.push(new URL(request.url()).pathname)
    })
    await page.goto(`/cards/${REGENT}`)
    for (const range of ['3M', '1M']) {
      await page.locator('.chart canvas').waitFor()
      await page.getByRole('button', { name: range }).click()
    }
    const path = `/v1/cards/${REGENT}`
    expect(requests.toSorted()).toEqual([
      path,
      `${path}/history`,
      `${path}/history`,
      `${path}/prices`,
      `${path}/reprints`,
    ])
    await close()
  })

  test('shows a single day as a number, and a gap as a gap', async () => {
    const young = await startTestServer()
    const db = openDatabase(join(young.testApp.deps.config.dataDir, 'catalog.db'))
    const [newest] = (await historyOf('Holofoil')).slice(-1)
    const day = Date.parse(newest?.date ?? '') / 86_400_000
    db.exec(`DELETE FROM history_hot WHERE series_id / 1024 = ${REGENT}`)
    db.exec(`DELETE FROM history_cold WHERE series_id / 1024 = ${REGENT}`)
    const writer = openHistoryWriter(db)
    const holofoil = db.prepare<[], number>("SELECT id FROM printings WHERE name = 'Holofoil'")
    const series = seriesId(REGENT, holofoil.pluck().get() ?? 0)
    const put = (ago: number) => writer.put(series, pointOn(day - ago))
    put(0)
    young.testApp.publish()
    const { page, closeClean, inspect } = await openBrowserUser(young.url, SCREENS[0])
    await page.goto(`/cards/${REGENT}`)
    const panel = page.getByRole('region', { name: 'Price history' })
    await panel
      .getByRole('heading', { name: `First price: ${dayText(newest?.date).replace(/,.*/, '')}` })
      .waitFor()
    expect(await panel.getByRole('listitem').allTextContents()).toEqual(['$5.99 Holofoil'])
    expect(await panel.locator('canvas').count()).toBe(0)
    expect(await page.getByRole('group', { name: 'Period' }).count()).toBe(0)
    // Only operators can import.
    expect(await page.getByText('Import older prices').count()).toBe(0)
    expect(await inspect('card with one day')).toEqual([])
    put(1)
    young.testApp.publish()
    await page.reload()
    await page.locator('.chart canvas').waitFor()
    // The last day is at the end: the days after it have no prices yet.
    expect((await paintedColumns(page)).at(-1)).toBeCloseTo(1, 1)
    for (const ago of [25, 24, 23, 2]) put(ago)
    db.close()
    young.testApp.publish()
    await page.reload()
    await page.locator('.chart canvas').waitFor()
    const painted = await paintedColumns(page)
    expect(painted.length).toBeGreaterThan(20)
    expect(painted.filter((column) => column > 0.2 && column < 0.8)).toEqual([])
    expect(await inspect('card with a gap')).toEqual([])
    await closeClean()
    await young.close()
  })

  test('saves the chart as a picture and its prices as a table', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto(`/cards/${REGENT}`)
    await page.locator('.chart canvas').waitFor()
    const save = async (name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ])
      return { name: file.suggestedFilename(), bytes: await Bun.file(await file.path()).bytes() }
    }
    const table = await save('Save as CSV')
    expect(table.name).toBe('Cindlemane-Regent.csv')
    const [header, ...rows] = new TextDecoder().decode(table.bytes).trim().split('\r\n')
    expect(header).toBe('date,Holofoil,1st Edition Holofoil')
    const newest = (await historyOf('Holofoil')).at(-1)
    expect(rows.at(-1)).toStartWith(`${newest?.date},${newest?.market_price}`)
    expect(rows).toHaveLength((await pointsOf(page)) + 1)
    const picture = await save('Save as PNG')
    expect(picture.name).toBe('Cindlemane-Regent.png')
    const { width = 0, height = 0 } = await sharp(picture.bytes).metadata()
    expect(width).toBeGreaterThan(500)
    expect(height).toBeGreaterThan(300)
    await closeClean()
  })

  test('redraws the chart in dark colors', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto(`/cards/${REGENT}`)
    const drawn = () => page.locator('.chart canvas').evaluate('(canvas) => canvas.toDataURL()')
    await page.locator('.chart canvas').waitFor()
    const byDay = await drawn()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(
      (before) => document.querySelector('canvas')?.toDataURL() !== before,
      byDay,
    )
    await closeClean()
  })

  test('does not shift the layout while loading', async () => {
    for (const screen of [SCREENS[0], SCREENS[2]]) {
      const { page, close } = await openBrowserUser(testServer.url, screen)
      const readShifts = await watchLayoutShifts(page)
      await page.goto(`/cards/${REGENT}`)
      await page.locator('.chart canvas').waitFor()
      await page.getByRole('heading', { name: 'Card details' }).waitFor()
      const { sum, moved } = await readShifts()
      expect(sum, moved).toBeLessThan(0.02)
      await close()
    }
  })

  test('without any price has a note', async () => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url)
    await page.goto(`/cards/${UNSOLD}`)
    await page.getByText('No prices yet.').waitFor()
    await page.getByText('No prices in this period').waitFor()
    // An unknown change is not shown.
    const price = page.getByRole('region', { name: 'Price', exact: true })
    expect(await price.locator('.price-large').textContent()).toBe('– ')
    expect(await inspect('card without prices')).toEqual([])
    await closeClean()
  })

  test('without current prices has a note, and its history', async () => {
    const gone = await startTestServer()
    const priceless = JSON.stringify((await pricesOf(gone)).map(withoutPrices))
    gone.testApp.publish(
      `UPDATE price_texts SET prices = '${priceless.replaceAll("'", "''")}' WHERE card_id = ${REGENT}`,
    )
    const { page, closeClean, inspect } = await openBrowserUser(gone.url, SCREENS[0])
    await page.goto(`/cards/${REGENT}`)
    await page.getByText('No current listings. Past prices').waitFor()
    await page.locator('.chart canvas').waitFor()
    expect(await inspect('card that vanished')).toEqual([])
    await closeClean()
    await gone.close()
  })

  test('limits the history to the plan, with a note', async () => {
    const user = await openBrowserUser(closed.url)
    await closed.logIn(user, 'hobby')
    await user.page.goto(`/cards/${REGENT}`)
    await user.page.getByText('Your plan shows 7 days of history.').waitFor()
    expect(await user.page.getByRole('link', { name: 'See plans' }).getAttribute('href')).toBe(
      '/account/plan',
    )
    expect(await user.inspect('card of a small plan')).toEqual([])
    await user.closeClean()
  })

  test('shows its prices if the plan includes no history', async () => {
    const user = await openBrowserUser(closed.url, SCREENS[0])
    await closed.logIn(user, 'free')
    await user.page.goto(`/cards/${REGENT}`)
    await user.page.getByRole('heading', { name: 'Not included in your plan' }).waitFor()
    await user.page.getByRole('region', { name: 'Prices by printing' }).waitFor()
    expect(await user.inspect('card without history')).toEqual([])
    expect(new Set(user.problems)).toEqual(new Set([refused(403)]))
    await user.close()
  })

  test.each([
    [429, 'RATE_LIMIT_EXCEEDED', 'Daily limit reached'],
    [503, 'UNAVAILABLE', 'The server is busy'],
  ] as const)(
    'stays usable if prices fail with %i, and recovers on retry',
    async (status, code, heading) => {
      const { page, problems, close, inspect } = await openBrowserUser(testServer.url)
      const refusal = { error: { code, message: 'Come again in a minute.' } }
      await page.route('**/prices?*', (route) =>
        route.fulfill({ status, headers: { 'retry-after': '60' }, json: refusal }),
      )
      await page.goto(`/cards/${REGENT}`)
      await page.getByRole('heading', { name: heading }).waitFor()
      await page.getByText('Come again in a minute.').waitFor()
      await page.getByRole('heading', { level: 1, name: 'Cindlemane Regent' }).waitFor()
      expect(await inspect(`card ${status}`)).toEqual([])

      await page.unroute('**/prices?*')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.locator('.chart canvas').waitFor()
      expect(new Set(problems)).toEqual(new Set([refused(status)]))
      await close()
    },
  )

  test('shows a loading state while the API is slow', async () => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url, SCREENS[0])
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/v1/cards/**', async (route) => {
      await answered
      await route.continue()
    })
    await page.goto(`/cards/${REGENT}`)
    await page.getByRole('status', { name: 'Loading' }).first().waitFor()
    expect(await inspect('card, slow')).toEqual([])
    answer()
    await page.locator('.chart canvas').waitFor()
    await closeClean()
  })

  test('shows an error for an unknown id', async () => {
    const { page, close } = await openBrowserUser(testServer.url)
    await page.goto('/cards/1')
    await expectVisible(page.getByRole('heading', { name: 'Card not found' }))
    await close()
  })

  /** Returns the full history of a printing from the API. */
  async function historyOf(printing: string): Promise<PointRow[]> {
    const query = new URLSearchParams({ range: 'all', printing })
    const response = await fetch(`${testServer.url}/v1/cards/${REGENT}/history?${query}`, {
      headers: { 'X-API-Key': testServer.testApp.keys.pro },
    })
    // The contract tests check this type.
    return ((await response.json()) as { data: PointRow[] }).data
  }

  async function pricesOf(at: TestServer): Promise<object[]> {
    const response = await fetch(`${at.url}/v1/cards/${REGENT}/prices`, {
      headers: { 'X-API-Key': at.testApp.keys.pro },
    })
    return ((await response.json()) as { data: object[] }).data
  }

  /** Compares the shown price of a printing with the API. */
  async function expectRead(page: Page, printing: string): Promise<void> {
    const day = await page.locator('.history-day time').textContent()
    const point = (await historyOf(printing)).find(({ date }) => dayText(date) === day)
    const read = page.getByRole('button', { name: new RegExp(`^${printing}`) })
    expect(await read.locator('strong').textContent()).toBe(usd(point))
  }
})

function pointOn(day: number) {
  return { day, market_price: 599, low_price: null, avg_sales_price: null, sales_volume: null }
}

/** Returns where the first line is painted, as shares of the width of the chart. */
async function paintedColumns(page: Page): Promise<number[]> {
  await page.waitForFunction(() => document.querySelector('.chart .u-over')?.clientWidth)
  return page.evaluate(() => {
    const [canvas, over] = ['canvas', '.u-over'].map((part) =>
      document.querySelector(`.chart ${part}`),
    ) as [HTMLCanvasElement, HTMLElement]
    const probe = new OffscreenCanvas(1, 1).getContext('2d') as OffscreenCanvasRenderingContext2D
    probe.fillStyle = getComputedStyle(canvas).getPropertyValue('--series-1')
    probe.fillRect(0, 0, 1, 1)
    const wanted = probe.getImageData(0, 0, 1, 1).data
    const [frame, plot] = [canvas.getBoundingClientRect(), over.getBoundingClientRect()]
    const scale = canvas.width / frame.width
    const { data, width, height } = (
      canvas.getContext('2d') as CanvasRenderingContext2D
    ).getImageData((plot.left - frame.left) * scale, 0, plot.width * scale, canvas.height)
    const isPainted = (x: number) =>
      Array.from({ length: height }, (_, y) => (y * width + x) * 4).some((at) =>
        [0, 1, 2].every((part) => Math.abs((data[at + part] ?? 0) - (wanted[part] ?? 0)) < 12),
      )
    const columns = Array.from({ length: width }, (_, x) => x).filter(isPainted)
    // A point is some pixels wide.
    const isNarrow = (columns.at(-1) ?? 0) - (columns[0] ?? 0) < 12 * scale
    const middle = ((columns.at(-1) ?? 0) + (columns[0] ?? 0)) / 2
    return (isNarrow ? [middle] : columns).map((x) => x / width)
  })
}

/** Selects a day by its position in the chart, with mouse or touch. */
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

/** Returns the selected period of the chart. */
async function pressedPeriod(page: Page): Promise<string | null> {
  const period = page.getByRole('group', { name: 'Period' })
  return period.getByRole('button', { pressed: true }).textContent()
}

/** Returns the index of the last day in the chart. */
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

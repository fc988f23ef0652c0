// Browser tests of collections: a collector with 2,000 real rows, a wish list, a link, and two tabs.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from 'playwright-core'
import { formatCsvRecord } from '#rules/primitives/csv.ts'
import { openSourcePublisher } from '#store/catalog/sources/source-publisher.ts'
import {
  type BrowserUser,
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  SCREEN_SIZES,
  SCREENS,
} from '../../support/browser.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'
import { listTestRates } from '../../support/pricing/price-sources.ts'
import { RECORDED_SYNC_MS_MAX, recordedCatalog } from '../../support/sync/real-upstream.ts'
import { FROZEN_TIME, SAMPLE } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const [PHONE, DESKTOP] = SCREEN_SIZES
const ROWS = 2_000

type RealCard = { id: number; name: string; set: string; number: string; cents: number }

const recorded = recordedCatalog(import.meta.file)
afterAll(() => recorded?.remove(), 60_000)

describeInBrowser('collections', () => {
  let testServer: TestServer
  let file: { name: string; mimeType: string; buffer: Buffer }
  let rows: number

  beforeAll(async () => {
    await recorded?.sync()
    const catalogFile = recorded && join(recorded.dataDir, 'catalog.db')
    testServer = await startTestServer({ catalogFile })
    const { catalogDb, deps } = testServer.testApp
    openSourcePublisher(catalogDb).putRates(listTestRates(), new Date(FROZEN_TIME))
    deps.catalog.publication.refresh()
    const text = catalogFile === undefined ? readSample() : renderRows(listCards())
    rows = text.trim().split('\n').length - 1
    file = { name: 'collection.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  }, RECORDED_SYNC_MS_MAX)
  afterAll(() => testServer.close())

  /** Lists cards of all games, for each name the first one in its set. */
  function listCards(): RealCard[] {
    return testServer.testApp.catalogDb
      .prepare<[number], RealCard>(
        `SELECT cards.id, cards.name, sets.name AS "set", number, market_price AS cents
           FROM cards JOIN sets ON sets.id = set_id
                JOIN prices ON card_id = cards.id AND is_base_printing = 1
          WHERE number IS NOT NULL AND market_price >= 100
          GROUP BY cards.name, set_id ORDER BY cards.id % 997, cards.id LIMIT ?`,
      )
      .all(ROWS)
  }

  const openCollector = async (screen: (typeof SCREEN_SIZES)[number]) => {
    const user = await openBrowserUser(testServer.url, screen)
    await user.freezeTime(FROZEN_TIME)
    await testServer.logIn(user, 'pro')
    await user.page.route('**/pictures/**', servePicture)
    return user
  }

  test('a collector imports real rows, sees their value, shares them, and ends the link', async () => {
    const user = await openCollector(DESKTOP)
    const { page, inspect } = user
    await page.goto('/')
    await page.getByRole('link', { name: 'Collection', exact: true }).first().click()
    await page.getByRole('heading', { name: 'No collections yet' }).waitFor()
    expect(await inspect('collections-none')).toEqual([])
    await page.getByRole('link', { name: 'New collection' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Binder')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Binder' }).waitFor()

    await importFile(user)
    expect(await inspect('collection-import')).toEqual([])
    await page.getByRole('link', { name: 'Open it' }).click()
    await whenCharted(page)
    const value = page.getByLabel('Value', { exact: true }).first()
    expect(await value.textContent()).toMatch(/^\$[\d,]+\.\d\d/)
    const listed = page.getByRole('region', { name: 'List of items' }).getByRole('row')
    await listed.nth(Math.min(25, rows)).waitFor()
    expect(await listed.count()).toBe(1 + Math.min(25, rows))
    expect(await inspect('collection')).toEqual([])

    const readShifts = await watchLayoutShifts(page)
    await page.reload()
    await whenCharted(page)
    await page.getByRole('heading', { name: 'Set completion' }).waitFor()
    const { sum, moved } = await readShifts()
    expect(sum, moved).toBeLessThan(0.1)

    await page.getByLabel('Currency').selectOption('EUR')
    await value.getByText(/€/).first().waitFor()
    await expectVisible(value.getByText('Converted from US dollars at'))
    await page.getByLabel('Currency').selectOption('USD')

    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByRole('dialog').getByLabel('Link', { exact: true }).inputValue()
    expect(await inspect('collection-share')).toEqual([])
    const visitor = await openBrowserUser(testServer.url, PHONE, { ownContext: true })
    await visitor.page.route('**/pictures/**', servePicture)
    await visitor.page.goto(new URL(link).pathname)
    await visitor.page.getByRole('heading', { level: 1, name: 'Binder' }).waitFor()
    const main = visitor.page.getByRole('main')
    await expectVisible(main.getByText((await firstName(user)) ?? '').first())
    const seen = (await main.textContent()) ?? ''
    for (const hidden of ['paid', 'Box 7', 'row 1'])
      expect([hidden, seen.includes(hidden)]).toEqual([hidden, false])
    expect(await visitor.inspect('collection-shared')).toEqual([])
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Share' }).click()
    const again = page.getByRole('dialog').getByLabel('Link', { exact: true })
    expect(await again.inputValue()).toBe(link)
    await page.getByRole('button', { name: 'End link' }).click()
    await page.getByRole('button', { name: 'Create link' }).waitFor()
    await visitor.page.reload()
    await visitor.page.getByRole('heading', { name: 'This link has ended' }).waitFor()
    // The browser's console reports the 404 as an error.
    expect(visitor.problems.filter((problem) => !problem.includes('404'))).toEqual([])
    await visitor.close()
    await user.closeClean()
  }, 120_000)

  async function importFile({ page }: BrowserUser): Promise<void> {
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file)
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/\/import\/imp_/, { timeout: 60_000 })
    const count = rows.toLocaleString('en')
    await page.getByRole('button', { name: `Import ${count} rows` }).click()
    await page.getByText('are in “Binder”').waitFor({ timeout: 60_000 })
    expect(await page.getByRole('main').textContent()).toContain(`${count} of ${count} rows`)
  }

  const firstName = ({ page }: BrowserUser) =>
    page
      .getByRole('region', { name: 'List of items' })
      .getByRole('rowheader')
      .first()
      .getByRole('link')
      .textContent()

  test('the head and the chart of a collection are of the same items', async () => {
    const user = await openCollector(DESKTOP)
    const { page } = user
    await page.goto('/collection?new')
    await page.getByRole('dialog').getByLabel('Name').fill('Early')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Early' }).waitFor()
    const [priced, unpriced] = testServer.testApp.catalogDb
      .prepare<[], { id: number; printing: string }>(EARLY_CARDS)
      .all()
    const items = [
      { card_id: priced?.id, printing: priced?.printing, price_paid: 1, acquired_on: '2024-05-01' },
      { card_id: unpriced?.id, printing: unpriced?.printing, price_paid: 80 },
      { card_id: priced?.id, printing: priced?.printing, grade: 'PSA 9' },
    ]
    const path = `/v1${new URL(page.url()).pathname.replace('collection', 'collections')}/items`
    const json = JSON.stringify({ items })
    await page.evaluate(
      ({ url, body }) =>
        fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
      { url: path, body: json },
    )
    await page.reload()
    const value = page.getByLabel('Value', { exact: true }).first()
    await value.getByText('leave out 1 item without a price, for which $80.00 was paid').waitFor()
    await value.getByText(/of the value is at prices of ungraded copies \(1 item\)/).waitFor()
    await value.getByText('Price paid and gain leave out 1 item without a price paid').waitFor()
    // The recorded catalog has prices of one day.
    if (recorded === undefined) await value.getByText(/(today|on \w+ \d+)$/).waitFor()
    const head = (await value.locator('.price-large').textContent()) ?? ''
    const legend = page.getByRole('button', { name: /^(Value|Price paid)/ })
    expect(await legend.allTextContents()).toEqual([`Value${head}`, 'Price paid$1.00'])
    await page.getByText(/^Begins on /).waitFor()

    const remarks = [
      /of the value is at prices of ungraded copies \(1 item\)/,
      'The value leaves out 1 item without a price.',
    ]
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByRole('dialog').getByLabel('Link', { exact: true }).inputValue()
    await page.goto(link)
    for (const remark of remarks) await page.getByText(remark).waitFor()
    expect(await user.inspect('shared-collection, unpriced')).toEqual([])
    await page.goto('/collection')
    const tile = page.getByRole('listitem').filter({ hasText: 'Early' })
    for (const remark of remarks) await tile.getByText(remark).waitFor()
    expect(await user.inspect('collections, unpriced')).toEqual([])
    await user.closeClean()
  }, 120_000)

  test('two tabs that edit an item lose nothing', async () => {
    const user = await openCollector(DESKTOP)
    const { page, context, problems, takeScreenshot } = user
    await openBinder(page)
    const other = await context.newPage()
    await other.goto(page.url())
    for (const tab of [page, other]) {
      await tab
        .getByRole('button', { name: /^Edit / })
        .first()
        .click()
      await tab.getByRole('dialog').getByLabel('Quantity').waitFor()
    }
    await other.getByRole('dialog').getByLabel('Quantity').fill('7')
    await other.getByRole('button', { name: 'Save', exact: true }).click()
    await other.getByText('is saved.').waitFor()
    await page.getByRole('dialog').getByLabel('Price paid').fill('12.5')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('This item was changed elsewhere').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('Quantity: now “7”')
    await takeScreenshot('collection-conflict')
    await page.getByRole('button', { name: 'Save my changes' }).click()
    await page.getByText('is saved.').waitFor()
    const row = page.getByRole('region', { name: 'List of items' }).getByRole('row').nth(1)
    // The list is loaded again after it was saved.
    await row.filter({ hasText: /7\$12\.50/ }).waitFor()

    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('is removed.').waitFor()
    await expectVisible(page.getByText(`${(rows - 1).toLocaleString('en')} items`).first())
    await page.getByLabel('Order').selectOption('name')
    await expectVisible(page.getByRole('region', { name: 'List of items' }))
    // The browser's console reports a conflict as an error.
    expect(problems.filter((problem) => !problem.includes('409'))).toEqual([])
    await user.close()
  })

  async function openBinder(page: BrowserUser['page']): Promise<void> {
    await page.goto('/collection')
    await page.getByRole('link', { name: 'Binder' }).click()
    await page.getByRole('region', { name: 'List of items' }).waitFor()
  }

  test('a card is added to a wish list with a target price, on a phone', async () => {
    const visitor = await openBrowserUser(testServer.url, SCREENS[0])
    const [card] = recorded === undefined ? [{ id: 900401, cents: 512 }] : listCards()
    await visitor.page.goto(`/cards/${card?.id}`)
    await visitor.page.getByRole('link', { name: 'Add to collection' }).click()
    await visitor.page.waitForURL(/\/login\?to=/)
    await visitor.close()

    const user = await openCollector(PHONE)
    const { page, inspect, takeScreenshot } = user
    await page.goto(`/cards/${card?.id}`)
    await takeScreenshot('card-with-collection')
    await page.getByRole('button', { name: 'Add to collection' }).click()
    await page.getByLabel('To', { exact: true }).selectOption('New wish list')
    await page.getByLabel('Target price (USD)').fill(String((card?.cents ?? 0) / 100))
    expect(await inspect('collection-add')).toEqual([])
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'Open it' }).click()
    await page.getByText('Target reached', { exact: true }).waitFor()
    expect(await inspect('wish-list')).toEqual([])
    await page.getByRole('button', { name: /^Watch the price of / }).click()
    expect(await page.getByLabel('Price in USD').inputValue()).toBe(
      ((card?.cents ?? 0) / 100).toFixed(2),
    )
    await page.getByRole('button', { name: 'Create alert' }).click()
    await page.getByRole('status').filter({ hasText: 'You get an alert when' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Collections' }).click()
    await page.getByRole('link', { name: 'Binder' }).waitFor()
    expect(await inspect('collections')).toEqual([])
    await openBinder(page)
    await whenCharted(page)
    expect(await inspect('collection')).toEqual([])
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Binder-full.csv')
    const exported = readFileSync((await download.path()) ?? '', 'utf8')
    expect(exported.trim().split('\n')).toHaveLength(rows)
    await user.closeClean()
  }, 120_000)
})

/** Waits for the chart; cards of the sample that are added today have the value of one day. */
function whenCharted(page: BrowserUser['page']): Promise<void> {
  const chart = page.getByRole('slider', { name: 'Market price by day' })
  return chart.or(page.getByRole('heading', { name: /^First value: / })).waitFor()
}

/** A card with a history, then one without a price. */
const EARLY_CARDS = `SELECT * FROM (
    SELECT card_id AS id, name AS printing FROM prices JOIN printings ON id = printing_id
     WHERE market_price >= 100 AND tracked_since IS NOT NULL AND is_base_printing = 1
     ORDER BY tracked_since, card_id LIMIT 1)
  UNION ALL SELECT * FROM (
    SELECT card_id, name FROM prices JOIN printings ON id = printing_id
     WHERE market_price IS NULL AND changed_at > 0 ORDER BY card_id LIMIT 1)`

/** The pictures of real cards are on another host. */
async function servePicture(route: Route): Promise<void> {
  await route.fulfill({ contentType: 'image/webp', body: PICTURE })
}

const PICTURE = readFileSync(join(SAMPLE, 'pictures', '900001.webp'))

/** Renders rows as apps do, including members that only the owner may see. */
function renderRows(cards: readonly RealCard[]): string {
  const header = 'Quantity,Name,Set Name,Collector Number,Price Paid,Date,Place,Note'.split(',')
  const records = cards.map(({ name, set, number, cents }, row) => [
    1 + (row % 3),
    name,
    set,
    number,
    (cents * 0.8) / 100 > 0 ? (Math.round(cents * 0.8) / 100).toFixed(2) : '',
    `2026-0${1 + (row % 9)}-15`,
    `Box ${row % 9}`,
    `row ${row}`,
  ])
  return [header, ...records].map(formatCsvRecord).join('')
}

/** Returns the rows of the sample that an import takes by default: a misspelled name waits for a decision. */
function readSample(): string {
  return readFileSync(`${SAMPLE}/collection.csv`, 'utf8').replace(/^Captian .*\n/m, '')
}

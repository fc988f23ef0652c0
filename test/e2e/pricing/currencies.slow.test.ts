// Browser tests of currencies: the switch, converted prices, and all prices of a card.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  describeInBrowser,
  expectUrl,
  expectVisible,
  openBrowserUser,
  type Page,
  SCREENS,
  testEachScreen,
} from '../../support/browser.ts'
import { addPriceList, addPriceSources, LISTED_CARD } from '../../support/pricing/price-sources.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const CONVERSION = 'Converted from US dollars at 0.9149 (Nov 13, 2026)'

describeInBrowser('currencies', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
    addPriceSources(testServer.testApp)
    addPriceList(testServer.testApp)
  })
  afterAll(() => testServer.close())

  testEachScreen('are chosen in the header, on every page with prices: %s', async (_, size) => {
    const { page, inspect, closeClean } = await openBrowserUser(testServer.url, size)
    await page.goto('/')
    const list = page.getByLabel('Currency')
    expect(await list.inputValue()).toBe('USD')
    expect(await priceSigns(page, '.mover-price strong')).toEqual(['$'])
    await list.selectOption('EUR')
    // Each list is read on its own.
    await page.locator('.mover-price strong').filter({ hasText: '€' }).first().waitFor()
    await page
      .locator('.mover-price strong')
      .filter({ hasText: '$' })
      .first()
      .waitFor({ state: 'detached' })
    expect(await priceSigns(page, '.mover-price strong')).toEqual(['€'])
    expect(await inspect('currency home')).toEqual([])

    await page.goto('/sets/90011')
    await page.locator('.tile-price').first().waitFor()
    expect(await priceSigns(page, '.tile-price')).toEqual(['€'])
    await page.locator('.set-value', { hasText: '€' }).waitFor()
    await page.getByText('Value over time').click()
    await page.locator('.legend-line', { hasText: '€' }).waitFor()
    await page.locator('.chart canvas').waitFor()
    expect(await inspect('currency set')).toEqual([])

    await page.goto('/movers')
    await page.locator('.mover-price').first().waitFor()
    expect(await priceSigns(page, '.mover-price strong')).toEqual(['€'])

    await page.goto('/search?q=cindlemane')
    await page.locator('.tile-price').first().waitFor()
    expect(await priceSigns(page, '.tile-price')).toEqual(['€'])
    expect(await inspect('currency search')).toEqual([])
    await closeClean()
  })

  testEachScreen('name source and rate on the page of a card: %s', async (_, size) => {
    const { page, inspect, closeClean } = await openBrowserUser(testServer.url, size)
    await page.addInitScript(() => localStorage.setItem('cardstock.currency', 'EUR'))
    await page.goto(`/cards/${LISTED_CARD}`)
    const headline = page.locator('.price-text')
    await headline.getByText('Holofoil · Cardmarket').waitFor()
    expect(await headline.textContent()).toMatch(/^€9\.69/)
    await expectLadder(page)
    await expectVisible(page.getByText('Prices of Cardmarket in EUR.'))
    await page.locator('.chart canvas').waitFor()
    expect(await inspect('currency card')).toEqual([])

    await page.goto('/cards/900003')
    await headline.getByText(CONVERSION).waitFor()
    expect(await headline.textContent()).toMatch(/^≈about €21\.05.*Holofoil · TCGplayer · /s)
    await page.locator('.chart canvas').waitFor()
    await page.getByText('≈ Converted from US dollars at the reference rate of each day.').waitFor()
    expect(await inspect('currency converted card')).toEqual([])
    await closeClean()
  })

  test('lists all prices of a card in a narrow window', async () => {
    const narrow = { ...SCREENS[0], name: '320', width: 320 }
    const { page, inspect, closeClean } = await openBrowserUser(testServer.url, narrow)
    await page.goto(`/cards/${LISTED_CARD}`)
    await expectLadder(page)
    await page.getByRole('button', { name: /^Show all/ }).click()
    expect(await inspect('currency ladder')).toEqual([])
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expect(overflow).toBeLessThanOrEqual(0)
    await closeClean()
  })

  test('are requested with the first prices, without another request', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.addInitScript(() => localStorage.setItem('cardstock.currency', 'GBP'))
    const requests: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/v1/prices')) requests.push(search)
      else if (pathname.startsWith('/v1/meta')) requests.push(pathname)
    })
    await page.goto('/movers')
    await page.locator('.mover-price').first().waitFor()
    expect(requests).toHaveLength(2)
    for (const search of requests) expect(search).toContain('currency=GBP')
    await closeClean()
  })

  test('of a link with a price filter are those of its sender', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.addInitScript(() => localStorage.setItem('cardstock.currency', 'EUR'))
    await page.goto('/search?q=cindlemane&max_price=20')
    await page.getByRole('button', { name: 'Up to $20.00' }).waitFor()
    expect(await page.getByLabel('Currency').inputValue()).toBe('USD')
    await page.getByLabel('Currency').selectOption('EUR')
    await page.getByRole('button', { name: 'Up to €20.00' }).waitFor()
    await expectUrl(page, ({ search }) => search === '?q=cindlemane&max_price=20&currency=EUR')
    await page.getByRole('group', { name: 'Price in EUR' }).getByLabel('From').fill('€2')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=cindlemane&min_price=2&max_price=20&currency=EUR')
    await page.goto('/search?q=cindlemane&max_price=20&currency=GBP')
    await page.getByRole('button', { name: 'Up to £20.00' }).waitFor()
    await closeClean()
  })

  test('fall back to US dollars where one is not available', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.addInitScript(() => localStorage.setItem('cardstock.currency', 'XTS'))
    await page.goto('/movers?currency=CHF')
    await page.locator('.mover-price').first().waitFor()
    expect(await priceSigns(page, '.mover-price strong')).toEqual(['$'])
    await closeClean()
  })

  test('fall back to US dollars if the server loses one while a page is open', async () => {
    const own = await startTestServer()
    addPriceSources(own.testApp)
    const { page, close } = await openBrowserUser(own.url)
    await page.addInitScript(() => localStorage.setItem('cardstock.currency', 'GBP'))
    await page.goto('/')
    await page.locator('.mover-price').filter({ hasText: '£' }).first().waitFor()
    own.testApp.publish('DELETE FROM exchange_rates')
    await page.getByRole('link', { name: 'All movers' }).click()
    await page.locator('.mover-price').filter({ hasText: '$' }).first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await expectVisible(page.getByText('Prices in USD, updated daily'))
    await close()
    await own.close()
  })

  test('are not offered without rates', async () => {
    const own = await startTestServer()
    const { page, closeClean } = await openBrowserUser(own.url)
    await page.goto(`/cards/${LISTED_CARD}`)
    await page.getByRole('heading', { name: 'Card details' }).waitFor()
    expect(await page.getByLabel('Currency').count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'All prices' }).count()).toBe(0)
    await closeClean()
    await own.close()
  })

  test('new alerts have the chosen currency', async () => {
    const user = await openBrowserUser(testServer.url)
    const { page, closeClean } = user
    await testServer.logIn(user, 'pro')
    await page.addInitScript(() => localStorage.setItem('cardstock.currency', 'EUR'))
    await page.goto(`/account/alerts?card=${LISTED_CARD}`)
    await expectVisible(page.getByLabel('Price in EUR'))
    await page.getByText(/^Now €/).waitFor()
    await page.getByLabel('Price in EUR').fill('1,50')
    await page.getByLabel('Webhook URL').fill('https://shop.example/alerts')
    await page.getByRole('button', { name: 'Create alert' }).click()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText(/Alerts at €1\.50 or less · now €/).waitFor()
    await closeClean()
  })
})

/** Returns the different signs of the prices of a page. */
async function priceSigns(page: Page, selector: string): Promise<string[]> {
  await page.locator(selector).first().waitFor()
  const texts = await page.locator(selector).allTextContents()
  return [...new Set(texts.flatMap((text) => /\p{Sc}/u.exec(text) ?? []))]
}

async function expectLadder(page: Page): Promise<void> {
  const ladder = page.getByRole('region', { name: 'All prices' })
  await ladder.waitFor()
  const names = await ladder.locator('th[scope="row"]').allTextContents()
  expect(names[0]).toStartWith('Near mint')
  expect(names.join()).toMatch(/Lightly played.*Damaged.*PSA 10/s)
}

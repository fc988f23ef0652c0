// Browser tests of the links from numbers to how they are made.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openBrowserUser } from '../../support/browser.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const PRICES = ['market-price', 'low-price', 'median-price']

describeInBrowser('numbers', () => {
  let testServer: TestServer
  let paragraphs: string[]
  beforeAll(async () => {
    testServer = await startTestServer()
    const guide = await (await fetch(`${testServer.url}/guides/numbers`)).text()
    paragraphs = [...guide.matchAll(/<h2 id="([^"]+)"/g)].map(([, id = '']) => id)
  })
  afterAll(() => testServer.close())

  test.each([
    ['/', ['movers', 'change', 'market-price']],
    ['/movers', ['movers', 'change', 'market-price', 'confidence']],
    ['/search?q=cindle', ['market-price', 'base-printing']],
    ['/sets/90012', ['market-price', 'change', 'base-printing', 'value-of-a-set']],
    ['/cards/900003', [...PRICES, 'change', 'confidence', 'base-printing']],
  ])('of %s link to the paragraphs that say how they are made', async (path, expected) => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto(path)
    const links = page.locator('.how-made a')
    await links.first().waitFor()
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(hrefs).toEqual(expected.map((number) => `/guides/numbers#${number}`))
    expect(paragraphs).toEqual(expect.arrayContaining(expected))
    await closeClean()
  })
})

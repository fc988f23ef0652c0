// Browser tests of the theme: the choice of the user wins over the system, on every page, from the first frame on.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openBrowserUser, type Page, SCREENS } from '../support/browser.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const DARK = 'rgb(19, 20, 22)'
const LIGHT = 'rgb(247, 246, 243)'

describeInBrowser('the theme', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  test('follows the system until one is chosen', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto('/')
    const list = page.getByLabel('Theme')
    expect(await list.inputValue()).toBe('system')
    expect(await ground(page)).toBe(LIGHT)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ground(page)).toBe(DARK)
    await list.selectOption('Light')
    expect(await ground(page)).toBe(LIGHT)
    await list.selectOption('System')
    expect(await ground(page)).toBe(DARK)
    await closeClean()
  })

  test('that was chosen is there before the first paint, on all pages', async () => {
    const { page, problems, close } = await openBrowserUser(testServer.url)
    await page.goto('/')
    await page.getByLabel('Theme').selectOption('Dark')
    // Module scripts run after the page is parsed: without them, only the script in the head remains.
    await page.route(/\/assets\/(index|document)-.*\.js/, (route) => route.abort())
    for (const path of ['/', '/guides/start', '/docs', '/checkout/none', '/offline']) {
      await page.goto(path)
      expect([path, await ground(page)]).toEqual([path, DARK])
      const colors = await page.evaluate<string[]>(
        "[...document.querySelectorAll('meta[name=theme-color]')].filter((meta) => matchMedia(meta.media).matches).map((meta) => meta.content)",
      )
      expect([path, colors]).toEqual([path, ['#131416']])
    }
    const expected = /ERR_FAILED|404/
    expect(problems.filter((problem) => !expected.test(problem))).toEqual([])
    await close()
  })

  test('applies to all tabs, and redraws the chart', async () => {
    const user = await openBrowserUser(testServer.url)
    const { page, context, close } = user
    await page.goto('/cards/900003')
    await page.locator('.chart canvas').waitFor()
    const before = await pixels(page)
    const other = await context.newPage()
    await other.goto(`${testServer.url}/guides`)
    await other.getByLabel('Theme').selectOption('Dark')
    // The policy of the page allows no text as code, which a second attempt would be.
    await page.waitForFunction(
      () => document.querySelector<HTMLSelectElement>('.theme-select select')?.value === 'dark',
    )
    expect(await ground(page)).toBe(DARK)
    await page.waitForFunction(
      (text) => document.querySelector<HTMLCanvasElement>('.chart canvas')?.toDataURL() !== text,
      before,
    )
    await other.close()
    await close()
  })

  test('can be chosen with the keyboard on a phone', async () => {
    const { page, inspect, close } = await openBrowserUser(testServer.url, SCREENS[0])
    await page.goto('/')
    const list = page.getByLabel('Theme')
    await list.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await list.inputValue()).toBe('dark')
    expect(await ground(page)).toBe(DARK)
    expect(await inspect('theme dark')).toEqual([])
    await close()
  })
})

const ground = (page: Page) =>
  page.evaluate<string>('getComputedStyle(document.body).backgroundColor')

const pixels = (page: Page) =>
  page.evaluate<string>("document.querySelector('.chart canvas').toDataURL()")

// Browser tests of the pages that the server renders: guides, API reference, checkout and unknown paths.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  type Page,
  SCREENS,
  testEachScreen,
} from '../support/browser.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const NARROW = { name: 'narrow', width: 320, height: 700, scheme: 'both' } as const

describeInBrowser('documents', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  describe('guides', () => {
    testEachScreen(
      'have a list, links to their neighbors, and a way back: %s',
      async (_, screen) => {
        const { page, inspect, closeClean } = await openBrowserUser(testServer.url, screen)
        await page.goto('/guides/start')
        expect(await inspect('guide')).toEqual([])
        if (screen.width < 600) {
          await page.getByText('All guides').click()
          expect(await inspect('guide menu')).toEqual([])
        }
        await page
          .getByRole('navigation', { name: /guides$/i })
          .getByRole('link', { name: 'Price alerts' })
          .click()
        await page.getByRole('heading', { level: 1, name: 'Price alerts' }).waitFor()
        await page.getByRole('link', { name: /^Previous/ }).click()
        await page.getByRole('heading', { level: 1, name: 'Scan sessions' }).waitFor()
        await page.getByRole('link', { name: 'Cardstock', exact: true }).click()
        await expectVisible(page.getByRole('link', { name: 'Wickerwild Creature Duels' }))
        await closeClean()
      },
    )

    testEachScreen('can be searched: %s', async (_, screen) => {
      const { page, inspect, closeClean } = await openBrowserUser(testServer.url, screen)
      await page.goto('/guides')
      await page.getByLabel('Search the guides').fill('restore backup')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Results for “restore backup”' }).waitFor()
      expect(await inspect('guide search')).toEqual([])
      await page
        .getByRole('article')
        .getByRole('link', { name: /^Operation/ })
        .first()
        .click()
      await page.waitForURL(/\/guides\/operate#/)
      await closeClean()
    })

    test('have copy buttons, which copy the code without its last line break', async () => {
      const { page, context, closeClean } = await openBrowserUser(testServer.url)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.goto('/guides/start')
      await page.getByRole('button', { name: 'Copy' }).first().click()
      await page.getByRole('status').filter({ hasText: 'Copied' }).first().waitFor()
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
        'npx -y bun@1.4.5 run up',
      )
      await closeClean()
    })

    test('select the code if the browser has no clipboard', async () => {
      const { page, close } = await openBrowserUser(testServer.url)
      await page.addInitScript(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined })",
      )
      await page.goto('/guides/start')
      await page.getByRole('button', { name: 'Copy' }).first().click()
      await page
        .getByRole('status')
        .filter({ hasText: 'Copy it with your keyboard' })
        .first()
        .waitFor()
      expect(await page.evaluate<string>('getSelection().toString().trim()')).toBe(
        'npx -y bun@1.4.5 run up',
      )
      await close()
    })
  })

  describe('the API reference', () => {
    testEachScreen('filters endpoints: %s', async (_, screen) => {
      const { page, inspect, closeClean } = await openBrowserUser(testServer.url, screen)
      await page.goto('/docs')
      const endpoints = page.locator('.opblock-summary-control')
      // Swagger UI renders those that are near: the last ones stand above the webhooks.
      await endpoints.first().waitFor()
      await page.locator('.webhooks').scrollIntoViewIfNeeded()
      await expectVisible(endpoints.filter({ hasText: '/v1/operator/history-import/upload' }))
      await page.getByLabel('Filter endpoints').fill('get HISTORY')
      const status = page.getByRole('status').filter({ hasText: /^\d endpoints$/ })
      const shown = Number.parseInt((await status.textContent()) ?? '', 10)
      // Swagger UI renders its list after the status.
      await endpoints.nth(shown).waitFor({ state: 'detached' })
      const texts = await endpoints.allTextContents()
      expect(texts).toHaveLength(shown)
      expect(texts.every((text) => /history/i.test(text))).toBe(true)
      await endpoints.first().click()
      await page.locator('.opblock-body').waitFor()
      expect(await inspect('api reference')).toEqual([])
      await page.getByLabel('Filter endpoints').fill('')
      await expectVisible(endpoints.filter({ hasText: '/v1/games/{slug}/sets' }))
      await closeClean()
    })
  })

  describe('other pages', () => {
    testEachScreen('have the same frame: %s', async (_, screen) => {
      const user = await openBrowserUser(testServer.url, screen)
      const { page, inspect, close } = user
      await testServer.logIn(user, 'free')
      for (const [path, title] of [
        ['/nope', 'Page not found'],
        ['/checkout/none', 'Order not found'],
        [await orderPath(), 'Pro plan'],
        ['/billing', 'Free tier'],
      ] as const) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        expect([path, await inspect(title)]).toEqual([path, []])
        await expectVisible(page.getByRole('link', { name: 'Cardstock', exact: true }))
      }
      await close()
    })

    async function orderPath(): Promise<string> {
      const session = await testServer.testApp.createSession('free')
      const path = '/v1/payments/create-checkout'
      const { client } = testServer.testApp
      const { body } = await client.post<{ url: string }>(path, { plan: 'pro' }, { session })
      return new URL(body.data.url).pathname
    }
  })

  test.each([NARROW, SCREENS[0]])('nothing is cut off at %p', async (screen) => {
    const { page, close } = await openBrowserUser(testServer.url, screen)
    const paths = ['/guides', '/guides/start', '/guides/choices', '/guides/alerts']
    for (const path of [
      ...paths,
      '/guides?q=sync',
      '/docs',
      '/nope',
      '/offline',
      '/checkout/none',
    ]) {
      await page.goto(path)
      if (path === '/docs') await page.locator('.opblock-summary-control').first().waitFor()
      expect([path, await cutOff(page)]).toEqual([path, []])
    }
    await close()
  })

  test('the name of a card is text in the head of its page', async () => {
    const { testApp, url } = testServer
    const name = `</title><script src="/x.js"></script><script>window.isHit = 1</script>`
    const rename = (text: string) => {
      testApp.publish(`UPDATE cards SET name = '${text}' WHERE id = 900003`)
      testApp.deps.catalog.publication.refresh()
    }
    rename(name)
    const { page, problems, close } = await openBrowserUser(url)
    await page.goto('/cards/900003')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    const title = await page.locator('meta[property="og:title"]').getAttribute('content')
    expect(title).toBe(`${name} · 003/024 · Lantern Season`)
    const image = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect(image).toBe(`${url}/pictures/cards/900003`)
    expect(await page.evaluate<boolean>("'isHit' in window")).toBe(false)
    expect(problems).toEqual([])
    rename('Cindlemane Regent')
    await close()
  })

  test.each(['a visitor', 'an account'])(
    'the header and the tabs have the links of the dashboard: %s',
    async (who) => {
      const user = await openBrowserUser(testServer.url)
      const { page, close } = user
      if (who === 'an account') await testServer.logIn(user, 'pro')
      const links = () =>
        page.evaluate<string[]>(`[...document.querySelectorAll('.links a, .tabs-bar a, .footer a')]
          .filter((link) => getComputedStyle(link).display !== 'none')
          .map((link) => link.textContent + ' ' + link.getAttribute('href'))`)
      await page.goto('/')
      await page.getByRole('link', { name: 'Wickerwild Creature Duels' }).waitFor()
      const last = who === 'an account' ? 'Account /account' : 'Log in /login'
      const dashboard = await links()
      expect(dashboard).toContain(last)
      for (const path of ['/guides', '/docs', '/nowhere']) {
        await page.goto(path)
        expect(await links()).toEqual(dashboard)
        const [, name = '', href = ''] = /^(.*) (.*)$/.exec(last) ?? []
        const link = page.getByRole('banner').getByRole('link', { name })
        expect(await link.getAttribute('href')).toBe(href)
      }
      await close()
    },
  )
})

/** Lists elements wider than the screen, except for tables in frames that scroll, and spaces at line ends in code. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[
    ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
    ...[...document.querySelectorAll('main *:not(.guide-table *, pre code)')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.checkVisibility())
      .map((one) => one.tagName + ' ' + one.className),
  ].slice(0, 5)`)
}

// Browser tests of the service worker: it shows a page without a connection, and never an old price.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openBrowserUser, type Page, SCREENS } from '../support/browser.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/**
 * Opens a page offline. Playwright misses some page loads that a service worker answers, and then waits in vain, so
 * such a visit is repeated.
 */
async function visitOffline(page: Page, path: string): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    await page.goto(path, { timeout: 5_000 }).catch(() => undefined)
    const shown = page.evaluate('[location.pathname, document.querySelector("h1")?.textContent]')
    const late = Bun.sleep(5_000).then(() => undefined)
    if (
      Bun.deepEquals(await Promise.race([shown.catch(() => undefined), late]), [
        path,
        'You are offline',
      ])
    ) {
      return
    }
  }
  throw new Error(`${path} is not the offline page`)
}

describeInBrowser('without a connection', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  const openUser = async () => {
    const user = await openBrowserUser(testServer.url, SCREENS[0], {
      ownContext: true,
      serviceWorkers: true,
    })
    await user.page.goto('/cards/900003')
    await user.page.getByRole('heading', { name: 'Card details' }).waitFor()
    await user.page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    return user
  }

  test('every page shows the offline page, which is replaced once there is a connection again', async () => {
    const { page, context, problems, inspect, close } = await openUser()
    expect(problems).toEqual([])
    await context.setOffline(true)
    for (const path of ['/', '/cards/900003', '/guides']) await visitOffline(page, path)
    expect(await page.getByText('$').count()).toBe(0)
    expect(await inspect('offline')).toEqual([])
    await context.setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor()
    await close()
  })

  test('no response of the API and no picture is cached', async () => {
    const { page, close } = await openUser()
    await page.reload()
    await page.getByRole('heading', { name: 'Card details' }).waitFor()
    const kept = await page.evaluate<string[]>(`(async () => {
      const names = await caches.keys()
      const caches_ = await Promise.all(names.map((name) => caches.open(name)))
      const requests = await Promise.all(caches_.map((cache) => cache.keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })()`)
    expect(kept).toContain('/offline')
    expect(kept.filter((path) => path !== '/offline' && !path.startsWith('/assets/'))).toEqual([])
    await close()
  })

  test('an upgrade replaces the files of the version before', async () => {
    const { page, close } = await openUser()
    await page.evaluate(
      "caches.open('cardstock-before').then((cache) => cache.put('/offline', new Response('old')))",
    )
    // A new worker takes over when the last page of the old one is closed.
    await page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one.unregister())')
    await page.reload()
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    await page.waitForFunction(async () => (await caches.keys()).length === 1)
    expect(await page.evaluate<string[]>('caches.keys()')).not.toContain('cardstock-before')
    await close()
  })
})

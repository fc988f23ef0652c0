// Browser tests of the API reference: its list of endpoints, its code samples, and who sends its requests.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  describeInBrowser,
  openBrowserUser,
  type Page,
  testEachScreen,
} from '../support/browser.ts'
import { ROOT, runCommand } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

describeInBrowser('the API reference', () => {
  let testServer: TestServer
  // In the tree, where TypeScript finds the client.
  const folder = mkdtempSync(join(ROOT, 'node_modules/.samples-'))
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await testServer.close()
  })

  async function openReference(account?: 'pro') {
    const user = await openBrowserUser(testServer.url)
    if (account !== undefined) await testServer.logIn(user, account)
    await user.page.goto('/docs')
    return user
  }

  testEachScreen('has a list, which opens endpoints and marks one: %s', async (_, screen) => {
    const { page, inspect, closeClean } = await openBrowserUser(testServer.url, screen)
    await page.goto('/docs')
    const isPhone = screen.width < 600
    const list = page.getByRole('navigation', { name: isPhone ? 'All endpoints' : 'Endpoints' })
    const marked = page.locator('.guides-list a[aria-current]')
    await page.locator('.opblock').first().waitFor()
    // The last one is far away, where Swagger UI has rendered nothing yet.
    for (const [name, path] of [
      ['Get the current prices of a card', '/v1/cards/{id}/prices'],
      ['Upload an archive of older prices', '/v1/operator/history-import/upload'],
      ['List games', '/v1/games'],
    ] as const) {
      if (isPhone) {
        await page.getByText('All endpoints').press('Enter')
        expect(await inspect('api list')).toEqual([])
      }
      await list.getByRole('link', { name }).press('Enter')
      const block = page.locator('.opblock.is-open', { has: page.locator(`[data-path="${path}"]`) })
      await block.locator('.api-samples').waitFor()
      await page.waitForFunction(
        (wanted) => document.activeElement?.textContent?.includes(wanted),
        name,
      )
      await page
        .locator('.guides-list a[aria-current]', { hasText: name })
        .first()
        .waitFor({ state: 'attached' })
      expect(new Set(await marked.allTextContents()).size).toBe(1)
      const { y = 0 } = (await block.boundingBox()) ?? {}
      expect(y).toBeGreaterThan(59)
      if (isPhone) expect(await list.isVisible()).toBe(false)
    }
    expect(await inspect('api endpoint')).toEqual([])
    await closeClean()
  })

  const SAMPLES: [summary: string, fields: Record<string, string>, printed: string][] = [
    ['Get a card', { id: '900003' }, 'Cindlemane Regent'],
    ['Match card names to cards with their prices', {}, 'results'],
    ['Match the CSV export of an app to cards, with prices and the total', {}, 'total_value'],
    ['Match a pasted list to cards, with prices and the total', { format: 'csv' }, 'Cindle'],
    ['Download all cards and prices of a set', { id: '90012' }, 'market_price'],
    ['List API keys', {}, 'last_used_at'],
  ]

  test.each(SAMPLES)('the samples of "%s" run in each language', async (name, fields, printed) => {
    const { page, closeClean } = await openReference('pro')
    await openEndpoint(page, name)
    for (const [field, value] of Object.entries(fields)) {
      const control = page.locator(`tr[data-param-name="${field}"] :is(input, select)`)
      if (await control.evaluate((one) => one.matches('select'))) await control.selectOption(value)
      else await control.fill(value)
    }
    const samples = page.getByRole('region', { name: 'Code samples' })
    const run = async (language: string, file: string, program: string) => {
      await samples.getByRole('button', { name: language }).click()
      writeFileSync(join(folder, file), (await samples.locator('code').textContent()) ?? '')
      const session = await testServer.testApp.createSession('pro')
      const env = { KEY: testServer.testApp.keys.pro, SESSION: session }
      const { code, stdout, stderr } = await runCommand([program, file], { cwd: folder, env })
      expect([language, code, code === 0 ? '' : stderr]).toEqual([language, 0, ''])
      expect(stdout).toContain(printed)
    }
    await run('curl', 'sample.sh', 'bash')
    await run('TypeScript', 'sample.ts', process.execPath)
    if (Bun.which('python3') !== null) await run('Python', 'sample.py', 'python3')
    await closeClean()
  })

  test('sends requests without a key with the session of a login', async () => {
    const { page, closeClean } = await openReference('pro')
    await openEndpoint(page, 'Match card names to cards with their prices')
    const sent = page.waitForRequest(/resolve\/name/)
    await page.getByRole('button', { name: 'Execute' }).click()
    expect((await sent).headers()['x-api-key']).toBeUndefined()
    expect((await (await sent).response())?.status()).toBe(200)
    await closeClean()
  })

  test('has every rule of Swagger UI whose classes are on the page', async () => {
    const { page, closeClean } = await openReference('pro')
    await openEndpoint(page, 'Match card names to cards with their prices')
    await page.getByRole('button', { name: 'Execute' }).click()
    await page.locator('.live-responses-table').waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark-mode').waitFor()
    const used = new Set(
      await page.evaluate<string[]>(
        "[...document.querySelectorAll('html, #api *')].flatMap((one) => [...one.classList])",
      ),
    )
    const css = join(ROOT, 'node_modules/swagger-ui-dist/swagger-ui.css')
    const whole = await Bun.file(css).text()
    const served = await (await fetch(`${testServer.url}/docs/try-it.css`)).text()
    const selectors = [...whole.matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) => list.split(','))
    const needed = selectors.filter((selector) => {
      const names = [...selector.matchAll(/\.([a-zA-Z_][\w-]*)/g)].map(([, name = '']) => name)
      return names.length > 1 && names.every((name) => used.has(name))
    })
    expect(needed.length).toBeGreaterThan(50)
    expect(needed.filter((selector) => !served.includes(selector))).toEqual([])
    await closeClean()
  })

  test('asks visitors for a key where the dashboard does', async () => {
    const { page, close } = await openReference()
    await openEndpoint(page, 'Match card names to cards with their prices')
    const sent = page.waitForResponse(/resolve\/name/)
    await page.getByRole('button', { name: 'Execute' }).click()
    expect((await sent).status()).toBe(401)
    expect(await page.getByRole('button', { name: 'Create a key for this page' }).count()).toBe(0)
    await close()
  })

  test('creates one key, which it fills into requests and samples until a reload', async () => {
    const { page, closeClean } = await openReference('pro')
    await openEndpoint(page, 'Match card names to cards with their prices')
    const samples = page.getByRole('region', { name: 'Code samples' })
    expect(await samples.locator('code').textContent()).toContain('$KEY')
    const { client, createSession } = testServer.testApp
    const session = await createSession('pro')
    const keys: string[] = []
    for (const _ of [1, 2]) {
      const created = page.waitForResponse(
        (response) => response.url().endsWith('/v1/keys') && response.status() === 201,
      )
      await page.getByRole('button', { name: 'Create a key for this page' }).click()
      const { data } = await (await created).json()
      await page.getByRole('status').filter({ hasText: `until you reload it` }).waitFor()
      // Swagger UI has removed what is far from the button.
      await openEndpoint(page, 'Match card names to cards with their prices')
      await samples.getByText(data.key).waitFor()
      keys.push(data.key)
      // The next one replaces it also if the account has as many as it can.
      while ((await client.post('/v1/keys', {}, { session })).status === 201);
    }
    const sent = page.waitForRequest(/resolve\/name/)
    await page.getByRole('button', { name: 'Execute' }).click()
    expect((await sent).headers()['x-api-key']).toBe(keys[1])
    expect((await sent).headers()['x-cardstock-page']).toBeUndefined()
    const statuses = keys.map((key) => client.get('/v1/sets', { headers: { 'x-api-key': key } }))
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([401, 200])
    await page.reload()
    await openEndpoint(page, 'Match card names to cards with their prices')
    expect(await samples.locator('code').textContent()).toContain('$KEY')
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(
      'tcg_live_',
    )
    await closeClean()
  })
})

/** Opens an endpoint of the list by its summary. */
async function openEndpoint(page: Page, name: string): Promise<void> {
  const list = page.getByRole('navigation', { name: 'Endpoints', exact: true })
  await list.getByRole('link', { name: new RegExp(`^[A-Z]+ ${name}$`) }).click()
  await page.getByRole('region', { name: 'Code samples' }).waitFor()
}

// What an account used, and where it is logged in, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  BROWSER_MISSING,
  expectVisible,
  openBrowserUser,
  SCREEN_SIZES,
} from '../../support/browser.ts'
import { FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

/** Requests with the key of Pro, by the days on which they are made. */
const USED = {
  '2026-10-20': 3,
  '2026-11-03': 12,
  '2026-11-08': 7,
  '2026-11-14': 18,
  '2026-11-15': 5,
}

const PATHS = ['/v1/sets', '/v1/search?q=marigold', '/v1/cards/900003', '/v1/prices/top-movers']

describe.skipIf(BROWSER_MISSING !== undefined)('what an account used', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
    const { client, setClock } = testServer.testApp
    for (const [day, times] of Object.entries(USED)) {
      setClock(`${day}T12:00:00.000Z`)
      for (let at = 0; at < times; at++) {
        await client.get(PATHS[at % PATHS.length] ?? '', { as: 'pro' })
      }
    }
    setClock(FROZEN_TIME)
  })
  afterAll(() => testServer.close())

  test.each(SCREEN_SIZES.map((sight) => [sight.name, sight] as const))(
    'is read day by day, and by what was asked for: %s',
    async (_, sight) => {
      const reader = await openBrowserUser(testServer.url, sight)
      const { page, audit, faults, look } = reader
      await testServer.logIn(reader, 'pro')
      await page.clock.setFixedTime(FROZEN_TIME)
      await page.goto('/account/usage')
      await page.getByRole('heading', { name: '45 requests in 30 days' }).waitFor()
      const bars = page.getByRole('slider', { name: 'Requests by day' })
      expect(await bars.getAttribute('aria-valuetext')).toBe('Nov 15, 2026: 5 requests')
      await bars.press('ArrowLeft')
      expect(await bars.getAttribute('aria-valuetext')).toBe('Nov 14, 2026: 18 requests')
      await bars.press('Home')
      expect(await bars.getAttribute('aria-valuetext')).toBe('Oct 17, 2026: 0 requests')
      await page.locator('.bars-field').hover()
      await page.getByRole('strong').filter({ hasText: 'Nov 1, 2026' }).waitFor()
      expect(await look('usage')).toEqual([])
      await page.getByText('As a table').click()
      const row = page.getByRole('row').filter({ hasText: 'Nov 8, 2026' })
      expect(await row.textContent()).toBe('Nov 8, 20267cards 2, prices 1, search 2, sets 2')
      expect(await audit()).toEqual([])

      await page.goto('/account/security')
      await page.getByText('This browser').first().waitFor()
      expect(await look('security')).toEqual([])
      expect(faults).toEqual([])
      await reader.close()
    },
    60_000,
  )

  test('is shown for the key that the address names', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'pro')
    const { page, faults } = reader
    await page.goto('/account/keys?new')
    await page.getByLabel('Name').fill('Unused')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.goto('/account/usage')
    const select = page.getByLabel('Key')
    await select.selectOption({ index: 2 })
    await page.getByRole('heading', { name: '0 requests in 30 days' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: '0 requests in 30 days' }).waitFor()
    await select.selectOption({ index: 1 })
    await page.getByRole('heading', { name: '45 requests in 30 days' }).waitFor()
    expect(faults).toEqual([])
    await reader.close()
  }, 30_000)

  test('of photos is read by what became of them', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'business')
    const { page, faults, look } = reader
    const headers = { 'X-API-Key': testServer.testApp.keys.business, 'Content-Type': 'image/jpeg' }
    const photo = await Bun.file(`${import.meta.dir}/../../data/sample/photos/back.jpg`).bytes()
    for (let times = 0; times < 3; times++) {
      await fetch(`${testServer.url}/v1/identify`, { method: 'POST', headers, body: photo })
    }
    await page.clock.setFixedTime(FROZEN_TIME)
    await page.goto('/account/scans')
    await page.getByRole('heading', { name: '3 photos in 30 days' }).waitFor()
    const bars = page.getByRole('slider', { name: 'Photos by day' })
    expect(await bars.getAttribute('aria-valuetext')).toStartWith('Nov 15, 2026: 3 photos: Matched')
    expect(await page.getByRole('row').filter({ hasText: 'To try it' }).textContent()).toBe(
      'Nov 15, 2026To try it25–',
    )
    expect(await look('scans-used')).toEqual([])
    expect(faults).toEqual([])
    await reader.close()
  }, 30_000)

  test('says nothing is wrong while the answer is slow', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'pro')
    const { page, takeScreenshot } = reader
    await page.route('**/v1/usage', async (route) => {
      await Bun.sleep(700)
      await route.continue()
    })
    await page.goto('/account/usage')
    await expectVisible(page.getByRole('status', { name: 'Loading' }))
    await takeScreenshot('usage-loading')
    await page.getByRole('slider').waitFor()
    await reader.close()
  }, 30_000)
})

describe.skipIf(BROWSER_MISSING !== undefined)('an account’s safety', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  test('a password is changed, and every other session ends', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'starter')
    const other = await testServer.testApp.createSession('starter')
    const { page, look } = reader
    await page.goto('/account/security')
    const current = page.getByLabel('Current password', { exact: true })
    await current.fill('not the password')
    await page.getByLabel('New password', { exact: true }).fill('another of them')
    const change = page.getByRole('button', { name: 'Change the password' })
    await change.click()
    await page.getByText('Wrong e-mail address or password.').waitFor()
    expect(await current.getAttribute('aria-invalid')).toBe('true')
    expect(await look('password-wrong')).toEqual([])
    await current.fill(PASSWORD)
    await change.click()
    await page.getByText('The password is changed.').waitFor()
    const told = await testServer.testApp.client.get('/v1/auth/me', { session: other })
    expect(told.status).toBe(401)
    await page.getByText('This browser').waitFor()
    await reader.close()
  }, 30_000)

  test('logging out everywhere ends the sessions of other browsers', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'hobby')
    const other = await testServer.testApp.createSession('hobby')
    await reader.page.goto('/account/security')
    await reader.page.getByRole('button', { name: 'Log out everywhere' }).click()
    await reader.page.getByRole('heading', { name: 'What is your card worth?' }).waitFor()
    const told = await testServer.testApp.client.get('/v1/auth/me', { session: other })
    expect(told.status).toBe(401)
    await reader.close()
  }, 30_000)
})

// Browser tests of usage and security.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  testEachScreen,
} from '../../support/browser.ts'
import { samplePhotoPath } from '../../support/photos/photo-fixtures.ts'
import { FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

/** Requests with the Pro key by day. */
const USED = {
  '2026-10-20': 3,
  '2026-11-03': 12,
  '2026-11-08': 7,
  '2026-11-14': 18,
  '2026-11-15': 5,
}

const PATHS = ['/v1/sets', '/v1/search?q=marigold', '/v1/cards/900003', '/v1/prices/top-movers']

describeInBrowser('usage', () => {
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

  testEachScreen('is shown by day and by endpoint: %s', async (_, screen) => {
    const user = await openBrowserUser(testServer.url, screen)
    const { page, audit, inspect } = user
    await testServer.logIn(user, 'pro')
    await user.freezeTime(FROZEN_TIME)
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
    expect(await inspect('usage')).toEqual([])
    await page.getByText('Show as table').click()
    const row = page.getByRole('row').filter({ hasText: 'Nov 8, 2026' })
    expect(await row.textContent()).toBe('Nov 8, 20267cards 2, prices 1, search 2, sets 2')
    expect(await audit()).toEqual([])

    await page.goto('/account/security')
    await page.getByText('This browser', { exact: true }).first().waitFor()
    expect(await inspect('security')).toEqual([])
    await user.closeClean()
  })

  test('is shown for the key in the URL', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'pro')
    const { page } = user
    await page.goto('/account/keys?new')
    await page.getByLabel('Name').fill('Unused')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.goto('/account/usage')
    const select = page.getByLabel('Key')
    await select.selectOption({ index: 2 })
    await page.getByRole('heading', { name: '0 requests in 30 days' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: '0 requests in 30 days' }).waitFor()
    await select.selectOption({ index: 1 })
    await page.getByRole('heading', { name: '45 requests in 30 days' }).waitFor()
    await user.closeClean()
  })

  test('of scans is shown by result', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'business')
    const { page, inspect } = user
    const headers = { 'X-API-Key': testServer.testApp.keys.business, 'Content-Type': 'image/jpeg' }
    const photo = await Bun.file(samplePhotoPath('back')).bytes()
    for (let times = 0; times < 3; times++) {
      await fetch(`${testServer.url}/v1/identify`, { method: 'POST', headers, body: photo })
    }
    await user.freezeTime(FROZEN_TIME)
    await page.goto('/account/scans')
    await page.getByRole('heading', { name: '3 photos in 30 days' }).waitFor()
    const bars = page.getByRole('slider', { name: 'Photos by day' })
    expect(await bars.getAttribute('aria-valuetext')).toStartWith('Nov 15, 2026: 3 photos: Matched')
    expect(await page.getByRole('row').filter({ hasText: 'Free trial' }).textContent()).toBe(
      'Nov 15, 2026Free trial25–',
    )
    expect(await inspect('scans-used')).toEqual([])
    await user.closeClean()
  })

  test('shows a loading state while the API is slow', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'pro')
    const { page, takeScreenshot } = user
    const answered = Promise.withResolvers<void>()
    await page.route('**/v1/usage', async (route) => {
      await answered.promise
      await route.continue()
    })
    await page.goto('/account/usage')
    await expectVisible(page.getByRole('status', { name: 'Loading' }))
    await takeScreenshot('usage-loading')
    answered.resolve()
    await page.getByRole('slider').waitFor()
    await user.close()
  })
})

describeInBrowser('security', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  test('changing the password ends all other sessions', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'starter')
    const other = await testServer.testApp.createSession('starter')
    const { page, inspect } = user
    await page.goto('/account/security')
    const current = page.getByLabel('Current password', { exact: true })
    await current.fill('not the password')
    await page.getByLabel('New password', { exact: true }).fill('another of them')
    const change = page.getByRole('button', { name: 'Change password' })
    await change.click()
    await page.getByText('Wrong password.').waitFor()
    expect(await current.getAttribute('aria-invalid')).toBe('true')
    expect(await inspect('password-wrong')).toEqual([])
    await current.fill(PASSWORD)
    await change.click()
    await page.getByText('Password changed.').waitFor()
    const response = await testServer.testApp.client.get('/v1/auth/me', { session: other })
    expect(response.status).toBe(401)
    await page.getByText('This browser', { exact: true }).waitFor()
    await user.close()
  })

  test('logging out everywhere ends all other sessions', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'hobby')
    const other = await testServer.testApp.createSession('hobby')
    await user.page.goto('/account/security')
    await user.page.getByRole('button', { name: 'Log out everywhere' }).click()
    await user.page.getByRole('heading', { name: 'What is your card worth?' }).waitFor()
    const response = await testServer.testApp.client.get('/v1/auth/me', { session: other })
    expect(response.status).toBe(401)
    await user.close()
  })
})

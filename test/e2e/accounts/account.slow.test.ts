// Browser tests of API keys, from registration to revocation.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  type BrowserUser,
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  testEachScreen,
} from '../../support/browser.ts'
import { FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

describeInBrowser('API keys', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  const request = (key: string) =>
    fetch(`${testServer.url}/v1/sets`, { headers: { 'X-API-Key': key } })

  testEachScreen('are created, shown once, used, counted and revoked: %s', async (name, screen) => {
    const user = await openBrowserUser(testServer.url, screen)
    const { page, takeScreenshot, inspect } = user
    await user.freezeTime(FROZEN_TIME)
    await page.goto('/register')
    const email = `${name.replaceAll(/\W+/g, '-')}@new.example`
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
    await takeScreenshot('keys-none')

    await page.getByRole('link', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Shop window')
    await takeScreenshot('key-name')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await keyShown(user)
    expect(await inspect('key-made')).toEqual([])
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    expect((await request(key)).status).toBe(200)
    await page.reload()
    const item = page.getByRole('list', { name: 'Active keys' }).getByRole('listitem')
    await item.waitFor()
    expect(await item.textContent()).toMatch(/Shop window.*Today1Total1/)
    expect(await inspect('keys')).toEqual([])

    await page.getByRole('button', { name: 'Revoke Shop window' }).click()
    await page.getByRole('heading', { name: 'Revoke “Shop window”?' }).waitFor()
    await takeScreenshot('key-revoke')
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('“Shop window” is revoked.').waitFor()
    expect((await request(key)).status).toBe(401)
    await page.getByText('Revoked keys (1)').click()
    expect(await inspect('keys-revoked')).toEqual([])
    await user.closeClean()
  })

  test('are copied, and so is the example request', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'pro')
    const { page, context } = user
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await page.goto('/account/keys?new')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await keyShown(user)
    await page.getByRole('button', { name: 'Copy key' }).click()
    await page.getByText('Copied').first().waitFor()
    expect(await clipboard()).toBe(key)
    await page.getByRole('button', { name: 'Copy request' }).click()
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('curl'))
    expect(await clipboard()).toBe(
      `curl -H "X-API-Key: ${key}" "${testServer.url}/v1/sets?per_page=3"`,
    )
    await user.close()
  })

  test('are created with the keyboard, and Escape does not lose them', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'hobby')
    const { page, inspect } = user
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.goto('/account')
    await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
    await page.getByRole('link', { name: 'Create key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Create key' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Create key')

    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    const key = await keyShown(user)
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
    await page.getByText('The key cannot be shown again').waitFor()
    expect(await keyShown(user)).toBe(key)
    expect(await focused()).toBe('I’ve saved it')
    // Going back has no effect either, and leaving the page asks for confirmation.
    for (let times = 0; times < 3; times++) await page.goBack()
    await page
      .getByRole('heading', { level: 1, name: 'Your account', includeHidden: true })
      .waitFor()
    expect(await keyShown(user)).toBe(key)
    expect(await page.evaluate(CAN_LEAVE)).toBe(false)
    await page.goForward()
    await page.getByRole('button', { name: 'I’ve saved it' }).focus()
    expect(await inspect('key-escape')).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await request(key)).status).toBe(200)
    expect(await page.evaluate(CAN_LEAVE)).toBe(true)

    await page.getByRole('button', { name: 'Revoke By hand' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Revoke')
    expect((await request(key)).status).toBe(200)
    await user.closeClean()
  })

  test('are shown even after navigation during the request', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'business')
    const { page } = user
    const going = Promise.withResolvers<void>()
    await page.route('**/v1/keys', async (route) => {
      if (route.request().method() === 'POST') await going.promise
      await route.continue()
    })
    await page.goto('/account/keys')
    await page.getByRole('link', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    // Canceling and going back come too late.
    await page.getByRole('button', { name: 'Cancel' }).click({ force: true })
    await page.getByRole('dialog', { name: 'Create key' }).waitFor()
    await page.goBack()
    going.resolve()
    expect((await request(await keyShown(user))).status).toBe(200)
    await user.closeClean()
  })

  test('beyond the limit are rejected with the message of the API, and the name stays', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'starter')
    const { page, takeScreenshot } = user
    const message = 'An account has at most 25 active keys. Delete one first.'
    await page.route('**/v1/keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const json = { error: { code: 'TOO_MANY_KEYS', message } }
      return route.fulfill({ status: 409, json })
    })
    await page.goto('/account/keys?new')
    await page.getByLabel('Name').fill('One more')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('alert').filter({ hasText: message }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('One more')
    await takeScreenshot('keys-too-many')
    await user.close()
  })

  test('load on retry after a 503', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'starter')
    const { page, takeScreenshot } = user
    const busy = { error: { code: 'UNAVAILABLE', message: 'Too many are being served.' } }
    for (const path of ['auth/me', 'keys']) {
      const answer = { status: 503, headers: { 'retry-after': '60' }, json: busy }
      await page.route(`**/v1/${path}`, (route) => route.fulfill(answer), { times: 1 })
    }
    await page.goto('/account/keys')
    // A failed session request does not redirect to the login.
    await page.getByRole('heading', { name: 'The server is busy' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Keys' }))
    await page.getByRole('heading', { name: 'The server is busy' }).waitFor()
    await takeScreenshot('keys-busy')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('list', { name: 'Active keys' }).waitFor()
    await user.close()
  })
})

/** Evaluates to true if the page can be left without confirmation. */
const CAN_LEAVE = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"

async function keyShown({ page }: BrowserUser): Promise<string> {
  const key = await page.getByRole('textbox', { name: 'Key' }).inputValue()
  expect(key).toMatch(/^\S{20,}$/)
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('textbox', { name: 'Request' }).inputValue()).toContain(key)
  return key
}

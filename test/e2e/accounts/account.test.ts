// A newcomer opens an account, makes a key, uses it, and revokes it, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  BROWSER_MISSING,
  type BrowserUser,
  expectVisible,
  openBrowserUser,
  SCREEN_SIZES,
} from '../../support/browser.ts'
import { FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

describe.skipIf(BROWSER_MISSING !== undefined)('the keys of an account', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  const ask = (key: string) => fetch(`${testServer.url}/v1/sets`, { headers: { 'X-API-Key': key } })

  test.each(SCREEN_SIZES.map((sight) => [sight.name, sight] as const))(
    'are made by a newcomer, shown once, used, counted and revoked: %s',
    async (name, sight) => {
      const reader = await openBrowserUser(testServer.url, sight)
      const { page, faults, takeScreenshot, look } = reader
      await page.clock.setFixedTime(FROZEN_TIME)
      await page.goto('/register')
      const email = `${name.replaceAll(/\W+/g, '-')}@newcomers.example`
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Register' }).click()
      await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
      await page.getByRole('heading', { name: 'You have no key yet' }).waitFor()
      await takeScreenshot('keys-none')

      await page.getByRole('link', { name: 'Make a key' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Shop window')
      await takeScreenshot('key-name')
      await page.getByRole('button', { name: 'Make the key' }).click()
      const key = await keyShown(reader)
      expect(await look('key-made')).toEqual([])
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      expect((await ask(key)).status).toBe(200)
      await page.reload()
      const item = page.getByRole('list', { name: 'Active keys' }).getByRole('listitem')
      await item.waitFor()
      expect(await item.textContent()).toMatch(/Shop window.*Today1In all1/)
      expect(await look('keys')).toEqual([])

      await page.getByRole('button', { name: 'Revoke Shop window' }).click()
      await page.getByRole('heading', { name: 'Revoke “Shop window”?' }).waitFor()
      await takeScreenshot('key-revoke')
      await page.getByRole('button', { name: 'Revoke the key' }).click()
      await page.getByText('“Shop window” is revoked.').waitFor()
      expect((await ask(key)).status).toBe(401)
      await page.getByText('Revoked keys (1)').click()
      expect(await look('keys-revoked')).toEqual([])
      expect(faults).toEqual([])
      await reader.close()
    },
    60_000,
  )

  test('are copied whole, and the line that tries one is, too', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'pro')
    const { page, context } = reader
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    await page.goto('/account/keys?new')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const key = await keyShown(reader)
    await page.getByRole('button', { name: 'Copy the key' }).click()
    await page.getByText('Copied').first().waitFor()
    expect(await clipboard()).toBe(key)
    await page.getByRole('button', { name: 'Copy the request' }).click()
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('curl'))
    expect(await clipboard()).toBe(
      `curl -H "X-API-Key: ${key}" "${testServer.url}/v1/sets?per_page=3"`,
    )
    await reader.close()
  }, 30_000)

  test('are made and kept with the keyboard alone; Escape loses none', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'hobby')
    const { page, faults, look } = reader
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.goto('/account')
    await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
    await page.getByRole('link', { name: 'Make a key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Make a key' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Make a key')

    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    const key = await keyShown(reader)
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
    await page.getByText('nobody can show you the key again').waitFor()
    expect(await keyShown(reader)).toBe(key)
    expect(await focused()).toBe('I have kept it')
    // Nor does going back, and who leaves the page is asked whether they mean it.
    for (let times = 0; times < 3; times++) await page.goBack()
    await page
      .getByRole('heading', { level: 1, name: 'Your account', includeHidden: true })
      .waitFor()
    expect(await keyShown(reader)).toBe(key)
    expect(await page.evaluate(LEAVING)).toBe(false)
    await page.goForward()
    await page.getByRole('button', { name: 'I have kept it' }).focus()
    expect(await look('key-escape')).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await ask(key)).status).toBe(200)
    expect(await page.evaluate(LEAVING)).toBe(true)

    await page.getByRole('button', { name: 'Revoke By hand' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('Revoke')
    expect((await ask(key)).status).toBe(200)
    expect(faults).toEqual([])
    await reader.close()
  }, 30_000)

  test('are shown also to whoever goes on while they are made', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'business')
    const { page, faults } = reader
    const going = Promise.withResolvers<void>()
    await page.route('**/v1/keys', async (route) => {
      if (route.request().method() === 'POST') await going.promise
      await route.continue()
    })
    await page.goto('/account/keys')
    await page.getByRole('link', { name: 'Make a key' }).click()
    await page.getByRole('button', { name: 'Make the key' }).click()
    // It is too late to cancel, and to go back.
    await page.getByRole('button', { name: 'Cancel' }).click({ force: true })
    await page.getByRole('dialog', { name: 'Make a key' }).waitFor()
    await page.goBack()
    going.resolve()
    expect((await ask(await keyShown(reader))).status).toBe(200)
    expect(faults).toEqual([])
    await reader.close()
  }, 30_000)

  test('that are too many are refused in the words of the service, and the name stays', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'starter')
    const { page, takeScreenshot } = reader
    const message = 'An account has at most 25 active keys. Delete one first.'
    await page.route('**/v1/keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      const json = { error: { code: 'TOO_MANY_KEYS', message } }
      return route.fulfill({ status: 409, json })
    })
    await page.goto('/account/keys?new')
    await page.getByLabel('Name').fill('One more')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('alert').filter({ hasText: message }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('One more')
    await takeScreenshot('keys-too-many')
    await reader.close()
  }, 30_000)

  test('are asked for once more where the service was busy', async () => {
    const reader = await openBrowserUser(testServer.url)
    await testServer.logIn(reader, 'starter')
    const { page, takeScreenshot } = reader
    const busy = { error: { code: 'UNAVAILABLE', message: 'Too many are being served.' } }
    for (const path of ['auth/me', 'keys']) {
      const answer = { status: 503, headers: { 'retry-after': '60' }, json: busy }
      await page.route(`**/v1/${path}`, (route) => route.fulfill(answer), { times: 1 })
    }
    await page.goto('/account/keys')
    // Who is there could not be asked: nobody is sent away for that.
    await page.getByRole('heading', { name: 'The service is busy' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Keys' }))
    await page.getByRole('heading', { name: 'The service is busy' }).waitFor()
    await takeScreenshot('keys-busy')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('list', { name: 'Active keys' }).waitFor()
    await reader.close()
  }, 30_000)
})

/** Whether the page may be left without a question. */
const LEAVING = "dispatchEvent(new Event('beforeunload', { cancelable: true }))"

async function keyShown({ page }: BrowserUser): Promise<string> {
  const key = await page.getByRole('textbox', { name: 'The key' }).inputValue()
  expect(key).toMatch(/^\S{20,}$/)
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('textbox', { name: 'The request' }).inputValue()).toContain(key)
  return key
}

// Registering and logging in, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  BROWSER_MISSING,
  expectVisible,
  openBrowserUser,
  SCREEN_SIZES,
  SCREENS,
  type Screen,
} from '../../support/browser.ts'
import { emailOf, FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

describe.skipIf(BROWSER_MISSING !== undefined)('whoever is not logged in', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer({ env: { LOGIN_FAILURES_PER_EMAIL_AND_IP: '1' } })
  })
  afterAll(() => testServer.close())

  async function at(path: string, screen: Screen = SCREENS[2]) {
    const reader = await openBrowserUser(testServer.url, screen)
    const { page } = reader
    await page.goto(path)
    const email = page.getByLabel('E-mail address')
    const password = page.getByLabel('Password', { exact: true })
    const send = (name: 'Log in' | 'Register') =>
      page.getByRole('main').getByRole('button', { name })
    return {
      ...reader,
      email,
      password,
      send,
      async fill(address: string, word = PASSWORD): Promise<void> {
        await email.fill(address)
        await password.fill(word)
      },
    }
  }

  test.each(SCREEN_SIZES.map((sight) => [sight.name, sight] as const))(
    'is led to the login and back, and finds the first steps of an account: %s',
    async (name, sight) => {
      const reader = await at('/account', sight)
      const { page, faults, send, look } = reader
      await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
      expect(new URL(page.url()).searchParams.get('to')).toBe('/account')
      expect(await look('login')).toEqual([])

      await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
      await page.getByRole('heading', { level: 1, name: 'Open an account' }).waitFor()
      await reader.fill(`${name.replaceAll(/\W+/g, '-')}@readers.example`)
      await page.getByRole('button', { name: 'Show the password' }).click()
      expect(await reader.password.getAttribute('type')).toBe('text')
      expect(await look('register')).toEqual([])
      await page.clock.setFixedTime(FROZEN_TIME)
      await send('Register').click()

      await page.getByRole('heading', { name: 'First steps' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/account')
      expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toBe('100 of 100')
      await page.getByText('12:00 AM (in 3 hours)').waitFor()
      expect(await look('overview')).toEqual([])
      expect(faults).toEqual([])
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByRole('heading', { name: 'What is your card worth?' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      await reader.close()
    },
    60_000,
  )

  test('is told beside the address that it is taken, and logs in with what was typed', async () => {
    const { page, email, send, fill, close, look } = await at('/register')
    await fill(emailOf('pro'))
    await send('Register').click()
    await page
      .getByText('An account with this e-mail address already exists. Log in instead.')
      .waitFor()
    expect(await email.getAttribute('aria-invalid')).toBe('true')
    expect(await email.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await look('register-taken')).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    expect(await email.inputValue()).toBe(emailOf('pro'))
    await send('Log in').click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    await close()
  }, 30_000)

  test('is told what a password must be', async () => {
    const { page, password, send, fill, close } = await at('/register')
    await fill('short@readers.example', 'seven77')
    await send('Register').click()
    await page.getByRole('alert').filter({ hasText: 'at least 8 characters' }).waitFor()
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    await close()
  }, 30_000)

  test('is told that the password is wrong, and then when to try again', async () => {
    const { page, password, send, fill, close, look } = await at('/login')
    await page.clock.setFixedTime(FROZEN_TIME)
    await fill(emailOf('starter'), 'not the password')
    await send('Log in').click()
    await page.getByText('Wrong e-mail address or password.').waitFor()
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    expect(await password.inputValue()).toBe('not the password')
    expect(await look('login-wrong')).toEqual([])
    await send('Log in').click()
    const told = page.getByRole('alert').filter({ hasText: 'Too many attempts.' })
    await told.waitFor()
    expect(await told.textContent()).toContain('You can try again in 15 minutes, at 9:45 PM.')
    expect(await look('login-limit')).toEqual([])
    await close()
  }, 30_000)

  test('is logged in after a service that does not answer, with one click more', async () => {
    const { page, send, fill, close } = await at('/login')
    await fill(emailOf('hobby'))
    await page.route('**/v1/auth/login', (route) => route.abort(), { times: 1 })
    await send('Log in').click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await send('Log in').click()
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Your account' }))
    await close()
  }, 30_000)

  test('comes from the page of payments and goes back to it', async () => {
    const { page, send, fill, close } = await at('/billing')
    await page.getByRole('link', { name: 'Log in' }).click()
    await fill(emailOf('business'))
    await send('Log in').click()
    await page.waitForURL('**/billing')
    await expectVisible(page.getByRole('heading', { name: 'Business tier' }))
    await close()
  }, 30_000)

  test('is not led to another server', async () => {
    const { page, send, fill, faults, close } = await at('/login?to=/.//elsewhere.example/')
    await fill(emailOf('business'))
    await send('Log in').click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect(new URL(page.url()).origin).toBe(testServer.url)
    expect(faults).toEqual([])
    await close()
  }, 30_000)
})

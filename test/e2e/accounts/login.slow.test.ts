// Browser tests of registration and login.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createInvitation } from '#actions/accounts/manage-invitations.ts'
import {
  describeInBrowser,
  expectFocused,
  expectUrl,
  expectVisible,
  openBrowserUser,
  SCREENS,
  type Screen,
  testEachScreen,
} from '../../support/browser.ts'
import { emailOf, FROZEN_TIME, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

describeInBrowser('login', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer({ env: { LOGIN_FAILURES_PER_EMAIL_AND_IP: '1' } })
  })
  afterAll(() => testServer.close())

  async function at(path: string, screen: Screen = SCREENS[2]) {
    const user = await openBrowserUser(testServer.url, screen)
    const { page } = user
    await page.goto(path)
    const email = page.getByLabel('E-mail')
    const password = page.getByLabel('Password', { exact: true })
    const send = (name: 'Log in' | 'Create account') =>
      page.getByRole('main').getByRole('button', { name })
    return {
      ...user,
      email,
      password,
      send,
      async fill(address: string, word = PASSWORD): Promise<void> {
        await email.fill(address)
        await password.fill(word)
      },
    }
  }

  testEachScreen(
    'redirects to the requested page and shows the first steps: %s',
    async (name, screen) => {
      const user = await at('/account', screen)
      const { page, problems, send, inspect } = user
      await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
      await expectUrl(page, ({ searchParams }) => searchParams.get('to') === '/account')
      expect(await inspect('login')).toEqual([])

      await page.getByRole('main').getByRole('link', { name: 'Create account' }).click()
      await page.getByRole('heading', { level: 1, name: 'Create account' }).waitFor()
      await user.fill(`${name.replaceAll(/\W+/g, '-')}@readers.example`)
      await page.getByRole('button', { name: 'Show password' }).click()
      expect(await user.password.getAttribute('type')).toBe('text')
      expect(await inspect('register')).toEqual([])
      await user.freezeTime(FROZEN_TIME)
      await send('Create account').click()

      await page.getByRole('heading', { name: 'First steps' }).waitFor()
      await expectUrl(page, ({ pathname }) => pathname === '/account')
      expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toBe('100 of 100')
      await page.getByText('Resets at midnight UTC (in 3 hours).').waitFor()
      expect(await inspect('overview')).toEqual([])
      expect(problems).toEqual([])
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByRole('heading', { name: 'What is your card worth?' }).waitFor()
      await expectUrl(page, ({ pathname }) => pathname === '/')
      await user.close()
    },
  )

  testEachScreen('creates an account with an invitation: %s', async (name, screen) => {
    const own = await startTestServer({ env: { REGISTRATION: 'invite' } })
    const { url } = await createInvitation(own.testApp.deps, { email: undefined, days: 1 })
    const user = await openBrowserUser(own.url, screen)
    const { page, inspect, problems } = user
    await page.goto(`/register${new URL(url).hash}`)
    const code = page.getByLabel('Invitation')
    expect(await code.inputValue()).toHaveLength(32)
    await expectUrl(page, ({ hash }) => hash === '')
    const right = await code.inputValue()
    await code.fill('wrong')
    await page.getByLabel('E-mail').fill(`${name.replaceAll(/\W+/g, '-')}@readers.example`)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    const send = page.getByRole('main').getByRole('button', { name: 'Create account' })
    await send.click()
    await page.getByText('This invitation is not valid').waitFor()
    expect(await inspect('register-invited')).toEqual([])
    await code.fill(right)
    await send.click()
    await page.waitForURL('**/account/keys')
    expect(problems.filter((problem) => !problem.includes('403'))).toEqual([])
    await user.close()
    await own.close()
  })

  testEachScreen('explains that registration is closed: %s', async (_name, screen) => {
    const own = await startTestServer({ env: { REGISTRATION: 'closed' } })
    const user = await openBrowserUser(own.url, screen)
    await user.page.goto('/register')
    await user.page.getByRole('heading', { level: 1, name: 'Registration is closed' }).waitFor()
    expect(await user.inspect('register-closed')).toEqual([])
    await user.closeClean()
    await own.close()
  })

  test('reports a taken e-mail, and the same input logs in', async () => {
    const { page, email, send, fill, close, inspect } = await at('/register')
    await fill(emailOf('pro'))
    await send('Create account').click()
    await page.getByText('This e-mail already has an account.').waitFor()
    expect(await email.getAttribute('aria-invalid')).toBe('true')
    await expectFocused(email)
    expect(await inspect('register-taken')).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    expect(await email.inputValue()).toBe(emailOf('pro'))
    await send('Log in').click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    await close()
  })

  testEachScreen(
    'marks empty fields with their labels, and sends nothing: %s',
    async (_, screen) => {
      const { page, email, password, send, close, inspect } = await at('/login', screen)
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(request.url())
      })
      await password.fill(PASSWORD)
      await send('Log in').click()
      await page.getByRole('alert').filter({ hasText: 'E-mail is required.' }).waitFor()
      await expectFocused(email)
      expect(await email.getAttribute('aria-invalid')).toBe('true')
      expect(await password.getAttribute('aria-invalid')).toBeNull()
      await password.fill('')
      await send('Log in').click()
      await page.getByRole('alert').filter({ hasText: 'Password is required.' }).waitFor()
      expect(await inspect('login-empty')).toEqual([])
      await email.fill('a')
      expect(await page.getByRole('alert').allTextContents()).toEqual(['Password is required.'])
      expect(sent).toEqual([])
      await close()
    },
  )

  test('reports a password that is too short', async () => {
    const { page, password, send, fill, close } = await at('/register')
    await fill('short@readers.example', 'seven77')
    await send('Create account').click()
    await page.getByRole('alert').filter({ hasText: 'Use at least 8 characters.' }).waitFor()
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    await close()
  })

  test('reports a wrong password, then the rate limit', async () => {
    const { page, password, send, fill, close, inspect, freezeTime } = await at('/login')
    await freezeTime(FROZEN_TIME)
    await fill(emailOf('starter'), 'not the password')
    await send('Log in').click()
    await page.getByText('Wrong e-mail or password.').waitFor()
    expect(await password.getAttribute('aria-invalid')).toBe('true')
    expect(await password.inputValue()).toBe('not the password')
    expect(await inspect('login-wrong')).toEqual([])
    await send('Log in').click()
    const response = page.getByRole('alert').filter({ hasText: 'Too many attempts.' })
    await response.waitFor()
    expect(await response.textContent()).toContain('Try again in 15 minutes, at 9:45 PM.')
    expect(await inspect('login-limit')).toEqual([])
    await close()
  })

  test('succeeds on retry after a network error', async () => {
    const { page, send, fill, close } = await at('/login')
    await fill(emailOf('hobby'))
    await page.route('**/v1/auth/login', (route) => route.abort(), { times: 1 })
    await send('Log in').click()
    await page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).waitFor()
    await send('Log in').click()
    await expectVisible(page.getByRole('heading', { level: 1, name: 'Your account' }))
    await close()
  })

  test('returns to the billing page', async () => {
    const { page, send, fill, close } = await at('/billing')
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
    await fill(emailOf('business'))
    await send('Log in').click()
    await page.waitForURL('**/billing')
    await expectVisible(page.getByRole('heading', { name: 'Business tier' }))
    await close()
  })

  test('does not redirect to another origin', async () => {
    const { page, send, fill, closeClean } = await at('/login?to=/.//elsewhere.example/')
    await fill(emailOf('business'))
    await send('Log in').click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect(new URL(page.url()).origin).toBe(testServer.url)
    await closeClean()
  })
})

// Browser tests of account management: log in with a provider, end sessions, export and delete.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openLoginProvider } from '#outbound/accounts/login-provider.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { type OidcServer, startOidcServer } from '../../support/accounts/oidc-server.ts'
import {
  describeInBrowser,
  expectUrl,
  openBrowserUser,
  SCREEN_SIZES,
  testEachScreen,
} from '../../support/browser.ts'
import { emailOf, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

describeInBrowser('an own account', () => {
  let testServer: TestServer
  let provider: OidcServer
  beforeAll(async () => {
    testServer = await startTestServer()
    provider = await startOidcServer(`${testServer.url}/auth/callback`)
    // The provider must know the address of the server, whose port is random.
    testServer.testApp.deps.loginProvider = openLoginProvider(provider.settings)
  })
  afterAll(async () => {
    await testServer.close()
    await provider.close()
  })

  testEachScreen(
    'is entered with a login provider, ends another session and is deleted: %s',
    async (name, screen) => {
      const { ledger, now } = testServer.testApp.deps
      const email = `${name}@provider.example`
      provider.become({ sub: name, email, email_verified: true })
      const user = await openBrowserUser(testServer.url, screen)
      const { page, inspect } = user
      await page.goto('/account/security')
      await page.getByRole('button', { name: 'Log in with Example Login' }).waitFor()
      expect(await inspect('login with provider')).toEqual([])
      await page.getByRole('button', { name: 'Log in with Example Login' }).click()
      await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor()
      await page.getByText('This account has no password.').waitFor()

      const account = await ledger.accounts.getByEmail(email)
      if (account === undefined) throw new Error('no account was created')
      await ledger.sessions.create({
        account_id: account.id,
        password_hash: '',
        token_hash: hashSecret(name),
        replaces: undefined,
        now: now(),
        address: 'test',
        origin: { browser: 'Firefox on Windows', network: '203.0.113.0/24' },
      })
      await page.reload()
      const sessions = page.getByRole('region', { name: 'Sessions' })
      await sessions.getByText('from 203.0.113.0/24').waitFor()
      expect(await inspect('security')).toEqual([])
      await sessions.getByRole('button', { name: 'End the session of Firefox on Windows' }).click()
      await sessions.getByText('from 203.0.113.0/24').waitFor({ state: 'detached' })
      expect(await ledger.sessions.list(account.id)).toHaveLength(1)

      const file = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export my data' }).click()
      expect((await file).suggestedFilename()).toBe('cardstock-account.json')

      await page.getByRole('button', { name: 'Delete account' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('E-mail of this account').fill('nobody@provider.example')
      await dialog.getByRole('button', { name: 'Delete account' }).click()
      await dialog.getByText('This is not the e-mail of this account.').waitFor()
      expect(await inspect('delete account')).toEqual([])
      await dialog.getByLabel('E-mail of this account').fill(email)
      await dialog.getByRole('button', { name: 'Delete account' }).click()
      await page.getByRole('heading', { name: 'What is your card worth?' }).waitFor()
      expect((await ledger.accounts.getById(account.id))?.email).toBe(
        `deleted account ${account.id}`,
      )
      await page.goto('/account')
      await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
      await user.close()
    },
  )

  test('gets a new password by mail', async () => {
    const mail = Promise.withResolvers<string>()
    testServer.testApp.deps.mailer = {
      host: 'mail.example:587',
      async send({ text }) {
        mail.resolve(text)
        return { kind: 'sent' }
      },
    }
    const user = await openBrowserUser(testServer.url, SCREEN_SIZES[0])
    const { page, inspect } = user
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail').fill(emailOf('hobby'))
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByText('a mail is on its way').waitFor()
    expect(await inspect('forgot password')).toEqual([])
    const [link = ''] = /^http.*$/m.exec(await mail.promise) ?? []
    await page.goto('/')
    await page.goto(new URL(link).pathname + new URL(link).hash)
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    await expectUrl(page, ({ hash }) => hash === '')
    expect(await inspect('new password')).toEqual([])
    const password = 'a new sentence of words'
    await page.getByRole('textbox', { name: 'New password' }).fill(password)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('Your password was changed.').waitFor()
    await page.getByLabel('E-mail').fill(emailOf('hobby'))
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL('**/account')
    await user.close()
  })

  test('of the same e-mail is linked on the security page, not by logging in', async () => {
    provider.become({ sub: 'pro', email: emailOf('pro'), email_verified: true })
    const user = await openBrowserUser(testServer.url)
    const { page } = user
    const { ledger } = testServer.testApp.deps
    const person = { issuer: provider.settings.issuer, subject: 'pro' }
    const owner = async () => (await ledger.identities.getAccount(person))?.email
    await page.goto('/login')
    await page.getByRole('button', { name: 'Log in with Example Login' }).click()
    await page.getByRole('alert').getByText('An account with this e-mail already exists').waitFor()
    await page.getByLabel('E-mail').fill(emailOf('pro'))
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('link', { name: 'Security' }).click()
    await page.getByRole('button', { name: 'Link to Example Login' }).click()
    await page.getByText('Linked to Example Login since').waitFor()
    expect(await owner()).toBe(emailOf('pro'))
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('button', { name: 'Link to Example Login' }).waitFor()
    expect(await owner()).toBeUndefined()
    await user.close()
  })
})

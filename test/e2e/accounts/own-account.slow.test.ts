// Browser tests of account management: log in with a provider, end sessions, export and delete.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createKey } from '#actions/accounts/manage-keys.ts'
import { addChannel } from '#actions/alerts/manage-channels.ts'
import { openLoginProvider } from '#outbound/accounts/login-provider.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { type OidcServer, startOidcServer } from '../../support/accounts/oidc-server.ts'
import {
  type BrowserUser,
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

  /** Lets the server send mail. @returns the text of the first mail */
  function receiveMail(): Promise<string> {
    const mail = Promise.withResolvers<string>()
    testServer.testApp.deps.mailer = {
      host: 'mail.example:587',
      async send({ text }) {
        mail.resolve(text)
        return { kind: 'sent' }
      },
    }
    return mail.promise
  }

  /** Requests a new password, and opens the link in the mail. */
  async function openResetLink({ page, inspect }: BrowserUser, email: string): Promise<void> {
    const mail = receiveMail()
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByText('a mail is on its way').waitFor()
    expect(await inspect('forgot password')).toEqual([])
    const [link = ''] = /^http.*$/m.exec(await mail) ?? []
    await page.goto('/')
    await page.goto(new URL(link).pathname + new URL(link).hash)
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor()
    await expectUrl(page, ({ hash }) => hash === '')
    expect(await inspect('new password')).toEqual([])
  }

  async function setPassword({ page }: BrowserUser, password: string): Promise<void> {
    await page.getByRole('textbox', { name: 'New password' }).fill(password)
    await page.getByRole('button', { name: 'Set the password' }).click()
  }

  test('gets a new password by mail', async () => {
    const { deps } = testServer.testApp
    const email = 'new@readers.example'
    await deps.ledger.accounts.create(
      { email, password_hash: 'none', tier: 'free' },
      { now: deps.now(), address: 'test' },
    )
    const user = await openBrowserUser(testServer.url, SCREEN_SIZES[0])
    const { page } = user
    const password = 'a new sentence of words'
    await openResetLink(user, email)
    await setPassword(user, password)
    await page.getByText('Your password was changed.').waitFor()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL('**/account')
    await user.close()
  })

  testEachScreen(
    'that a stranger has prepared is named after a reset, and ended with one button: %s',
    async (name, screen) => {
      const { deps } = testServer.testApp
      const { ledger } = deps
      const email = `victim-${name}@readers.example`
      const context = { now: deps.now(), address: 'test' }
      const created = { email, password_hash: 'none', tier: 'free' } as const
      const id = (await ledger.accounts.create(created, context))?.id ?? 0
      const token_hash = hashSecret(email)
      const begun = { account_id: id, password_hash: 'none', token_hash, replaces: undefined }
      await ledger.sessions.create({ ...begun, ...context })
      const session = await ledger.sessions.getByToken(token_hash, context.now)
      if (session === undefined) throw new Error('there is no session')
      const person = { issuer: provider.settings.issuer, subject: email }
      await ledger.identities.link(person, { session, confirmsAddress: false }, context)
      await createKey(deps, { account_id: id, address: 'test', name: 'Price list of the shop' })
      const ntfy = { kind: 'ntfy', address: 'https://ntfy.sh/alerts-of-a-stranger' } as const
      await addChannel(deps, { account_id: id, tier: 'free' }, ntfy, '192.0.2.1')

      const user = await openBrowserUser(testServer.url, screen)
      const { page, inspect } = user
      await openResetLink(user, email)
      await setPassword(user, 'a new sentence of words')
      await page.getByRole('heading', { name: 'Your password was changed' }).waitFor()
      await page.getByText('A login of another site was unlinked').waitFor()
      await page.getByText('API key “Price list of the shop”').waitFor()
      await page.getByText('ntfy ntfy.sh/alerts-of-a-stranger').waitFor()
      expect(await inspect('other access')).toEqual([])
      await page.getByRole('button', { name: 'End them all and log in' }).click()
      await page.waitForURL('**/account')
      expect(await ledger.accountAccess.listKeys(id)).toEqual([])
      expect(await ledger.accountAccess.listChannels(id)).toEqual([])
      expect(await ledger.identities.getAccount(person)).toBeUndefined()
      await user.close()
    },
  )

  test('is linked once its address is confirmed, if the server sends mail', async () => {
    const { deps } = testServer.testApp
    const { ledger } = deps
    const email = 'unconfirmed@readers.example'
    const password_hash = await Bun.password.hash(PASSWORD)
    await ledger.accounts.create(
      { email, password_hash, tier: 'free' },
      { now: deps.now(), address: 'test' },
    )
    const mail = receiveMail()
    const user = await openBrowserUser(testServer.url, SCREEN_SIZES[0])
    const { page } = user
    await page.goto('/login?to=/account/security')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('button', { name: 'Link to Example Login' }).click()
    await page.getByText(`a mail with a link is on its way to ${email}`).waitFor()
    expect(await user.inspect('link unconfirmed')).toEqual([])
    const [link = ''] = /^http.*$/m.exec(await mail) ?? []
    await page.goto(new URL(link).pathname + new URL(link).hash)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText(`${email} is confirmed.`).waitFor()
    provider.become({ sub: 'unconfirmed', email: 'other@provider.example', email_verified: true })
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Link to Example Login' }).click()
    await page.getByText('Linked to Example Login since').waitFor()
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

// Limits and order of mails to an address, on two servers with one ledger.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createInvitation } from '#actions/accounts/manage-invitations.ts'
import { loginPlace } from '#actions/accounts/manage-sessions.ts'
import type { Mailer, MailMessage, MailOutcome } from '#outbound/mail/mailer.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, emailOf, PASSWORD, type TestApp } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'

const HOME = '192.0.2.7'
const MAIL = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'cards@shop.example' }
const NEW_PASSWORD = 'a new sentence of words'
const HOUR_MS = 3_600_000

type Sent = MailMessage & { answer: (outcome: MailOutcome) => void }

describe.each(LEDGERS)('mails with a link, on %s', (_name, create) => {
  let ledgers: TestLedgers
  let mails: Sent[]
  let isPatient: boolean
  beforeEach(async () => {
    ledgers = await create()
    mails = []
    isPatient = false
  })
  afterEach(() => ledgers.close())

  /** Accepts each mail, or waits for the test to do it. */
  const mailer: Mailer = {
    host: 'mail.example:587',
    send(message) {
      const { promise, resolve } = Promise.withResolvers<MailOutcome>()
      mails.push({ ...message, answer: resolve })
      if (!isPatient) resolve({ kind: 'sent' })
      return promise
    },
  }

  const openServer = (env: Record<string, string> = {}) =>
    createTestApp({ env: { ...MAIL, TRUST_PROXY: '1', ...env }, ledger: ledgers.open(), mailer })

  async function openServers(): Promise<[TestApp, TestApp]> {
    return [await openServer(), await openServer()]
  }

  const post = (server: TestApp, path: string, json: object, address: string) =>
    server.client.post(path, json, { headers: { 'x-forwarded-for': address } })

  const requestReset = async (server: TestApp, email: string, address: string) =>
    (await post(server, '/v1/auth/reset', { email }, address)).status

  const stranger = (index: number) => `203.0.113.${index}`

  /** Logs an account in from a network, without a password. */
  async function logIn({ accountId, deps }: TestApp, address: string): Promise<void> {
    const account_id = await accountId('pro')
    const account = await deps.ledger.accounts.getById(account_id)
    const created = await deps.ledger.sessions.create({
      account_id,
      password_hash: account?.password_hash ?? '',
      token_hash: hashSecret(address),
      replaces: undefined,
      now: deps.now(),
      address,
      place: loginPlace(deps, account_id, address),
    })
    expect(created).toBe(true)
  }

  /** Waits for the mail of another account, and returns the number of mails to an address. */
  async function countMails(server: TestApp, to: string): Promise<number> {
    expect(await requestReset(server, emailOf('hobby'), stranger(250))).toBe(202)
    await waitFor(() => mails.some((mail) => mail.to === emailOf('hobby')))
    mails = mails.filter((mail) => mail.to !== emailOf('hobby'))
    return mails.filter((mail) => mail.to === to).length
  }

  const tokenOf = ({ text }: MailMessage) => /#token=([\w-]{43})/.exec(text)?.[1] ?? ''

  test('are five an hour for all places together, and two more for one where the account has logged in', async () => {
    const [first, second] = await openServers()
    const email = emailOf('pro')
    await logIn(first, HOME)
    for (let index = 0; index < 5; index++) {
      expect(await requestReset(index % 2 ? first : second, email, stranger(index))).toBe(202)
    }
    await waitFor(() => mails.length === 5)
    // No mail follows the equal response at an unknown place.
    const statuses: unknown[] = []
    for (const server of [first, second, first]) {
      const [known, unknown] = [
        await post(server, '/v1/auth/reset', { email }, HOME),
        await post(server, '/v1/auth/reset', { email }, stranger(99)),
      ]
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
      statuses.push(known.status)
    }
    expect(statuses).toEqual([202, 202, 429])
    await waitFor(() => mails.length === 7)
    expect(await countMails(second, email)).toBe(7)
    for (const server of [first, second]) server.advance(HOUR_MS)
    expect(await requestReset(second, email, stranger(1))).toBe(202)
  })

  test('reach the owner although others use up the limit of the network, with the response of all', async () => {
    const [first, second] = await openServers()
    const email = emailOf('pro')
    await logIn(first, HOME)
    for (let index = 0; index < 30; index++) {
      const made = `${index}@letters.example`
      expect(await requestReset(index % 2 ? first : second, made, HOME)).toBe(202)
    }
    for (const server of [first, second, first]) {
      const [known, unknown] = [
        await post(server, '/v1/auth/reset', { email }, HOME),
        await post(server, '/v1/auth/reset', { email: emailOf('starter') }, HOME),
      ]
      expectRefusal(known, 429, 'TOO_MANY_ATTEMPTS')
      expect(known.text).toBe(unknown.text)
    }
    await waitFor(() => mails.length === 2)
    expect(await countMails(second, email)).toBe(2)
    expect(mails).toHaveLength(2)
  })

  test('are counted for the mailbox, however its address is spelled', async () => {
    const [first, second] = await openServers()
    const spellings = [
      'a@bücher.example',
      'A+1@BÜCHER.example',
      'a+x+y@xn--bcher-kva.example.',
      'a+@xn--BCHER-kva.example',
      'a@bücher.EXAMPLE',
    ]
    for (const [index, email] of spellings.entries()) {
      expect(await requestReset(index % 2 ? first : second, email, stranger(index))).toBe(202)
    }
    for (const [index, email] of ['a+2@bücher.example', ...spellings].entries()) {
      const address = stranger(100)
      const status = await requestReset(index % 2 ? first : second, email, address)
      expect(status).toBe(index < 2 ? 202 : 429)
    }
    expect(await requestReset(first, 'b@bücher.example', stranger(100))).toBe(202)
  })

  test('that confirm a new account count for its mailbox and its network', async () => {
    const server = await openServer({ REQUIRE_CONFIRMED_EMAIL: 'true' })
    const register = async (email: string, address: string) =>
      (await post(server, '/v1/auth/register', { email, password: PASSWORD }, address)).status
    for (let index = 0; index < 5; index++) {
      expect(await register(`ada+${index}@letters.example`, stranger(index))).toBe(201)
    }
    expect(await register('ada@letters.example', stranger(9))).toBe(429)
    await waitFor(() => mails.length === 5)
    for (let index = 0; index < 30; index++) {
      expect(await register(`bob${index}@letters.example`, HOME)).toBe(201)
    }
    expect(await register('bob@letters.example', HOME)).toBe(429)
    expect(await server.deps.ledger.accounts.getByEmail('bob@letters.example')).toBeUndefined()
    await waitFor(() => mails.length === 35)
  })

  test('go to no address that a mail client would change', async () => {
    const server = await openServer()
    const session = await server.createSession('business')
    for (const email of ['<ada@letters.example>', 'ada@letters.example>', 'grp:ada@x;', '(c)a@x']) {
      const requests: [path: string, json: object][] = [
        ['/v1/auth/register', { email, password: PASSWORD }],
        ['/v1/auth/reset', { email }],
        ['/v1/auth/confirmation', { email }],
        ['/v1/channels', { kind: 'email', address: email }],
      ]
      for (const [path, json] of requests) {
        const options = path === '/v1/channels' ? { session } : {}
        expectRefusal(await server.client.post(path, json, options), 400, 'VALIDATION_ERROR')
      }
      const invitation = createInvitation(server.deps, { email, days: 1 })
      await expect(invitation).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
  })

  test('that confirm channels are three a day for the mailbox', async () => {
    const server = await openServer()
    const session = await server.createSession('business')
    const add = async (address: string) => {
      const json = { kind: 'email', address }
      const { status } = await server.client.post('/v1/channels', json, { session })
      return status
    }
    const spellings = ['ada@letters.example', 'ada+1@letters.example', 'Ada+2@LETTERS.example']
    for (const address of spellings) expect(await add(address)).toBe(201)
    expect(await add('ada+3@letters.example')).toBe(429)
    expect(await add('bob@letters.example')).toBe(201)
  })

  test('that confirm a channel reach the owner of the mailbox although strangers use up its limit', async () => {
    const [first, second] = await openServers()
    const email = emailOf('pro')
    const [owner, other] = [await first.createSession('pro'), await first.createSession('business')]
    const add = async (server: TestApp, session: string, address: string, from: string) => {
      const headers = { 'x-forwarded-for': from }
      const json = { kind: 'email', address }
      return (await server.client.post('/v1/channels', json, { session, headers })).status
    }
    for (let index = 0; index < 3; index++) {
      const server = index % 2 ? first : second
      expect(await add(server, other, email, stranger(index))).toBe(201)
    }
    await logIn(first, HOME)
    expect(await add(first, owner, email, stranger(9))).toBe(429)
    expect(await add(first, other, email, HOME)).toBe(429)
    expect(await add(first, owner, emailOf('business'), HOME)).toBe(201)
    const own: number[] = []
    for (const server of [first, second, first]) own.push(await add(server, owner, email, HOME))
    expect(own).toEqual([201, 201, 429])
    // They count as mails to the mailbox from this place.
    for (let index = 0; index < 5; index++) {
      expect(await requestReset(second, email, stranger(index))).toBe(202)
    }
    expect(await requestReset(second, email, HOME)).toBe(429)
  })

  test('are sent to an account one after another, so that the last one holds a link that works', async () => {
    const server = await openServer()
    const email = emailOf('pro')
    isPatient = true
    for (let sent = 0; sent < 3; sent++) expect(await requestReset(server, email, HOME)).toBe(202)
    expect(await requestReset(server, emailOf('starter'), HOME)).toBe(202)
    // The mail of another account does not wait.
    await waitFor(() => mails.length === 2)
    for (const count of [2, 3, 4]) {
      await waitFor(() => mails.length === count)
      expect(mails.filter(({ to }) => to === email)).toHaveLength(count - 1)
      mails
        .filter(({ to }) => to === email)
        .at(-1)
        ?.answer({ kind: 'sent' })
    }
    const tokens = mails.filter(({ to }) => to === email).map(tokenOf)
    const use = (token: string) =>
      post(server, '/v1/auth/reset/password', { token, new_password: NEW_PASSWORD }, HOME)
    const [oldest = '', older = '', newest = ''] = tokens
    expectRefusal(await use(oldest), 404, 'LINK_INVALID')
    expect((await use(newest)).status).toBe(200)
    expectRefusal(await use(older), 404, 'LINK_INVALID')
  })
})

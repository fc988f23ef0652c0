import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createLinkQueue, requestPasswordReset } from '#actions/accounts/mail-links.ts'
import type { Mailer } from '#outbound/mail/mailer.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { createTestApp, emailOf, FROZEN_TIME } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'

const now = new Date(FROZEN_TIME)
const email = emailOf('pro')

describe.each(LEDGERS)('mails of several servers on %s', (_name, create) => {
  let ledgers: TestLedgers
  beforeEach(async () => {
    ledgers = await create()
  })
  afterEach(() => ledgers.close())

  /** Starts a server. @param held resolves when the mail server accepts the server's first mail */
  async function startServer(arrived: string[], held: Promise<void> = Promise.resolve()) {
    const mailer: Mailer = {
      host: 'mail.example:25',
      async send({ text }) {
        await held
        arrived.push(/#token=([\w-]{43})/.exec(text)?.[1] ?? '')
        return { kind: 'sent' }
      },
    }
    const { deps } = await createTestApp()
    const server = { ...deps, ledger: ledgers.open(), mailer, now: () => now }
    const queue = createLinkQueue()
    return () => requestPasswordReset(server, queue, { email, address: '192.0.2.7' })
  }

  test('the mail that arrives last has a valid link', async () => {
    const arrived: string[] = []
    const gate = Promise.withResolvers<void>()
    const slow = await startServer(arrived, gate.promise)
    const fast = await startServer(arrived)
    const ledger = ledgers.open()
    const isValid = async (token = '') =>
      (await ledger.mailedTokens.find(hashSecret(token), 'reset', now)) === ledgers.accounts.pro
    await slow()
    await waitFor(async () => (await ledgers.all('SELECT 1 FROM mailed_tokens')).length === 1)
    await fast()
    await waitFor(() => arrived.length === 1)
    await fast()
    await waitFor(() => arrived.length === 2)
    gate.resolve()
    await waitFor(() => arrived.length === 4)
    // The third mail was overtaken by two others, so another one followed.
    expect(await Promise.all(arrived.map(isValid))).toEqual([false, true, false, true])
  })

  test('a link that was used is not replaced', async () => {
    const arrived: string[] = []
    const gate = Promise.withResolvers<void>()
    const slow = await startServer(arrived, gate.promise)
    const fast = await startServer(arrived)
    const ledger = ledgers.open()
    await slow()
    await waitFor(async () => (await ledgers.all('SELECT 1 FROM mailed_tokens')).length === 1)
    await fast()
    await waitFor(() => arrived.length === 1)
    const context = { now, address: '192.0.2.7' }
    const token_hash = hashSecret(arrived[0] ?? '')
    expect(await ledger.mailedTokens.resetPassword(token_hash, 'hash', context)).toBeDefined()
    gate.resolve()
    await waitFor(() => arrived.length === 2)
    expect(await ledgers.all('SELECT 1 FROM mailed_tokens')).toEqual([])
    expect(arrived).toHaveLength(2)
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { hashSecret } from '#rules/accounts/credentials.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { emailOf, FROZEN_TIME } from '../../support/test-app.ts'

const now = new Date(FROZEN_TIME)
const context = { now, address: '192.0.2.7' }
const ANN = { issuer: 'https://id.example', subject: 'ann' }

describe.each(LEDGERS)('logins on %s', (_name, create) => {
  let ledgers: TestLedgers
  let ledger: Ledger
  beforeEach(async () => {
    ledgers = await create()
    ledger = ledgers.open()
  })
  afterEach(() => ledgers.close())

  test('a person has one account, and an account one person of a provider', async () => {
    const { identities } = ledger
    const { pro, starter } = ledgers.accounts
    expect(await identities.register(ANN, emailOf('pro').toUpperCase(), context)).toBeUndefined()
    const account = await identities.register(ANN, 'ann@example.com', context)
    expect(account).toMatchObject({ password_hash: '', email_confirmed_at: now.getTime() })
    expect(await identities.getAccount(ANN)).toEqual(account)
    expect(await identities.link(ANN, pro, context)).toBe(false)
    const bob = { ...ANN, subject: 'bob' }
    expect(await identities.link(bob, pro, context)).toBe(true)
    expect(await identities.link({ ...ANN, subject: 'eve' }, pro, context)).toBe(false)
    expect(await identities.getLinkTime(pro, ANN.issuer)).toBe(now.getTime())
    expect(await identities.unlink(starter, ANN.issuer, context)).toBe(false)
    expect(await identities.unlink(pro, ANN.issuer, context)).toBe(true)
    expect(await identities.getAccount(bob)).toBeUndefined()
  })

  test('a link works once, until it expires or a newer one is made', async () => {
    const { mailedTokens } = ledger
    const link = (token: string) => {
      const account_id = ledgers.accounts.pro
      const made = { account_id, token_hash: hashSecret(token), validMs: 1_000 }
      return mailedTokens.create({ ...made, purpose: 'reset' }, now)
    }
    const use = (token: string, ms = 0) => {
      const later = { ...context, now: new Date(now.getTime() + ms) }
      return mailedTokens.resetPassword(hashSecret(token), 'new hash', later)
    }
    await link('older')
    await link('newer')
    expect(await use('older')).toBeUndefined()
    expect(await use('newer', 1_000)).toBeUndefined()
    expect(await mailedTokens.confirmEmail(hashSecret('newer'), context)).toBeUndefined()
    expect(await use('newer', 999)).toMatchObject({ password_hash: 'new hash' })
    expect(await use('newer')).toBeUndefined()
    await link('late')
    expect(await mailedTokens.deleteExpired(now, 10)).toBe(0)
    expect(await mailedTokens.deleteExpired(new Date(now.getTime() + 1_000), 10)).toBe(1)
  })
})

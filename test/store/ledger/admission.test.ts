/** The first operator, who has a token of the setup, and the accounts without limits on a private server. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { hashSecret } from '#rules/accounts/credentials.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { emailOf, FROZEN_TIME } from '../../support/test-app.ts'

const now = new Date(FROZEN_TIME)
const context = { now, address: '192.0.2.7' }

describe.each(LEDGERS)('admission on %s', (_name, create) => {
  let ledgers: TestLedgers
  let ledger: Ledger
  beforeEach(async () => {
    ledgers = await create()
    ledger = ledgers.open()
  })
  afterEach(() => ledgers.close())

  test('tokens of the setup are valid on all servers until one of them has made an operator', async () => {
    const servers = [ledger, ledgers.open(), ledgers.open()]
    const hashes = servers.map((_, index) => hashSecret(`token ${index}`))
    for (const [index, server] of servers.entries()) {
      expect(await server.setupTokens.create(hashes[index] ?? hashSecret(''), now)).toBe(true)
    }
    const isValid = () => Promise.all(hashes.map((hash) => ledger.setupTokens.isValid(hash)))
    const owner = { password_hash: 'hash', tier: 'business' } as const
    const become = (email: string, hash: Uint8Array | undefined, server = ledger) =>
      server.accounts.createFirstOperator({ ...owner, email }, context, hash)
    expect(await become('owner@shop.example', hashSecret('unknown'))).toBe('no token')
    expect(await become(emailOf('pro'), hashes[0])).toBeUndefined()
    expect(await isValid()).toEqual([true, true, true])

    const made = await Promise.all(
      servers.map((server, index) => become(`owner${index}@shop.example`, hashes[index], server)),
    )
    const operators = made.flatMap((one) => (typeof one === 'object' ? one : []))
    expect(operators).toHaveLength(1)
    expect(made.filter((one) => one === 'has operator')).toHaveLength(2)
    expect(await isValid()).toEqual([false, false, false])
    expect(await ledger.setupTokens.create(hashSecret('late'), now)).toBe(false)

    for (const { id, created_at } of operators) {
      await ledger.accountDeletions.erase({ id, created_at }, now)
    }
    expect(await ledger.accounts.getOperator()).toBeUndefined()
    for (const hash of hashes) expect(await become('again@shop.example', hash)).toBe('no token')
    expect(await ledger.setupTokens.create(hashSecret('next start'), now)).toBe(true)
    await ledger.settings.put({ setup: 'finished' }, now)
    expect(await ledger.setupTokens.isValid(hashSecret('next start'))).toBe(false)
    expect(await become('again@shop.example', hashSecret('next start'))).toBe('no token')
    expect(await ledger.setupTokens.create(hashSecret('after the end'), now)).toBe(false)
    // The command line needs no token.
    expect(await become('again@shop.example', undefined)).toMatchObject({ is_operator: true })
  })

  test('an operator whom the command line makes ends all tokens of the setup', async () => {
    await ledger.setupTokens.create(hashSecret('token'), now)
    await ledger.accounts.updateOperator(emailOf('pro'), true, context)
    await ledger.accounts.updateOperator(emailOf('pro'), false, context)
    expect(await ledger.setupTokens.isValid(hashSecret('token'))).toBe(false)
  })

  test('accounts are admitted by the operator, an invitation or the provider', async () => {
    const { accounts, invitations, keys } = ledger
    const invited = { email: 'invited@shop.example', password_hash: 'hash', tier: 'free' } as const
    const self =
      (await accounts.create({ ...invited, email: 'self@shop.example' }, context))?.id ?? 0
    const code_hash = hashSecret('code')
    await invitations.create({ code_hash, email: null, validMs: 1_000 }, now)
    expect(await accounts.createInvited(invited, context, code_hash)).toMatchObject({
      tier: 'free',
    })
    const ann = { issuer: 'https://id.example', subject: 'ann' }
    await ledger.identities.register(ann, 'ann@example.com', context)
    await accounts.create({ ...invited, email: 'made@shop.example' }, { now, address: undefined })
    const listed = async () => (await accounts.listRegistered(10)).map(({ id }) => id)
    expect(await listed()).toEqual([self])

    const key = { id: 'key', account_id: self, name: 'key', key_hash: hashSecret('key') }
    await keys.create({ ...key, key_prefix: 'tcg_live_', last4: 'abcd' }, 25, context)
    const isAdmitted = async () => (await keys.getOwner(hashSecret('key')))?.is_admitted
    const token_hash = hashSecret('session')
    const begun = { account_id: self, password_hash: 'hash', token_hash, replaces: undefined }
    await ledger.sessions.create({ ...begun, ...context })
    const session = async () => ledger.sessions.getByToken(token_hash, now)
    expect([(await session())?.is_admitted, await isAdmitted()]).toEqual([false, false])
    expect(await accounts.getScans(self)).toMatchObject({ is_admitted: false })
    const [before] = await ledgers.all<{ version: number }>('SELECT version FROM access_version')
    await accounts.updateOperator('self@shop.example', true, context)
    const [after] = await ledgers.all<{ version: number }>('SELECT version FROM access_version')
    // Servers look cached keys up again.
    expect(Number(after?.version)).toBeGreaterThan(Number(before?.version))
    expect([await isAdmitted(), await listed()]).toEqual([true, []])
    expect(await session()).toMatchObject({ is_admitted: true, is_operator: true })
    expect(await accounts.getScans(self)).toMatchObject({ is_admitted: true })
  })
})

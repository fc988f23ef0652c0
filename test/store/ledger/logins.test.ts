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

  /** Logs an account in. @returns its session, which may add a login */
  async function ownerOf(account_id: number, confirmsAddress = false) {
    const token_hash = hashSecret(crypto.randomUUID())
    const { password_hash = '' } = (await ledger.accounts.getById(account_id)) ?? {}
    const begun = { account_id, password_hash, token_hash, replaces: undefined }
    expect(await ledger.sessions.create({ ...begun, ...context })).toBe(true)
    const session = await ledger.sessions.getByToken(token_hash, now)
    if (session === undefined) throw new Error('there is no session')
    return { session, confirmsAddress }
  }

  const at = (ms: number) => ({ ...context, now: new Date(now.getTime() + ms) })

  /** Registers an account, as anybody can with any address. */
  async function register(email: string): Promise<number> {
    const account = { email, password_hash: 'of a stranger', tier: 'free' } as const
    return (await ledger.accounts.create(account, context))?.id ?? 0
  }

  /** Uses a link in a mail to the address of an account. */
  async function useLink(account_id: number, purpose: 'reset' | 'confirm', ms: number) {
    const token_hash = hashSecret(`${purpose} ${ms}`)
    const link = { account_id, purpose, token_hash, validMs: 1_000 }
    await ledger.mailedTokens.create(link, at(ms).now)
    return purpose === 'reset'
      ? ledger.mailedTokens.resetPassword(token_hash, `hash ${ms}`, at(ms))
      : ledger.mailedTokens.confirmEmail(token_hash, at(ms))
  }

  test('a person has one account, and an account one person of a provider', async () => {
    const { identities } = ledger
    const { pro, starter } = ledgers.accounts
    expect(await identities.register(ANN, emailOf('pro').toUpperCase(), context)).toBeUndefined()
    const account = await identities.register(ANN, 'ann@example.com', context)
    expect(account).toMatchObject({ password_hash: '', email_confirmed_at: now.getTime() })
    expect(await identities.getAccount(ANN)).toEqual(account)
    const link = async (subject: string) =>
      identities.link({ ...ANN, subject }, await ownerOf(pro), context)
    expect(await link('ann')).toBe('taken')
    const bob = { ...ANN, subject: 'bob' }
    expect(await link('bob')).toBe('linked')
    expect(await link('eve')).toBe('taken')
    expect(await identities.getLinkTime(pro, ANN.issuer)).toBe(now.getTime())
    expect(await identities.unlink(starter, ANN.issuer, context)).toBe(false)
    expect(await identities.unlink(pro, ANN.issuer, context)).toBe(true)
    expect(await identities.getAccount(bob)).toBeUndefined()
  })

  test('the last two links work until they expire or one of them is used', async () => {
    const { mailedTokens } = ledger
    const link = (token: string, purpose: 'reset' | 'confirm' = 'reset') => {
      const account_id = ledgers.accounts.pro
      const made = { account_id, token_hash: hashSecret(token), validMs: 1_000 }
      return mailedTokens.create({ ...made, purpose }, now)
    }
    const use = (token: string, ms = 0) => {
      const later = { ...context, now: new Date(now.getTime() + ms) }
      return mailedTokens.resetPassword(hashSecret(token), 'new hash', later)
    }
    const find = (token: string, ms = 0) =>
      mailedTokens.find(hashSecret(token), 'reset', new Date(now.getTime() + ms))
    await link('confirming', 'confirm')
    for (const token of ['oldest', 'older', 'newer']) await link(token)
    expect([await use('oldest'), await find('oldest')]).toEqual([undefined, undefined])
    expect(await use('newer', 1_000)).toBeUndefined()
    expect(await find('older', 1_000)).toBeUndefined()
    expect(await mailedTokens.confirmEmail(hashSecret('newer'), context)).toBeUndefined()
    expect([await find('older'), await find('newer')]).toEqual([
      ledgers.accounts.pro,
      ledgers.accounts.pro,
    ])
    expect(await use('older', 999)).toMatchObject({ account: { password_hash: 'new hash' } })
    expect([await use('older'), await use('newer')]).toEqual([undefined, undefined])
    expect(await mailedTokens.confirmEmail(hashSecret('confirming'), context)).toBeDefined()
    await link('late')
    expect(await mailedTokens.deleteExpired(now, 10)).toBe(0)
    expect(await mailedTokens.deleteExpired(new Date(now.getTime() + 1_000), 10)).toBe(1)
  })

  test('of two links that are used at once on two servers, one works', async () => {
    const other = ledgers.open()
    const account_id = ledgers.accounts.pro
    for (const token of ['older', 'newer']) {
      const made = { account_id, token_hash: hashSecret(token), validMs: 1_000 }
      await ledger.mailedTokens.create({ ...made, purpose: 'reset' }, now)
    }
    const used = await Promise.all([
      ledger.mailedTokens.resetPassword(hashSecret('older'), 'one', context),
      other.mailedTokens.resetPassword(hashSecret('newer'), 'other', context),
    ])
    expect(used.filter(Boolean)).toHaveLength(1)
  })

  test('a reset unlinks a login that is older than the first confirmation of the address', async () => {
    const { identities } = ledger
    const account_id = await register('owner@shop.example')
    expect(await identities.link(ANN, await ownerOf(account_id), context)).toBe('linked')
    expect(await useLink(account_id, 'reset', 5)).toMatchObject({ unlinked: 1 })
    expect(await identities.getAccount(ANN)).toBeUndefined()
    const [entry] = (await ledger.audit.list(10, 'owner@shop.example')).filter(
      ({ event }) => event === 'provider_unlinked',
    )
    expect(entry).toMatchObject({ detail: 'linked before the address was confirmed' })
    // From now on, only the owner of the address can add a login.
    expect(await identities.link(ANN, await ownerOf(account_id), at(6))).toBe('linked')
    expect(await useLink(account_id, 'reset', 7)).toMatchObject({ unlinked: 0 })
    expect(await identities.getAccount(ANN)).toMatchObject({ id: account_id })
  })

  test('a reset unlinks it also if the address was confirmed in between', async () => {
    const account_id = await register('owner@shop.example')
    await ledger.identities.link(ANN, await ownerOf(account_id), context)
    await useLink(account_id, 'confirm', 5)
    expect(await ledger.identities.getAccount(ANN)).toMatchObject({ id: account_id })
    expect(await useLink(account_id, 'reset', 6)).toMatchObject({ unlinked: 1 })
  })

  test.each<[string, () => Promise<number>]>([
    [
      'the provider has confirmed',
      async () => (await ledger.identities.register(ANN, 'ann@example.com', context))?.id ?? 0,
    ],
    [
      'the provider confirms when it is linked',
      async () => {
        const id = await register('ann@example.com')
        await ledger.identities.link(ANN, await ownerOf(id, true), context)
        return id
      },
    ],
    [
      'the operator has set',
      async () => {
        const { pro } = ledgers.accounts
        await ledger.identities.link(ANN, await ownerOf(pro), context)
        return pro
      },
    ],
  ])('a reset keeps the login of an account whose address %s', async (_, create) => {
    const id = await create()
    expect(await useLink(id, 'reset', 5)).toMatchObject({ unlinked: 0 })
    expect(await ledger.identities.getAccount(ANN)).toMatchObject({ id })
  })

  test('a new password by the operator unlinks it, too, but not one by the owner', async () => {
    const { accounts, identities } = ledger
    const account_id = await register('owner@shop.example')
    await identities.link(ANN, await ownerOf(account_id), context)
    const replaces = 'of a stranger'
    expect(await accounts.updatePassword(account_id, 'own', { ...context, replaces })).toBe(true)
    expect(await identities.getAccount(ANN)).toMatchObject({ id: account_id })
    expect(await accounts.updatePassword(account_id, 'new', { now, address: undefined })).toBe(true)
    expect(await identities.getAccount(ANN)).toBeUndefined()
  })

  test('a session that has ended while the provider responded links nothing', async () => {
    const account_id = await register('owner@shop.example')
    const owner = await ownerOf(account_id)
    await useLink(account_id, 'reset', 5)
    expect(await ledger.identities.link(ANN, owner, at(6))).toBe('ended')
    expect(await ledger.identities.getAccount(ANN)).toBeUndefined()
  })

  test('all keys, channels, webhooks and links of an account end at once, and of no other', async () => {
    const { pro, starter } = ledgers.accounts
    const { accountAccess, identities } = ledger
    for (const [index, account_id] of [pro, starter].entries()) {
      const id = `key ${index}`
      const key = { id, account_id, name: id, key_hash: hashSecret(id), key_prefix: 'tcg_live_' }
      await ledger.keys.create({ ...key, last4: 'abcd' }, 25, context)
      const channel = { account_id, secret: hashSecret('sealed'), host: 'a.example' }
      const ntfy = { ...channel, kind: 'ntfy' as const, address_hash: hashSecret('address') }
      await ledger.channels.create({ ...ntfy, id: `ch_${index}`, confirmed_at: 0 }, 3, now)
      const rule = { card_id: 1, printing: null, condition: 'above', threshold: 1 } as const
      const webhook = { ...rule, ...channel, url: 'https://a.example/hook', id: `wh_${index}` }
      await ledger.webhooks.create({ ...webhook, min_confidence: 'low' }, 100, context)
      await identities.link({ ...ANN, subject: id }, await ownerOf(account_id), context)
      const collection = { id: `col_${index}`, account_id }
      await ledger.lists.create({ ...collection, kind: 'owned', name: 'Box' }, 3, now)
      await ledger.collectionShares.create(collection, linkOf(`link ${index}`), now)
    }
    const listed = async (id: number) => [
      (await accountAccess.listKeys(id)).length,
      (await accountAccess.listChannels(id)).map(({ kind }) => kind).toSorted(),
      (await accountAccess.listShares(id)).map(({ name }) => name),
    ]
    // Each account of the file has a key of its own.
    const [keys = 0] = await listed(pro)
    expect(await listed(pro)).toEqual([keys, ['ntfy', 'webhook'], ['Box']])
    const ended = await accountAccess.end(pro, context)
    expect(ended).toEqual({ keys: Number(keys), channels: 2, shares: 1, logins: 1 })
    expect(await listed(pro)).toEqual([0, [], []])
    expect((await ledger.webhooks.list({ account_id: pro })).rows).toEqual([])
    expect(await ledger.keys.getOwner(hashSecret('key 0'))).toMatchObject({ is_active: false })
    expect(await listed(starter)).toEqual([keys, ['ntfy', 'webhook'], ['Box']])
    expect(await identities.getAccount({ ...ANN, subject: 'key 1' })).toMatchObject({ id: starter })
    expect(await ledger.collectionShares.getByToken(hashSecret('link 0'))).toBeUndefined()
    expect(await ledger.collectionShares.getByToken(hashSecret('link 1'))).toBeDefined()
    const events = (await ledger.audit.list(Number(keys) + 2)).map(({ event }) => event)
    expect(new Set(events)).toEqual(
      new Set(['key_revoked', 'webhook_deleted', 'provider_unlinked']),
    )
    expect(await accountAccess.end(pro, context)).toEqual({
      keys: 0,
      channels: 0,
      shares: 0,
      logins: 0,
    })
  })

  test('the only login of an account without a password is kept', async () => {
    const ann = await ledger.identities.register(ANN, 'ann@example.com', context)
    const ended = await ledger.accountAccess.end(ann?.id ?? 0, context)
    expect(ended).toEqual({ keys: 0, channels: 0, shares: 0, logins: 0 })
    expect(await ledger.identities.getAccount(ANN)).toMatchObject({ id: ann?.id })
  })
})

function linkOf(token: string) {
  return { token_hash: hashSecret(token), sealed_token: Buffer.from(token) }
}

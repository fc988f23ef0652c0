import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { authenticateSession } from '#actions/accounts/manage-sessions.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import type { Session } from '#store/ledger/sessions.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { purge } from '../../support/ledger/purge.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

const DAY_MS = 86_400_000
const address = '192.0.2.7'

describe.each(LEDGERS)('sessions on %s', (_name, create) => {
  let ledgers: TestLedgers
  let ledger: Ledger
  let clock: number

  beforeEach(async () => {
    ledgers = await create()
    ledger = ledgers.open()
    clock = Date.parse(FROZEN_TIME)
  })
  afterEach(() => ledgers.close())

  const now = () => new Date(clock)

  const begin = async (token: string, account_id = ledgers.accounts.pro, replaces?: number) => {
    const account = await ledger.accounts.getById(account_id)
    return ledger.sessions.create({
      account_id,
      password_hash: account?.password_hash ?? '',
      token_hash: hashSecret(token),
      replaces,
      now: now(),
      address,
    })
  }

  const authenticate = (token: string) =>
    authenticateSession({ config: { hasLimits: true }, ledger, now }, token)

  async function held(token: string): Promise<Session> {
    const session = await authenticate(token)
    if (session === undefined) throw new Error(`no session has the token ${token}`)
    return session
  }

  const end = async (token: string, all = false) =>
    ledger.sessions.delete(await held(token), { all, now: now(), address })

  describe('a session', () => {
    test('is found by its token only, with its account', async () => {
      await begin('token')
      expect(await authenticate('token')).toMatchObject({
        account_id: ledgers.accounts.pro,
        email: 'pro@guests.example',
        tier: 'pro',
        created_at: clock,
        last_seen_at: clock,
      })
      for (const wrong of ['', 'tokem', 'TOKEN', 'token '])
        expect(await authenticate(wrong)).toBeUndefined()
    })

    test('ends exactly a week after its last use', async () => {
      await begin('token')
      clock += 7 * DAY_MS - 1
      expect(await authenticate('token')).toBeDefined()
      await begin('other')
      clock += 7 * DAY_MS
      expect(await authenticate('other')).toBeUndefined()
    })

    test('ends after 30 days, however often it is used', async () => {
      await begin('token')
      for (let hour = 1; hour < 30 * 24; hour++) {
        clock += 3_600_000
        expect(await authenticate('token')).toBeDefined()
      }
      clock += 3_600_000
      expect(await authenticate('token')).toBeUndefined()
    })

    test('stores its last use at most every five minutes', async () => {
      await begin('token')
      const seen = async () => (await ledger.sessions.list(ledgers.accounts.pro))[0]?.last_seen_at
      const started = clock
      clock += 299_999
      await authenticate('token')
      expect(await seen()).toBe(started)
      clock += 1
      await authenticate('token')
      expect(await seen()).toBe(clock)
    })

    test('survives a clock that is set back', async () => {
      await begin('token')
      clock -= 3 * DAY_MS
      expect(await authenticate('token')).toBeDefined()
    })

    test('has the current tier of its account', async () => {
      await begin('token')
      const context = { now: now(), address: undefined }
      await ledger.accounts.updateTier('pro@guests.example', 'free', context)
      expect(await authenticate('token')).toMatchObject({ tier: 'free' })
    })

    test('can end alone, and leaves all other sessions', async () => {
      for (const token of ['one', 'two']) await begin(token)
      await begin('other', ledgers.accounts.free)
      await end('one')
      expect(await authenticate('one')).toBeUndefined()
      expect(await authenticate('two')).toBeDefined()
      await end('two', true)
      expect(await ledger.sessions.list(ledgers.accounts.pro)).toEqual([])
      expect(await authenticate('other')).toBeDefined()
    })

    test('has an id that is never reused', async () => {
      await begin('first')
      const first = await held('first')
      await end('first')
      await begin('second', ledgers.accounts.free)
      // Like a request that began before the first session ended.
      await ledger.sessions.delete(first, { all: false, now: now(), address })
      await begin('third', ledgers.accounts.pro, first.id)
      expect(await authenticate('second')).toBeDefined()
    })

    test('is deleted after it has ended, not before', async () => {
      await begin('old')
      clock += 6 * DAY_MS
      await begin('young')
      clock += DAY_MS + 1
      await purge(ledger, now())
      expect(await ledger.sessions.list(ledgers.accounts.pro)).toHaveLength(1)
      expect(await authenticate('young')).toBeDefined()
    })
  })

  describe('of an account', () => {
    test('the twenty most recently used sessions stay', async () => {
      for (let index = 0; index < 20; index++) {
        await begin(`token ${index}`)
        clock += 600_000
      }
      await authenticate('token 0')
      for (let index = 20; index < 30; index++) {
        await begin(`token ${index}`)
        clock += 600_000
      }
      expect(await ledger.sessions.list(ledgers.accounts.pro)).toHaveLength(20)
      expect(await authenticate('token 0')).toBeDefined()
      for (let index = 1; index <= 10; index++)
        expect(await authenticate(`token ${index}`)).toBeUndefined()
      for (let index = 11; index < 30; index++)
        expect(await authenticate(`token ${index}`)).toBeDefined()
    })

    test('a new session stays even if the clock was set back', async () => {
      for (let index = 0; index < 20; index++) await begin(`token ${index}`)
      clock -= DAY_MS
      await begin('newest')
      expect(await authenticate('newest')).toBeDefined()
      expect(await ledger.sessions.list(ledgers.accounts.pro)).toHaveLength(20)
    })

    test('no session is created for an old password', async () => {
      const session = { account_id: ledgers.accounts.pro, now: now(), address, replaces: undefined }
      const token_hash = hashSecret('late')
      const before = (await ledger.accounts.getById(ledgers.accounts.pro))?.password_hash ?? ''
      const context = { now: now(), address: undefined }
      await ledger.accounts.updatePassword(ledgers.accounts.pro, 'another hash', context)
      expect(await ledger.sessions.create({ ...session, token_hash, password_hash: before })).toBe(
        false,
      )
      expect(await authenticate('late')).toBeUndefined()
      const password_hash = 'another hash'
      expect(await ledger.sessions.create({ ...session, token_hash, password_hash })).toBe(true)
    })
  })
})

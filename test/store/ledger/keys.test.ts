import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createKey, getKey, listKeys, revokeKey } from '#actions/accounts/manage-keys.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { ACCESS_RECHECK_MS } from '#store/ledger/keys.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { describeOutcome } from '../../support/accounts/fast-passwords.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

describe.each(LEDGERS)('keys on %s', (name, create) => {
  let ledgers: TestLedgers
  let ledger: Ledger
  let elsewhere: Ledger
  let clock: number

  beforeEach(async () => {
    ledgers = await create()
    ledger = ledgers.open()
    elsewhere = ledgers.open()
    clock = Date.parse(FROZEN_TIME)
  })
  afterEach(() => ledgers.close())

  const now = () => new Date(clock)

  const make = (account_id = ledgers.accounts.free, name = 'Shop', at = ledger) =>
    createKey({ ledger: at, now }, { account_id, name, address: undefined })

  const revoke = (id: string) => revokeKey({ ledger, now }, { id, address: undefined })

  describe('a key', () => {
    test('is listed with everything but the key', async () => {
      const { id, key } = await make()
      const row = await getKey({ ledger, now }, ledgers.accounts.free, id)
      expect(row).toEqual({
        id,
        name: 'Shop',
        key_prefix: key.slice(0, 13),
        last4: key.slice(-4),
        is_active: true,
        created_at: clock,
        last_used_at: null,
        requests_today: 0,
        requests_total: 0,
      })
    })

    test('that is deactivated twice is logged once', async () => {
      const { id } = await make()
      for (let again = 0; again < 3; again++) await revoke(id)
      const entries = await ledger.audit.list(100, 'free@guests.example')
      expect(entries.filter(({ event }) => event === 'key_revoked')).toHaveLength(1)
    })
  })

  describe('an account', () => {
    test('has at most 25 active keys, also if two processes create many at once', async () => {
      const active = async () =>
        (await listKeys({ ledger, now }, ledgers.accounts.free)).rows.filter(
          ({ is_active }) => is_active,
        ).length
      const free = 25 - (await active())
      const made = Array.from({ length: 60 }, (_, index) =>
        describeOutcome(make(ledgers.accounts.free, 'Shop', index % 2 === 0 ? ledger : elsewhere)),
      )
      const outcomes = await Promise.all(made)
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(free)
      expect(outcomes.filter((outcome) => outcome === 'TOO_MANY_KEYS')).toHaveLength(60 - free)
      expect(await active()).toBe(25)
    })
  })

  // On PostgreSQL, versions are followed over a separate connection: postgres-versions.slow.test.ts.
  describe.if(name === 'SQLite')('the version of keys and tiers', () => {
    test('changes with a deactivated key and a tier, here and in other processes, and with nothing else', async () => {
      const { id, key } = await make()
      const context = { now: now(), address: undefined }
      const changes = async (what: () => Promise<unknown>) => {
        const before = [ledger.keys.getVersion(), elsewhere.keys.getVersion()]
        await what()
        await Bun.sleep(ACCESS_RECHECK_MS + 1)
        return [ledger.keys.getVersion(), elsewhere.keys.getVersion()].map(
          (v, at) => v !== before[at],
        )
      }
      const [all, none] = [
        [true, true],
        [false, false],
      ]
      expect(
        await changes(() => ledger.accounts.updateTier('free@guests.example', 'pro', context)),
      ).toEqual(all)
      expect(await changes(() => elsewhere.keys.deactivate(id, context))).toEqual(all)
      expect(await changes(() => ledger.keys.deactivate(id, context))).toEqual(none)
      expect(await changes(() => make())).toEqual(none)
      expect(await changes(() => ledger.keys.getOwner(hashSecret(key)))).toEqual(none)
      const used = {
        key_id: id,
        day: 20_000,
        endpoint_group: 'cards',
        requests: 1,
        last_used_at: 1,
      }
      expect(await changes(() => elsewhere.usage.add([used]))).toEqual(none)
      expect(await changes(() => ledger.accounts.updatePasswordHash(1, 'x', 'y'))).toEqual(none)
      const limit = { name: 'x', limit: { limit: 3, windowMs: 1_000 } }
      expect(await changes(() => elsewhere.attempts.consume([limit], now()))).toEqual(none)
    })

    test('changes at once on the connection that made the change', async () => {
      const { id } = await make()
      for (const tier of ['pro', 'free', 'hobby'] as const) {
        const before = ledger.keys.getVersion()
        await ledger.accounts.updateTier('free@guests.example', tier, {
          now: now(),
          address: undefined,
        })
        expect(ledger.keys.getVersion()).toBeGreaterThan(before)
      }
      const before = ledger.keys.getVersion()
      await ledger.keys.deactivate(id, { now: now(), address: undefined })
      expect(ledger.keys.getVersion()).toBeGreaterThan(before)
    })
  })
})

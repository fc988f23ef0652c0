import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { durable, openDatabase } from '#store/db.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import type { PaymentClaim } from '#store/ledger/photo-payments.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { createLedgerFile, FROZEN_TIME } from '../../support/test-app.ts'

const NOW = Date.parse(FROZEN_TIME)
const LEASE = 3_000

describe.each(LEDGERS)('photo payments on %s', (_name, create) => {
  /** Two connections to one ledger, like two servers. */
  let testLedgers: TestLedgers
  let ledgers: [Ledger, Ledger]
  let number = 0

  beforeAll(async () => {
    testLedgers = await create()
    ledgers = [testLedgers.open(), testLedgers.open()]
  })
  afterAll(() => testLedgers.close())

  const one = () => ledgers[0].photoPayments
  const two = () => ledgers[1].photoPayments

  const claimOf = (changes: Partial<PaymentClaim> = {}, at = NOW): PaymentClaim => ({
    id: `payment ${++number}`,
    payer: `payer ${number}`,
    fingerprint: 'a photo',
    payment: '{}',
    valid_before: NOW + 120_000,
    owner: 'one',
    now: new Date(at),
    leaseMs: LEASE,
    ...changes,
  })

  const leaseOf = (owner: string, leaseMs: number) => ({ owner, now: new Date(NOW), leaseMs })

  /** Claims the same payment again, later. */
  const again = (
    paymentClaim: PaymentClaim,
    ms: number,
    changes: Partial<PaymentClaim> = {},
  ): PaymentClaim => ({ ...paymentClaim, owner: 'two', now: new Date(NOW + ms), ...changes })

  const by = ({ id }: PaymentClaim, owner = 'one', ms = 0) => ({
    id,
    owner,
    now: new Date(NOW + ms),
  })

  describe('a payment', () => {
    test('claimed concurrently is leased to one owner', async () => {
      const paymentClaim = claimOf()
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? one() : two()).claim({ ...paymentClaim, owner: `owner ${index}` }),
        ),
      )
      const kinds = claims.map(({ kind }) => kind).sort()
      expect(kinds).toEqual([...Array(19).fill('busy'), 'to read'])
    })

    test('can be claimed by another owner once the lease is over, not before', async () => {
      const claim = claimOf()
      await one().claim(claim)
      expect((await two().claim(again(claim, LEASE - 1))).kind).toBe('busy')
      expect((await two().claim(again(claim, LEASE - 1, { fingerprint: 'b' }))).kind).toBe(
        'other photo',
      )
      expect((await two().claim(again(claim, LEASE, { fingerprint: 'b' }))).kind).toBe('to read')
      expect(await one().markWorked(by(claim), '{}')).toBe(false)
      expect(await two().markWorked(by(claim, 'two'), '{}')).toBe(true)
    })

    test('stays with its owner while the lease is renewed', async () => {
      const claim = claimOf()
      await one().claim(claim)
      await one().renewLeases([claim.id], leaseOf('one', 2 * LEASE))
      await two().renewLeases([claim.id], leaseOf('two', 9 * LEASE))
      expect((await two().claim(again(claim, 2 * LEASE - 1))).kind).toBe('busy')
      expect((await two().claim(again(claim, 2 * LEASE))).kind).toBe('to read')
    })

    test('changes its state only in the defined order', async () => {
      const claim = claimOf()
      await one().claim(claim)
      expect(await one().markAttempted(by(claim))).toBe(false)
      expect(await one().markSettled(by(claim), '{}')).toBe(false)
      expect(await one().markFailed(by(claim), '{}')).toBe(false)
      expect(await one().markWorked(by(claim), '{"a":1}')).toBe(true)
      expect(await one().markReleased(by(claim))).toBe(false)
      expect(await one().markWorked(by(claim), '{"b":1}')).toBe(false)
      expect(await one().markAttempted(by(claim, 'two'))).toBe(false)
      expect(await one().markAttempted(by(claim))).toBe(true)
      expect(await one().markAttempted(by(claim))).toBe(true)
      expect(await one().markSettled(by(claim), '{"c":1}')).toBe(true)
      expect(await one().markFailed(by(claim), '{}')).toBe(false)
      const kept = { result: '{"a":1}', settlement: '{"c":1}', tries: 2, owner: null }
      expect(await two().getById(claim.id)).toMatchObject({ ...kept, state: 'settled' })
      expect(await two().claim(again(claim, 1))).toMatchObject({ kind: 'settled', payment: kept })
      expect((await two().claim(again(claim, 1, { fingerprint: 'b' }))).kind).toBe('other photo')
    })

    test('that is read continues with the next request once its owner is gone', async () => {
      const claim = claimOf()
      await one().claim(claim)
      await one().markWorked(by(claim), '{}')
      expect((await two().claim(again(claim, LEASE, { fingerprint: 'b' }))).kind).toBe(
        'other photo',
      )
      expect(await two().claim(again(claim, LEASE))).toMatchObject({ kind: 'to settle' })
      expect(await one().markAttempted(by(claim))).toBe(false)
      expect(await two().markAttempted(by(claim, 'two'))).toBe(true)
    })

    test('that is released can be used for another photo like a new one', async () => {
      const claim = claimOf()
      await one().claim(claim)
      expect(await one().markReleased(by(claim, 'two'))).toBe(false)
      expect(await one().markReleased(by(claim))).toBe(true)
      expect((await two().claim(again(claim, 1, { fingerprint: 'b' }))).kind).toBe('to read')
      expect(await two().getById(claim.id)).toMatchObject({
        fingerprint: 'b',
        owner: 'two',
        tries: 0,
        created_at: NOW + 1,
        settlement: null,
      })
    })
  })

  describe('abandoned payments', () => {
    test('are leased once, and released if the photo was not read', async () => {
      const [read, reserved, held] = [claimOf(), claimOf(), claimOf()]
      for (const paymentClaim of [read, reserved, held]) await one().claim(paymentClaim)
      for (const claim of [read, held]) await one().markWorked(by(claim), '{}')
      await one().renewLeases([held.id], leaseOf('one', 50 * LEASE))
      const lease = (owner: string) => ({ owner, now: new Date(NOW + 20 * LEASE), leaseMs: LEASE })
      const taken = await Promise.all([
        one().leaseAbandoned(lease('three'), 100),
        two().leaseAbandoned(lease('four'), 100),
      ])
      const ids = taken.flat().map(({ id }) => id)
      expect(ids.filter((id) => id === read.id)).toHaveLength(1)
      expect(ids).not.toContain(held.id)
      expect((await one().getById(reserved.id))?.state).toBe('released')
    })

    test('wait for their retry time, but not for a request', async () => {
      const claim = claimOf()
      await one().claim(claim)
      await one().markWorked(by(claim), '{}')
      await one().releaseLease(by(claim), 60_000)
      const at = (ms: number) => ({ owner: 'two', now: new Date(NOW + ms), leaseMs: LEASE })
      const isLeasable = async (ms: number) =>
        (await two().leaseAbandoned(at(ms), 100)).some(({ id }) => id === claim.id)
      expect(await isLeasable(59_999)).toBe(false)
      expect(await two().claim(again(claim, 1))).toMatchObject({ kind: 'to settle' })
      await two().releaseLease(by(claim, 'two', 1), 59_999)
      expect(await isLeasable(60_000)).toBe(true)
    })
  })

  describe('a payer', () => {
    const payer = 'one of many photos'
    const verification = { payer, verification: '{}' }

    test('has at most four photos read and unpaid', async () => {
      const make = () => claimOf({ payer })
      const [a, b, c, d, e, f] = [make(), make(), make(), make(), make(), make()]
      for (const claim of [a, b, c, d, e, f]) await one().claim(claim)
      // Unverified payments do not count: they can name any payer.
      for (const claim of [a, b, c, d]) {
        expect(await one().markVerified(by(claim), verification)).toBe('verified')
      }
      expect(await one().markVerified(by(e), verification)).toBe('too many')
      await one().markReleased(by(a))
      expect(await one().markVerified(by(e), verification)).toBe('verified')
      await one().markWorked(by(b), '{}')
      expect(await one().markVerified(by(f), verification)).toBe('too many')
      await one().markFailed(by(b), '{}')
      expect(await one().markVerified(by(f), verification)).toBe('verified')
      expect(await one().markVerified(by(a, 'two'), { ...verification, payer: 'x' })).toBe('gone')
    })

    test('whose payments failed three times is rejected until a day after the first failure', async () => {
      const payer = 'one of failures'
      const fail = async (ms: number) => {
        const claim = claimOf({ payer }, NOW + ms)
        expect((await one().claim(claim)).kind).toBe('to read')
        await one().markWorked(by(claim, 'one', ms), '{}')
        await one().markFailed(by(claim, 'one', ms), '{"by_payer":true}')
      }
      for (const ms of [0, 1_000, 2_000]) await fail(ms)
      const until = NOW + 24 * 60 * 60 * 1_000
      const later = (ms: number) => two().claim(claimOf({ payer }, ms))
      expect(await later(NOW + 3_000)).toEqual({ kind: 'barred', until })
      expect(await later(until - 1)).toEqual({ kind: 'barred', until })
      expect((await two().claim(claimOf({ payer: 'another' }, NOW + 3_000))).kind).toBe('to read')
      expect((await later(until)).kind).toBe('to read')
    })
  })

  test('ended payments are deleted in time, open ones never', async () => {
    const states = ['settled', 'failed', 'released', 'worked', 'reserved'] as const
    const claims = new Map(states.map((state) => [state, claimOf()]))
    for (const [state, claim] of claims) {
      await one().claim(claim)
      const verification = { payer: claim.payer, verification: '{}' }
      if (state === 'released') await one().markVerified(by(claim), verification)
      if (state === 'released') await one().markReleased(by(claim))
      if (state === 'released' || state === 'reserved') continue
      await one().markWorked(by(claim), '{}')
      if (state === 'settled') await one().markSettled(by(claim), '{}')
      if (state === 'failed') await one().markFailed(by(claim), '{}')
    }
    const kept = async () => {
      const found = await Promise.all(
        [...claims].map(async ([state, { id }]) => ((await two().getById(id)) ? [state] : [])),
      )
      return found.flat()
    }
    const soon = new Date(NOW + 1)
    await two().deleteBefore({ ended: new Date(NOW), released: new Date(NOW) }, 100)
    expect(await kept()).toEqual([...states])
    await two().deleteBefore({ ended: new Date(NOW), released: soon }, 100)
    expect(await kept()).toEqual(['settled', 'failed', 'worked', 'reserved'])
    await two().deleteBefore({ ended: soon, released: soon }, 100)
    expect(await kept()).toEqual(['settled', 'worked', 'reserved'])
  })

  test('settled payments lose their answer, but are never deleted', async () => {
    const paymentClaim = claimOf()
    await one().claim(paymentClaim)
    await one().markWorked(by(paymentClaim), '{"id":"read"}')
    await one().markSettled(by(paymentClaim), '{"transaction":"0x1"}')
    expect((await two().claim(paymentClaim)).kind).toBe('settled')
    const soon = new Date(NOW + 1)
    await two().deleteBefore({ ended: soon, released: soon }, 100)
    await two().deleteBefore({ ended: soon, released: soon }, 100)
    expect(await two().getById(paymentClaim.id)).toMatchObject({
      state: 'settled',
      result: '',
      payment: '',
      settlement: '{"transaction":"0x1"}',
      payer: paymentClaim.payer,
      updated_at: NOW,
    })
    expect(await two().claim(paymentClaim)).toEqual({ kind: 'forgotten' })
  })
})

test('money is on disk before the response, and nothing else waits for that', async () => {
  const file = await createLedgerFile()
  const db = openDatabase(join(file.folder, 'ledger.db'))
  const level = () => db.pragma('synchronous', { simple: true })
  expect(durable(db, level)).toBe(2)
  expect(level()).toBe(1)
  expect(() =>
    durable(db, () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(level()).toBe(1)
  db.close()
  file.close()
})

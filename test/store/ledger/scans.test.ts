import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { VERDICT_STATUSES, type VerdictStatus } from '#rules/photos/verdict.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { recordScan } from '../../support/photos/record-scan.ts'
import { SEED } from '../../support/random.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

const NOW = new Date(FROZEN_TIME)
const AUDIT_CONTEXT = { now: NOW, address: undefined }

describe.each(LEDGERS)('scans on %s', (name, create) => {
  /** Several connections to one ledger, like several servers. */
  let testLedgers: TestLedgers
  let ledgers: Ledger[]
  let newcomers = 0

  beforeAll(async () => {
    testLedgers = await create()
    ledgers = [testLedgers.open(), testLedgers.open(), testLedgers.open()]
  })
  afterAll(() => testLedgers.close())

  const ledgerAt = (index: number): Ledger => ledgers[index % ledgers.length] as Ledger

  async function newAccount(): Promise<number> {
    const email = `${newcomers++}@scans.example`
    const account = { email, password_hash: 'none', tier: 'free' } as const
    return (await ledgerAt(0).accounts.create(account, AUDIT_CONTEXT))?.id ?? 0
  }

  const holdOf = (account_id: number, taken_at = NOW) => ({
    id: crypto.randomUUID(),
    account_id,
    taken_at,
    holdMs: SCAN_HOLD_MS,
  })

  async function take(account_id: number, ledger = ledgerAt(0)): Promise<string | undefined> {
    const hold = holdOf(account_id)
    return (await ledger.scans.reserve(hold)) ? hold.id : undefined
  }

  async function useAll(account_id: number): Promise<void> {
    for (let id = await take(account_id); id !== undefined; id = await take(account_id)) {
      await ledgerAt(0).scans.keep(id, account_id)
    }
  }

  const recorded = (id: string, account_id: number, status: VerdictStatus = 'matched') => ({
    id,
    account_id,
    status,
    at: NOW.getTime(),
    game: null,
    data: '{}',
  })

  const stateOf = async (account: number) => {
    const { scans, accounts } = ledgerAt(0)
    return {
      ...(await accounts.getScans(account)),
      days: await scans.listDays(account, 0),
      additions: (await scans.listAdditions(account, 50)).map(({ reason, scans }) => [
        reason,
        scans,
      ]),
    }
  }

  const NEW = {
    balance: 0,
    debt: 0,
    trial_at: null,
    is_admitted: true,
    days: [],
    additions: [],
  }
  const NOTHING_READ = Object.fromEntries(VERDICT_STATUSES.map((name) => [name, 0]))

  test('a page is recorded as a whole: its charged cards use their scans, the leftover is returned', async () => {
    const account = await newAccount()
    const [first = '', second = '', leftover] = [
      await take(account),
      await take(account),
      await take(account),
    ]
    // The reservation of one card has already expired.
    await ledgerAt(1).scans.release(second, 'refunded', NOW)
    const page = {
      account_id: account,
      charged: [recorded(first, account), recorded(second, account, 'ambiguous')],
      free: [recorded(crypto.randomUUID(), account, 'retake')],
      leftover,
      now: NOW,
    }
    expect(await ledgerAt(2).scans.record(page)).toEqual({
      charged: 1,
      credited: 0,
      remaining: 24,
      outcome: 'stored',
    })
    for (const { id } of [...page.charged, ...page.free]) {
      expect(await ledgerAt(0).identifications.getById(id, account)).toMatchObject({ data: '{}' })
    }
    // An identification that already exists: nothing of its page is recorded.
    const fresh = recorded((await take(account)) ?? '', account)
    const broken = { ...page, charged: [fresh], free: [recorded(first, account)] }
    await expect(ledgerAt(0).scans.record(broken)).rejects.toThrow()
    expect(await ledgerAt(0).identifications.getById(fresh.id, account)).toBeUndefined()
    expect((await stateOf(account)).balance).toBe(23)
    expect(await ledgerAt(0).scans.listUnbalanced()).toEqual([])
  })

  describe('a photo that should have shown one card', () => {
    const CREDIT_MS = 900_000

    async function record(account: number, more: object, now = NOW, server = 0) {
      const id = (await take(account, ledgerAt(server))) ?? ''
      const photo = { account_id: account, charged: [recorded(id, account)], free: [], now }
      return ledgerAt(server).scans.record({ ...photo, ...more })
    }

    test('returns its scan to one page, however many are sent at once to several servers', async () => {
      const account = await newAccount()
      expect(await record(account, { creditMs: CREDIT_MS })).toMatchObject({ remaining: 24 })
      await record(account, {})
      const pages = await Promise.all(
        [0, 1, 2, 3].map((server) => record(account, { returnsCredit: true }, NOW, server)),
      )
      expect(pages.map(({ credited }) => credited).sort()).toEqual([0, 0, 0, 1])
      expect((await stateOf(account)).balance).toBe(20)
      expect(await ledgerAt(0).scans.listUnbalanced()).toEqual([])
    })

    test('pays for one of several pages at once of an account that has no other scan', async () => {
      const account = await newAccount()
      await record(account, { creditMs: CREDIT_MS })
      await useAll(account)
      expect(await ledgerAt(1).scans.hasCredit(account, NOW)).toBe(true)
      const holds = [0, 1, 2, 3].map((server) =>
        ledgerAt(server).scans.reserveCredit(holdOf(account)),
      )
      expect((await Promise.all(holds)).filter(Boolean)).toHaveLength(1)
      expect(await ledgerAt(0).scans.hasCredit(account, NOW)).toBe(false)
      expect((await stateOf(account)).balance).toBe(0)
      expect(await ledgerAt(0).scans.listUnbalanced()).toEqual([])
    })

    test('does not pay for a page if its scan pays a debt', async () => {
      const account = await newAccount()
      await record(account, { creditMs: CREDIT_MS })
      await useAll(account)
      await testLedgers.execute(`UPDATE accounts SET scan_debt = 1 WHERE id = ${account}`)
      expect(await ledgerAt(0).scans.reserveCredit(holdOf(account))).toBe(false)
      expect(await ledgerAt(0).scans.hasCredit(account, NOW)).toBe(false)
    })

    test('returns it neither later, nor to another account, nor if it was refunded', async () => {
      const [account, other] = [await newAccount(), await newAccount()]
      await record(account, { creditMs: CREDIT_MS })
      const later = new Date(NOW.getTime() + CREDIT_MS)
      expect(await record(other, { returnsCredit: true })).toMatchObject({ credited: 0 })
      expect(await record(account, { returnsCredit: true }, later)).toMatchObject({ credited: 0 })
      const hold = (await take(other)) ?? ''
      await ledgerAt(0).scans.release(hold, 'refunded', NOW)
      const photo = { account_id: other, charged: [recorded(hold, other)], free: [], now: NOW }
      await ledgerAt(0).scans.record({ ...photo, creditMs: CREDIT_MS })
      expect(await record(other, { returnsCredit: true })).toMatchObject({ credited: 0 })
    })
  })

  test('a photo that its session does not store returns its scans within limits', async () => {
    const account = await newAccount()
    const limits = ['account', 'network'].map((where) => ({
      name: `unstored of ${account} by ${where}`,
      limit: { limit: 2, windowMs: 86_400_000 },
    }))
    const session = {
      list_id: 'deleted',
      photo: 'a',
      width: null,
      height: null,
      unread: '[]',
      cards: [],
    }
    const settled = []
    for (const server of [0, 1, 2]) {
      const id = (await take(account)) ?? ''
      const photo = { account_id: account, charged: [recorded(id, account)], free: [], now: NOW }
      settled.push(await ledgerAt(server).scans.record({ ...photo, session, unstored: limits }))
    }
    expect(settled.map(({ charged }) => charged)).toEqual([0, 0, 1])
    expect(settled.at(-1)).toMatchObject({ outcome: 'missing', remaining: 24 })
    expect(await ledgerAt(0).scans.listUnbalanced()).toEqual([])
  })

  describe('the first identification', () => {
    test('grants them once, however many photos are sent at once', async () => {
      const account = await newAccount()
      const taken = await Promise.all(
        Array.from({ length: 60 }, (_, index) => take(account, ledgerAt(index))),
      )
      expect(taken.filter((id) => id !== undefined)).toHaveLength(25)
      expect(await stateOf(account)).toMatchObject({ balance: 0, additions: [['trial', 25]] })
    })

    test('of an undecodable photo leaves the account as before, every time', async () => {
      const account = await newAccount()
      for (let round = 0; round < 3; round++) {
        const id = await take(account)
        await ledgerAt(1).scans.release(id ?? '', 'rejected', NOW)
        expect(await stateOf(account)).toEqual(NEW)
      }
      await take(account)
      expect(await stateOf(account)).toMatchObject({ balance: 24, additions: [['trial', 25]] })
    })
  })

  describe('a scan', () => {
    test('is used by a photo that was read, and counted by its outcome', async () => {
      const account = await newAccount()
      for (const status of VERDICT_STATUSES) {
        const id = (await take(account)) ?? ''
        const outcome = await recordScan(ledgerAt(1).scans, recorded(id, account, status))
        expect(outcome.charged).toBe(true)
      }
      const each = Object.fromEntries(VERDICT_STATUSES.map((name) => [name, 1]))
      expect(await stateOf(account)).toMatchObject({
        balance: 20,
        days: [{ day: dayOf(NOW), scans: 5, refunded: 0, ...each }],
      })
    })

    test('is returned once, however often it is released', async () => {
      const account = await newAccount()
      const id = (await take(account)) ?? ''
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          ledgerAt(index).scans.release(id, 'refunded', NOW),
        ),
      )
      await ledgerAt(1).scans.release(id, 'rejected', NOW)
      expect(await stateOf(account)).toMatchObject({
        balance: 25,
        days: [{ scans: 0, refunded: 1, ...NOTHING_READ }],
      })
    })

    test('that is not settled is refunded when it is overdue, not before', async () => {
      const account = await newAccount()
      await take(account)
      const due = new Date(NOW.getTime() + SCAN_HOLD_MS)
      await ledgerAt(0).scans.refundOverdue(new Date(due.getTime() - 1))
      expect((await stateOf(account)).balance).toBe(24)
      // Two servers check at the same time.
      await Promise.all([
        ledgerAt(1).scans.refundOverdue(due),
        ledgerAt(2).scans.refundOverdue(due),
      ])
      expect(await stateOf(account)).toMatchObject({ balance: 25, days: [{ refunded: 1 }] })
      expect(await ledgerAt(0).scans.refundOverdue(due)).toBe(0)
    })
  })

  describe('the scan ledger', () => {
    test('cannot be updated or deleted', async () => {
      await take(await newAccount())
      const { execute } = testLedgers
      await expect(execute('DELETE FROM scan_ledger')).rejects.toThrow(/only added to/)
      await expect(execute('UPDATE scan_ledger SET n = n + 1')).rejects.toThrow(/only added to/)
    })

    test('counts a grant once per reference', async () => {
      const account = await newAccount()
      const grant = { account_id: account, n: 10, ref: crypto.randomUUID() }
      await ledgerAt(0).scans.grant(grant, AUDIT_CONTEXT)
      await expect(ledgerAt(1).scans.grant(grant, AUDIT_CONTEXT)).rejects.toThrow(/unique/i)
      expect((await stateOf(account)).balance).toBe(10)
    })

    test('lists the newest fifty additions first', async () => {
      const account = await newAccount()
      for (let n = 1; n <= 60; n++) {
        await ledgerAt(0).scans.grant(
          { account_id: account, n, ref: crypto.randomUUID() },
          AUDIT_CONTEXT,
        )
      }
      const additions = await ledgerAt(0).scans.listAdditions(account, 50)
      expect(additions.map(({ scans }) => scans)).toEqual(
        Array.from({ length: 50 }, (_, i) => 60 - i),
      )
    })

    test('reports an account with another balance', async () => {
      const account = await newAccount()
      await take(account)
      const add = (n: number) =>
        testLedgers.execute(
          `UPDATE accounts SET scan_balance = scan_balance + ${n} WHERE id = ${account}`,
        )
      await add(1)
      const found = await ledgerAt(0).scans.listUnbalanced()
      await add(-1)
      expect(found).toEqual([{ account_id: account, balance: 25, sum: 24 }])
    })
  })

  describe('any sequence of scans over several connections', () => {
    type Step =
      | { kind: 'take' }
      | { kind: 'record'; hold: number; status: VerdictStatus }
      | { kind: 'give'; hold: number; why: 'refunded' | 'rejected' }
      | { kind: 'grant'; n: number }
      | { kind: 'overdue' }

    const STEP: fc.Arbitrary<Step> = fc.oneof(
      { weight: 4, arbitrary: fc.constant({ kind: 'take' } as const) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('record' as const),
          hold: fc.nat(40),
          status: fc.constantFrom(...VERDICT_STATUSES),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('give' as const),
          hold: fc.nat(40),
          why: fc.constantFrom('refunded' as const, 'rejected' as const),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('grant' as const),
          n: fc.integer({ min: 1, max: 9 }),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'overdue' } as const) },
    )

    /** Computes an account's scans from the rules alone. */
    function modelOf() {
      const holds: { state: 'held' | 'done' | 'refunded' | 'rejected'; trial: number }[] = []
      let [balance, trial, pending] = [0, 0, true]
      const settle = (at: number, state: 'done' | 'refunded' | 'rejected'): boolean => {
        const hold = holds[at]
        if (hold?.state !== 'held') return false
        hold.state = state
        if (state !== 'done') balance++
        const isUnused = holds.every((one) => one.trial < trial || one.state === 'rejected')
        if (state === 'rejected' && !pending && isUnused) {
          balance -= 25
          pending = true
        }
        return true
      }
      return {
        holds,
        settle,
        take(): boolean {
          if (pending) {
            balance += 25
            trial++
            pending = false
          }
          if (balance === 0) return false
          balance--
          return holds.push({ state: 'held', trial }) > 0
        },
        grant(n: number): void {
          balance += n
        },
        scanBalance: () => ({ balance, pending }),
      }
    }

    test('leads to the balance of the model, which is the sum of the ledger', async () => {
      const property = fc.asyncProperty(fc.array(STEP, { maxLength: 60 }), async (steps) => {
        const account = await newAccount()
        const model = modelOf()
        const ids: string[] = []
        for (const [index, step] of steps.entries()) {
          const ledger = ledgerAt(index)
          const id = 'hold' in step ? (ids[step.hold % Math.max(1, ids.length)] ?? '') : ''
          const at = ids.indexOf(id)
          if (step.kind === 'take') {
            const taken = await take(account, ledger)
            expect(taken !== undefined).toBe(model.take())
            if (taken !== undefined) ids.push(taken)
          } else if (step.kind === 'grant') {
            model.grant(step.n)
            await ledger.scans.grant(
              { account_id: account, n: step.n, ref: crypto.randomUUID() },
              AUDIT_CONTEXT,
            )
          } else if (step.kind === 'overdue') {
            await ledger.scans.refundOverdue(new Date(NOW.getTime() + SCAN_HOLD_MS))
            for (const index of ids.keys()) model.settle(index, 'refunded')
          } else if (at >= 0 && step.kind === 'give') {
            model.settle(at, step.why)
            await ledger.scans.release(id, step.why, NOW)
          } else if (at >= 0 && step.kind === 'record') {
            if ((await ledger.identifications.getById(id, account)) !== undefined) continue
            const { charged } = await recordScan(ledger.scans, recorded(id, account, step.status))
            expect(charged).toBe(model.settle(at, 'done'))
          }
          const { balance, trial_at } = await ledger.accounts.getScans(account)
          expect({ balance, pending: trial_at === null }).toEqual(model.scanBalance())
        }
        const count = (state: string) => model.holds.filter((hold) => hold.state === state).length
        const [day] = await ledgerAt(0).scans.listDays(account, 0)
        expect([day?.scans ?? 0, day?.refunded ?? 0]).toEqual([count('done'), count('refunded')])
      })
      // Each step needs a few round trips to a server.
      const numRuns = name === 'SQLite' ? 60 : 15
      await fc.assert(property, { seed: SEED, numRuns })
      expect(await ledgerAt(0).scans.listUnbalanced()).toEqual([])
    })
  })
})

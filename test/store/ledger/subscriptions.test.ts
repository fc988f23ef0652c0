import { afterEach, describe, expect, test } from 'bun:test'
import { checkBooks } from '#actions/billing/report-billing.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import {
  createTestLedger,
  NOW,
  subscriptionEffect,
  type TestLedger,
} from '../../support/billing/empty-ledger.ts'
import { LEDGERS } from '../../support/ledger/ledgers.ts'
import { createTestLog, type LogLine } from '../../support/test-app.ts'

describe.each(LEDGERS)('subscriptions on %s', (_name, create) => {
  let testLedger: TestLedger
  afterEach(() => testLedger.close())

  const later = (days: number) => new Date(NOW.getTime() + days * MS_PER_DAY)

  const tier = async () => (await testLedger.state()).tier

  describe('a tier', () => {
    test('is the higher of the granted and the paid one', async () => {
      testLedger = await createTestLedger('starter', create)
      const { ledger, account_id } = testLedger
      const put = (sequence: number, facts: object) =>
        ledger.billing.applyEffects([subscriptionEffect(account_id, sequence, facts)], NOW)
      await put(1, { plan: 'hobby' })
      expect(await tier()).toBe('starter')
      await put(2, { plan: 'business' })
      expect(await tier()).toBe('business')
      const context = { now: NOW, address: undefined }
      expect(await ledger.accounts.updateTier('ann@books.example', 'free', context)).toMatchObject({
        tier: 'business',
      })
      await put(3, { plan: 'business', status: 'canceled' })
      expect(await tier()).toBe('free')
      const changes = (await ledger.audit.list(10, 'ann@books.example')).map(({ detail }) => detail)
      expect(changes).toEqual(['business -> free', 'starter -> business', null])
    })

    test('is the highest of several subscriptions, and falls with each that ends', async () => {
      testLedger = await createTestLedger('free', create)
      const { ledger, account_id } = testLedger
      const put = (sequence: number, facts: object) =>
        ledger.billing.applyEffects([subscriptionEffect(account_id, sequence, facts)], NOW)
      await put(1, { ref: 'sub_a', plan: 'hobby' })
      await put(2, { ref: 'sub_b', plan: 'pro' })
      expect(await tier()).toBe('pro')
      await put(3, { ref: 'sub_b', plan: 'pro', status: 'canceled' })
      expect(await tier()).toBe('hobby')
    })

    test('falls once after the grace period, without an event', async () => {
      testLedger = await createTestLedger('free', create)
      const { ledger, account_id } = testLedger
      const late = { status: 'past_due', past_due_at: NOW.getTime() } as const
      await ledger.billing.applyEffects([subscriptionEffect(account_id, 1, late)], NOW)
      expect(await ledger.subscriptions.settleDue(later(6.9))).toBe(0)
      expect(await tier()).toBe('pro')
      expect(await ledger.subscriptions.settleDue(later(7))).toBe(1)
      expect(await tier()).toBe('free')
      expect(await ledger.subscriptions.settleDue(later(8))).toBe(0)
    })

    test('of manually billed plans follows them over time', async () => {
      testLedger = await createTestLedger('free', create)
      const { ledger, account_id } = testLedger
      const manual = {
        provider: 'manual',
        next_plan: 'hobby',
        period_end: later(10).getTime(),
      } as const
      await ledger.billing.applyEffects([subscriptionEffect(account_id, 1, manual)], NOW)
      const seen: unknown[] = []
      for (let day = 0; day < 60; day++) {
        await ledger.subscriptions.settleDue(later(day))
        const now = await tier()
        if (now !== seen.at(-1)) seen.push(day, now)
      }
      // The month from 25 November ends on 25 December, 30 days later, followed by 7 days of grace.
      expect(seen).toEqual([0, 'pro', 10, 'hobby', 47, 'free'])
    })
  })

  describe('subscriptions to check', () => {
    test('were not checked since a time and have not ended, oldest first', async () => {
      testLedger = await createTestLedger('free', create)
      const { ledger, account_id } = testLedger
      const put = (sequence: number, facts: object, now: Date) =>
        ledger.billing.applyEffects([subscriptionEffect(account_id, sequence, facts)], now)
      await put(1, { ref: 'sub_b' }, later(1))
      await put(2, { ref: 'sub_a' }, later(0))
      await put(3, { ref: 'sub_over', status: 'canceled' }, later(0))
      await put(4, { ref: 'co_x', provider: 'manual' }, later(0))
      await put(5, { ref: 'sub_new' }, later(5))
      const { listUnchecked } = ledger.subscriptions
      expect(await listUnchecked('stripe', later(2), 10)).toEqual(['sub_a', 'sub_b'])
      expect(await listUnchecked('stripe', later(2), 1)).toEqual(['sub_a'])
    })
  })

  describe('the books', () => {
    const faults = async () => {
      const lines: LogLine[] = []
      await checkBooks({ ledger: testLedger.ledger, log: createTestLog(lines), now: () => NOW })
      return lines.map(({ level, facts }): object => ({ level, ...facts }))
    }

    test('that agree log nothing', async () => {
      testLedger = await createTestLedger('hobby', create)
      await testLedger.ledger.billing.applyEffects(
        [subscriptionEffect(testLedger.account_id, 1)],
        NOW,
      )
      expect(await faults()).toEqual([])
    })

    test('report a tier that does not result from the granted or paid ones', async () => {
      testLedger = await createTestLedger('free', create)
      const { execute, ledger, account_id } = testLedger
      await ledger.billing.applyEffects([subscriptionEffect(account_id, 1, { plan: 'hobby' })], NOW)
      await execute(`UPDATE accounts SET tier = 'business' WHERE id = ${account_id}`)
      const fault = { level: 'error', kind: 'tier', account_id }
      expect(await faults()).toEqual([
        { ...fault, detail: 'the tier is business, but should be hobby' },
      ])
    })

    test('report two subscriptions that are paid at the same time', async () => {
      testLedger = await createTestLedger('free', create)
      const { ledger, account_id } = testLedger
      await ledger.billing.applyEffects([subscriptionEffect(account_id, 1, { ref: 'sub_a' })], NOW)
      await ledger.billing.applyEffects([subscriptionEffect(account_id, 2, { ref: 'sub_b' })], NOW)
      expect(await faults()).toMatchObject([{ kind: 'two_subscriptions', account_id }])
    })

    test('report a pack whose reversed scans differ from the ledger', async () => {
      testLedger = await createTestLedger('free', create)
      const { execute, account_id } = testLedger
      await execute(`INSERT INTO scan_purchases (ref, account_id, item, scans, amount_cents, reversed, at)
      VALUES ('cs_1', ${account_id}, 'scans_1000', 1000, 1500, 10, 1)`)
      expect(await faults()).toMatchObject([{ kind: 'reversal', account_id }])
    })
  })
})

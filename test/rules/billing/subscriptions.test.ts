import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { SubscriptionStatus } from '#rules/billing/billing.ts'
import { PLANS } from '#rules/billing/plans.ts'
import {
  computeStanding,
  GRACE_MS,
  isSubscriptionOngoing,
  keepAnchor,
  monthAfter,
  monthBefore,
} from '#rules/billing/subscriptions.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'

const at = (text: string) => Date.parse(text)
const NOW = at('2026-11-15T21:30:00Z')

const known = (changes: Partial<Parameters<typeof computeStanding>[0]> = {}) => ({
  provider: 'stripe' as const,
  plan: 'pro' as const,
  status: 'active' as SubscriptionStatus,
  period_end: NOW + MS_PER_DAY,
  next_plan: null,
  past_due_at: null,
  anchor_day: null,
  ...changes,
})

describe('a subscription at Stripe', () => {
  test.each([
    ['trialing', 'pro', true],
    ['active', 'pro', true],
    ['incomplete', 'free', true],
    ['incomplete_expired', 'free', false],
    ['unpaid', 'free', true],
    ['paused', 'free', true],
    ['canceled', 'free', false],
  ] as const)('as %s is worth %s, and bars a second one: %p', (status, tier, live) => {
    const standing = computeStanding(known({ status }), null, NOW)
    expect(standing).toMatchObject({ tier, status, changes_at: null })
    expect(isSubscriptionOngoing(standing)).toBe(live)
  })

  test('that is past_due keeps its tier for exactly seven days', () => {
    const late = known({ status: 'past_due', past_due_at: NOW })
    expect(GRACE_MS).toBe(7 * MS_PER_DAY)
    expect(computeStanding(late, null, NOW)).toMatchObject({
      tier: 'pro',
      changes_at: NOW + GRACE_MS,
    })
    expect(computeStanding(late, null, NOW + GRACE_MS - 1).tier).toBe('pro')
    const over = computeStanding(late, null, NOW + GRACE_MS)
    expect(over).toMatchObject({ tier: 'free', status: 'past_due', changes_at: null })
  })

  test('does not end by time alone: Stripe reports each period', () => {
    expect(computeStanding(known(), null, NOW + 90 * MS_PER_DAY).tier).toBe('pro')
  })
})

describe('a manual subscription', () => {
  const manual = (changes = {}) =>
    known({ provider: 'manual', period_end: at('2026-12-15'), ...changes })

  test('lasts for the paid time and seven days, and never renews itself', () => {
    const [end, over] = [at('2026-12-15'), at('2026-12-22')]
    const standings = [NOW, end - 1, end, over - 1, over].map((now) => {
      const { tier, status, changes_at } = computeStanding(manual(), null, now)
      return [tier, status, changes_at]
    })
    expect(standings).toEqual([
      ['pro', 'active', end],
      ['pro', 'active', end],
      ['pro', 'past_due', over],
      ['pro', 'past_due', over],
      ['free', 'canceled', null],
    ])
  })

  test('continues with the waiting plan for a month, and then ends', () => {
    const waiting = manual({ next_plan: 'hobby' })
    expect(computeStanding(waiting, null, NOW)).toMatchObject({ plan: 'pro', next_plan: 'hobby' })
    expect(computeStanding(waiting, null, at('2026-12-15'))).toEqual({
      tier: 'hobby',
      plan: 'hobby',
      status: 'active',
      period_end: at('2027-01-15'),
      next_plan: null,
      changes_at: at('2027-01-15'),
    })
    expect(computeStanding(waiting, null, at('2027-01-16'))).toMatchObject({
      plan: 'hobby',
      status: 'past_due',
    })
    expect(computeStanding(waiting, null, at('2027-01-22'))).toMatchObject({ tier: 'free' })
  })

  test('gives the waiting plan a month up to the anchor day', () => {
    const waiting = manual({ next_plan: 'hobby', period_end: at('2027-02-28'), anchor_day: 31 })
    const { period_end } = computeStanding(waiting, null, at('2027-03-01'))
    expect(period_end).toBe(at('2027-03-31'))
  })

  test('changes at changes_at, and at no other time', () => {
    const facts = fc.record({
      plan: fc.constantFrom(...PLANS),
      next_plan: fc.constantFrom(null, ...PLANS),
      period_end: fc.integer({ min: NOW - 60 * MS_PER_DAY, max: NOW + 60 * MS_PER_DAY }),
    })
    const moment = fc.integer({ min: NOW - 90 * MS_PER_DAY, max: NOW + 180 * MS_PER_DAY })
    fc.assert(
      fc.property(facts, moment, fc.nat(40 * MS_PER_DAY), (changes, now, later) => {
        const before = computeStanding(manual(changes), null, now)
        const until = before.changes_at ?? Number.POSITIVE_INFINITY
        expect(until).toBeGreaterThan(now)
        const after = computeStanding(manual(changes), null, now + later)
        if (now + later < until) expect(after).toEqual(before)
        else expect(after).not.toEqual(before)
      }),
    )
  })
})

test('a disputed payment voids the tier of its period, with either provider', () => {
  for (const provider of ['stripe', 'manual'] as const) {
    const facts = known({ provider })
    const standing = computeStanding(facts, NOW, NOW)
    expect(standing).toMatchObject({ tier: 'free', status: 'active', changes_at: null })
    expect(isSubscriptionOngoing(standing)).toBe(true)
  }
})

test('a dispute of one period does not affect the next, in any month', () => {
  for (let day = 0; day < 4 * 366; day++) {
    const start = NOW + day * MS_PER_DAY
    const end = monthAfter(start)
    const first = known({ period_end: end })
    const second = known({ period_end: monthAfter(end) })
    expect(computeStanding(first, start, start).tier).toBe('free')
    expect(computeStanding(second, start, end).tier).toBe('pro')
    expect(computeStanding(second, end, end).tier).toBe('free')
  }
})

describe('a month', () => {
  const days = Array.from(
    { length: 4 * 366 },
    (_, day) => at('2026-12-30T21:30:00Z') + day * MS_PER_DAY,
  )

  test('ends on the same day of the next month, or on the last day of a shorter one', () => {
    for (const day of days) {
      const [from, to] = [new Date(day), new Date(monthAfter(day))]
      const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
      expect(months(to)).toBe(months(from) + 1)
      const isLast = new Date(to.getTime() + MS_PER_DAY).getUTCDate() === 1
      expect(to.getUTCDate() === from.getUTCDate() || (isLast && from.getUTCDate() > 28)).toBe(true)
      expect(to.toISOString().slice(10)).toBe(from.toISOString().slice(10))
    }
  })

  test('is never shorter for a later payment', () => {
    for (const day of days)
      expect(monthAfter(day + MS_PER_DAY)).toBeGreaterThanOrEqual(monthAfter(day))
  })

  test('subtracted after it was added is not before the start', () => {
    for (const day of days) {
      const back = monthBefore(monthAfter(day))
      expect(back).toBeGreaterThanOrEqual(day)
      expect(monthAfter(back)).toBe(monthAfter(day))
    }
  })

  test('with an anchor ends on that day again after shorter months, and can be subtracted', () => {
    for (const anchor of [28, 29, 30, 31]) {
      let end = at(`2027-01-${anchor}T21:30:00Z`)
      for (let month = 1; month <= 48; month++) {
        const next = monthAfter(end, anchor)
        const lastDay = new Date(Date.UTC(2027, month + 1, 0)).getUTCDate()
        const expected = Date.UTC(2027, month, Math.min(anchor, lastDay), 21, 30)
        expect(new Date(next).toISOString()).toBe(new Date(expected).toISOString())
        expect(monthBefore(next, anchor)).toBe(end)
        expect(keepAnchor(next, anchor)).toBe(anchor)
        end = next
      }
    }
    expect(keepAnchor(at('2027-02-27'), 31)).toBeNull()
    expect(keepAnchor(at('2027-02-28'), null)).toBeNull()
  })

  test.each([
    ['2027-01-31', '2027-02-28'],
    ['2028-01-30', '2028-02-29'],
    ['2027-02-28', '2027-03-28'],
    ['2026-12-15', '2027-01-15'],
    ['2027-03-31', '2027-04-30'],
  ])('from %s ends %s', (from, to) => {
    expect(new Date(monthAfter(at(from))).toISOString().slice(0, 10)).toBe(to)
  })
})

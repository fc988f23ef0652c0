import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { SubscriptionFacts } from '#rules/billing.ts'
import { MS_A_DAY } from '#rules/days.ts'
import { manualChange, manualRefund } from '#rules/manual-billing.ts'
import { PLANS, type Plan, PRICE_CENTS } from '#rules/plans.ts'
import { monthAfter, standingOf } from '#rules/subscriptions.ts'

const at = (text: string) => Date.parse(text)
const NOW = at('2026-11-15T21:30:00Z')

const buy = (known: SubscriptionFacts | undefined, plan: Plan, now = NOW) =>
  manualChange(known, { ref: `co_${plan}`, account_id: 7, plan }, now)

/** What is paid and still ahead, in cents times milliseconds: a month of a plan is price times length. */
function worth(known: SubscriptionFacts | undefined, now: number): number {
  if (known === undefined) return 0
  const { tier, plan, period_end, next_plan } = standingOf(known, null, now)
  if (tier === 'free' || period_end === null) return 0
  const waiting = next_plan === null ? 0 : PRICE_CENTS[next_plan] * lengthOf(period_end)
  return PRICE_CENTS[plan] * Math.max(0, period_end - now) + waiting
}

const lengthOf = (from: number) => monthAfter(from) - from

describe('a month that is paid by hand', () => {
  test('begins when it is paid, under the name of its first checkout', () => {
    expect(buy(undefined, 'pro')).toEqual({
      ref: 'co_pro',
      account_id: 7,
      provider: 'manual',
      plan: 'pro',
      status: 'active',
      period_end: at('2026-12-15T21:30:00Z'),
      cancels: false,
      next_plan: null,
      past_due_at: null,
    })
    expect(buy(buy(undefined, 'pro'), 'pro').ref).toBe('co_pro')
  })

  test('of the same plan follows the one before, also within the time of grace', () => {
    const known = buy(undefined, 'pro')
    const twice = at('2027-01-15T21:30:00Z')
    expect(buy(known, 'pro').period_end).toBe(twice)
    expect(buy(known, 'pro', at('2026-12-20')).period_end).toBe(twice)
  })

  test('after the time of grace begins anew', () => {
    const late = at('2026-12-23')
    expect(buy(buy(undefined, 'pro'), 'pro', late).period_end).toBe(monthAfter(late))
  })

  test('of a dearer plan begins at once, and what is left counts for as much of it', () => {
    const known = buy(undefined, 'hobby')
    const half = NOW + 15 * MS_A_DAY
    const { plan, period_end, next_plan } = buy(known, 'pro', half)
    const credit = Math.round((15 * MS_A_DAY * 999) / 4_999)
    expect([plan, period_end, next_plan]).toEqual(['pro', monthAfter(half) + credit, null])
  })

  test('of a cheaper plan waits until the dearer one ends', () => {
    const { plan, period_end, next_plan } = buy(buy(undefined, 'pro'), 'hobby')
    expect([plan, period_end, next_plan]).toEqual(['pro', at('2026-12-15T21:30:00Z'), 'hobby'])
  })

  test('of a cheaper plan waits for the plan that had waited itself and has begun', () => {
    const waiting = buy(buy(undefined, 'pro'), 'starter')
    const after = buy(waiting, 'hobby', at('2026-12-20'))
    const { plan, period_end, next_plan } = after
    expect([plan, period_end, next_plan]).toEqual(['starter', at('2027-01-15T21:30:00Z'), 'hobby'])
    expect(standingOf(after, null, at('2027-01-10')).tier).toBe('starter')
    expect(standingOf(after, null, at('2027-02-10')).tier).toBe('hobby')
  })

  // While a plan waits nobody is offered another one (actions/begin-checkout.ts).
  const mayBuy = (known: SubscriptionFacts | undefined, now: number) =>
    known === undefined || standingOf(known, null, now).next_plan === null

  const PURCHASES = fc.array(
    fc.record({ plan: fc.constantFrom(...PLANS), wait: fc.nat(40 * MS_A_DAY) }),
    { maxLength: 12 },
  )

  test('loses nobody time or money, however they change to and fro', () => {
    fc.assert(
      fc.property(PURCHASES, (purchases) => {
        let known: SubscriptionFacts | undefined
        let now = NOW
        for (const { plan, wait } of purchases) {
          now += wait
          if (!mayBuy(known, now)) continue
          const before = worth(known, now)
          const standing = known && standingOf(known, null, now)
          const next = buy(known, plan, now)
          // In grace the days that were used are part of the new month of the same plan.
          const isLate = standing?.status === 'past_due' && standing.plan === plan
          const end = standing?.period_end ?? now
          const from = standing?.tier === plan && standing.plan === plan ? end : now
          const month = next.next_plan === null ? lengthOf(from) : lengthOf(end)
          const used = isLate ? PRICE_CENTS[plan] * (now - end) : 0
          const gained = worth(next, now) - before + used
          // A rounded millisecond of the plan is all that may be lost or won.
          expect(Math.abs(gained - PRICE_CENTS[plan] * month)).toBeLessThanOrEqual(
            PRICE_CENTS[plan],
          )
          known = next
        }
      }),
      { numRuns: 500 },
    )
  })

  test('never lowers the tier at once', () => {
    fc.assert(
      fc.property(PURCHASES, (purchases) => {
        let known: SubscriptionFacts | undefined
        let now = NOW
        for (const { plan, wait } of purchases) {
          now += wait
          if (!mayBuy(known, now)) continue
          const before = known && standingOf(known, null, now)
          known = buy(known, plan, now)
          const { tier } = standingOf(known, null, now)
          const cents = (of: typeof tier) => (of === 'free' ? 0 : PRICE_CENTS[of])
          const kept = before?.status === 'active' ? cents(before.tier) : 0
          expect(cents(tier)).toBeGreaterThanOrEqual(Math.max(kept, 0))
          expect(cents(tier)).toBeGreaterThanOrEqual(before === undefined ? cents(plan) : kept)
        }
      }),
    )
  })
})

describe('money that went back', () => {
  test('ends the only month at once, whatever its length', () => {
    for (let day = 0; day < 366; day++) {
      const now = NOW + day * MS_A_DAY
      for (const used of [0, 10 * MS_A_DAY, 33 * MS_A_DAY]) {
        const left = manualRefund(buy(undefined, 'pro', now), 'pro', [], now + used)
        expect(standingOf(left, null, now + used)).toMatchObject({
          tier: 'free',
          status: 'canceled',
        })
      }
    }
  })

  test('of the second month leaves the first as it was', () => {
    const first = buy(undefined, 'pro')
    expect(manualRefund(buy(first, 'pro'), 'pro', [], NOW)).toEqual(first)
  })

  test('of the first month leaves the second, to a day or three', () => {
    const half = NOW + 15 * MS_A_DAY
    const left = manualRefund(buy(buy(undefined, 'pro'), 'pro'), 'pro', ['pro'], half)
    expect(standingOf(left, null, half).tier).toBe('pro')
    expect((left.period_end ?? 0) - half).toBeWithin(28 * MS_A_DAY, 31 * MS_A_DAY + 1)
  })

  test('of a month that is used up takes nothing of those that were paid since', () => {
    const later = buy(buy(undefined, 'pro'), 'pro', NOW + 90 * MS_A_DAY)
    expect(manualRefund(later, 'pro', ['pro'], NOW + 95 * MS_A_DAY)).toEqual(later)
  })

  test('of a plan that waits leaves the one that it waits for', () => {
    const first = buy(undefined, 'pro')
    expect(manualRefund(buy(first, 'hobby'), 'hobby', [], NOW)).toEqual(first)
  })

  test('of the plan before one that waits lets that begin at once', () => {
    const left = manualRefund(buy(buy(undefined, 'pro'), 'hobby'), 'pro', ['hobby'], NOW)
    expect(standingOf(left, null, NOW)).toMatchObject({
      tier: 'hobby',
      period_end: monthAfter(NOW),
      next_plan: null,
    })
  })

  test('of a dearer plan leaves what the one before it was worth', () => {
    const hobby = buy(undefined, 'hobby')
    const left = manualRefund(buy(hobby, 'pro'), 'pro', [], NOW)
    const credit = (lengthOf(NOW) * 999) / 4_999
    expect(Math.abs((left.period_end ?? 0) - NOW - credit)).toBeLessThan(3 * MS_A_DAY)
    expect(standingOf(left, null, NOW).tier).toBe('pro')
  })

  test('of what is over changes nothing', () => {
    const known = buy(undefined, 'pro')
    expect(manualRefund(known, 'pro', [], NOW + 90 * MS_A_DAY)).toEqual(known)
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { SubscriptionFacts } from '#rules/billing/billing.ts'
import { extendManualSubscription, refundManualMonth } from '#rules/billing/manual-billing.ts'
import { PLANS, type Plan, PRICE_CENTS } from '#rules/billing/plans.ts'
import { computeStanding, monthAfter } from '#rules/billing/subscriptions.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'

const at = (text: string) => Date.parse(text)
const NOW = at('2026-11-15T21:30:00Z')

const buy = (known: SubscriptionFacts | undefined, plan: Plan, now = NOW) =>
  extendManualSubscription(known, { ref: `co_${plan}`, account_id: 7, plan }, now)

/** Value of the remaining paid time, in cents times milliseconds: price times length per month. */
function worth(known: SubscriptionFacts | undefined, now: number): number {
  if (known === undefined) return 0
  const { tier, plan, period_end, next_plan } = computeStanding(known, null, now)
  if (tier === 'free' || period_end === null) return 0
  const waiting =
    next_plan === null ? 0 : PRICE_CENTS[next_plan] * lengthOf(period_end, known.anchor_day)
  return PRICE_CENTS[plan] * Math.max(0, period_end - now) + waiting
}

const lengthOf = (from: number, anchorDay: number | null = null) =>
  monthAfter(from, anchorDay) - from

/** Change of `worth` by a purchase: only its own month. */
function owed(
  known: SubscriptionFacts | undefined,
  bought: Plan,
  next: SubscriptionFacts,
  now: number,
): number {
  const price = PRICE_CENTS[bought]
  const standing = known && computeStanding(known, null, now)
  if (standing === undefined || standing.tier === 'free') return price * lengthOf(now)
  const { plan, status, next_plan, period_end } = standing
  const end = period_end ?? now
  const length = lengthOf(end, known?.anchor_day)
  // A waiting month starts on a later day, so it may be up to three days longer or shorter.
  const isMoved = next_plan !== null && next.next_plan === next_plan
  const moved = isMoved
    ? PRICE_CENTS[next_plan] * (lengthOf(next.period_end ?? now, next.anchor_day) - length)
    : 0
  if (plan === bought) {
    // In the grace period the used days are part of the new month of the same plan.
    const used = status === 'past_due' ? price * (now - end) : 0
    return price * length + moved - used
  }
  const isAtOnce = next.plan === bought
  return price * (isAtOnce ? lengthOf(now) : length) + moved
}

describe('a manually paid month', () => {
  test('starts when it is paid, with the id of its first checkout', () => {
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
      anchor_day: 15,
    })
    expect(buy(buy(undefined, 'pro'), 'pro').ref).toBe('co_pro')
  })

  test('of the same plan follows the previous month, also within the grace period', () => {
    const known = buy(undefined, 'pro')
    const twice = at('2027-01-15T21:30:00Z')
    expect(buy(known, 'pro').period_end).toBe(twice)
    expect(buy(known, 'pro', at('2026-12-20')).period_end).toBe(twice)
  })

  test.each([29, 30, 31])('from day %i of a month loses no day by shorter months', (day) => {
    const first = at(`2027-01-${day}T21:30:00Z`)
    const ends: string[] = []
    let known = buy(undefined, 'pro', first)
    for (let month = 0; month < 15; month++) {
      const end = known.period_end ?? 0
      ends.push(new Date(end).toISOString().slice(0, 10))
      // Paid early, on the last day, or in the grace period.
      known = buy(known, 'pro', end + ((month % 3) - 1) * 3 * MS_PER_DAY)
    }
    const lastDays = [28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 29, 31, 30]
    expect(ends).toEqual(
      lastDays.map((lastDay, month) => {
        const end = new Date(Date.UTC(2027, month + 1, Math.min(day, lastDay)))
        return end.toISOString().slice(0, 10)
      }),
    )
  })

  test('that is refunded keeps the day of the others', () => {
    const [jan, feb] = [at('2027-01-31T21:30:00Z'), at('2027-02-20T21:30:00Z')]
    const twice = buy(buy(undefined, 'pro', jan), 'pro', feb)
    expect(new Date(twice.period_end ?? 0).toISOString()).toBe('2027-03-31T21:30:00.000Z')
    const once = refundManualMonth(twice, 'pro', { later: [], hasEarlier: true }, feb)
    expect(new Date(once.period_end ?? 0).toISOString()).toBe('2027-02-28T21:30:00.000Z')
    const again = buy(once, 'pro', feb)
    expect(new Date(again.period_end ?? 0).toISOString()).toBe('2027-03-31T21:30:00.000Z')
  })

  test('of a lapsed subscription, or of another plan, has a new anchor', () => {
    const known = buy(undefined, 'hobby', at('2027-01-31T21:30:00Z'))
    const lapsed = buy(known, 'hobby', at('2027-03-20T21:30:00Z'))
    expect(new Date(lapsed.period_end ?? 0).toISOString()).toBe('2027-04-20T21:30:00.000Z')
    const upgraded = buy(known, 'pro', at('2027-02-10T21:30:00Z'))
    const next = buy(upgraded, 'pro', upgraded.period_end ?? 0)
    expect(next.period_end).toBe(monthAfter(upgraded.period_end ?? 0))
  })

  test('after the grace period starts over', () => {
    const late = at('2026-12-23')
    expect(buy(buy(undefined, 'pro'), 'pro', late).period_end).toBe(monthAfter(late))
  })

  test('of a more expensive plan starts immediately, with credit for the remaining time', () => {
    const known = buy(undefined, 'hobby')
    const half = NOW + 15 * MS_PER_DAY
    const { plan, period_end, next_plan } = buy(known, 'pro', half)
    const credit = Math.round((15 * MS_PER_DAY * 999) / 4_999)
    expect([plan, period_end, next_plan]).toEqual(['pro', monthAfter(half) + credit, null])
  })

  test('of a cheaper plan waits until the more expensive one ends', () => {
    const { plan, period_end, next_plan } = buy(buy(undefined, 'pro'), 'hobby')
    expect([plan, period_end, next_plan]).toEqual(['pro', at('2026-12-15T21:30:00Z'), 'hobby'])
  })

  test('of a cheaper plan waits for a plan that itself had waited', () => {
    const waiting = buy(buy(undefined, 'pro'), 'starter')
    const after = buy(waiting, 'hobby', at('2026-12-20'))
    const { plan, period_end, next_plan } = after
    expect([plan, period_end, next_plan]).toEqual(['starter', at('2027-01-15T21:30:00Z'), 'hobby'])
    expect(computeStanding(after, null, at('2027-01-10')).tier).toBe('starter')
    expect(computeStanding(after, null, at('2027-02-10')).tier).toBe('hobby')
  })

  test('of the current plan extends it, and the waiting plan follows', () => {
    const { plan, period_end, next_plan } = buy(buy(buy(undefined, 'pro'), 'hobby'), 'pro')
    expect([plan, period_end, next_plan]).toEqual(['pro', at('2027-01-15T21:30:00Z'), 'hobby'])
  })

  test('of a more expensive plan starts immediately, with credit for the current and the waiting plan', () => {
    const { plan, period_end, next_plan } = buy(buy(buy(undefined, 'pro'), 'hobby'), 'business')
    const left = Math.round((lengthOf(NOW) * 4_999) / 9_999)
    const waited = Math.round((lengthOf(at('2026-12-15T21:30:00Z')) * 999) / 9_999)
    expect([plan, next_plan]).toEqual(['business', null])
    expect(period_end).toBe(monthAfter(NOW) + left + waited)
  })

  test.each(['hobby', 'starter'] as const)(
    'of %s while one waits counts as time of the plan that runs',
    (cheaper) => {
      const { plan, period_end, next_plan } = buy(buy(buy(undefined, 'pro'), 'hobby'), cheaper)
      const end = at('2026-12-15T21:30:00Z')
      const credit = Math.round((lengthOf(end) * PRICE_CENTS[cheaper]) / 4_999)
      expect([plan, period_end, next_plan]).toEqual(['pro', end + credit, 'hobby'])
    },
  )

  const PURCHASES = fc.array(
    fc.record({ plan: fc.constantFrom(...PLANS), wait: fc.nat(40 * MS_PER_DAY) }),
    { maxLength: 12 },
  )

  test('loses no time or money over any sequence of changes', () => {
    fc.assert(
      fc.property(PURCHASES, (purchases) => {
        let known: SubscriptionFacts | undefined
        let now = NOW
        for (const { plan, wait } of purchases) {
          now += wait
          const before = worth(known, now)
          const next = buy(known, plan, now)
          const gained = worth(next, now) - before
          // A credit is rounded to a millisecond at most twice: for the remaining time and for the
          // waiting plan.
          expect(Math.abs(gained - owed(known, plan, next, now))).toBeLessThanOrEqual(
            PRICE_CENTS[next.plan],
          )
          known = next
        }
      }),
      { numRuns: 500 },
    )
  })

  test('never lowers the tier immediately', () => {
    fc.assert(
      fc.property(PURCHASES, (purchases) => {
        let known: SubscriptionFacts | undefined
        let now = NOW
        for (const { plan, wait } of purchases) {
          now += wait
          const before = known && computeStanding(known, null, now)
          known = buy(known, plan, now)
          const { tier } = computeStanding(known, null, now)
          const cents = (of: typeof tier) => (of === 'free' ? 0 : PRICE_CENTS[of])
          const kept = before?.status === 'active' ? cents(before.tier) : 0
          expect(cents(tier)).toBeGreaterThanOrEqual(before === undefined ? cents(plan) : kept)
        }
      }),
    )
  })
})

describe('a refund', () => {
  const ALONE = { later: [], hasEarlier: false }
  const LAST = { later: [], hasEarlier: true }
  const followedBy = (...later: Plan[]) => ({ later, hasEarlier: false })
  const DAYS = Array.from({ length: 366 }, (_, day) => NOW + day * MS_PER_DAY)

  test('ends the only month immediately, whatever its length', () => {
    for (const now of DAYS) {
      for (const used of [0, 10 * MS_PER_DAY, 33 * MS_PER_DAY]) {
        const left = refundManualMonth(buy(undefined, 'pro', now), 'pro', ALONE, now + used)
        expect(computeStanding(left, null, now + used)).toMatchObject({
          tier: 'free',
          status: 'canceled',
        })
      }
    }
  })

  test('of the last month leaves at most three days of it if earlier ones are used up', () => {
    for (const now of DAYS) {
      const left = refundManualMonth(buy(undefined, 'pro', now), 'pro', LAST, now)
      expect((left.period_end ?? 0) - now).toBeWithin(0, 3 * MS_PER_DAY + 1)
    }
  })

  test('of the second month leaves the first unchanged', () => {
    for (const now of DAYS) {
      const first = buy(undefined, 'pro', now)
      const left = refundManualMonth(buy(first, 'pro', now), 'pro', LAST, now)
      expect(Math.abs((left.period_end ?? 0) - (first.period_end ?? 0))).toBeLessThanOrEqual(
        3 * MS_PER_DAY,
      )
    }
    const first = buy(undefined, 'pro')
    expect(refundManualMonth(buy(first, 'pro'), 'pro', LAST, NOW)).toEqual(first)
  })

  test('of the first month leaves the second, within three days', () => {
    const half = NOW + 15 * MS_PER_DAY
    const left = refundManualMonth(
      buy(buy(undefined, 'pro'), 'pro'),
      'pro',
      followedBy('pro'),
      half,
    )
    expect(computeStanding(left, null, half).tier).toBe('pro')
    expect((left.period_end ?? 0) - half).toBeWithin(28 * MS_PER_DAY, 31 * MS_PER_DAY + 1)
  })

  test('of a used month removes nothing of later ones', () => {
    const later = buy(buy(undefined, 'pro'), 'pro', NOW + 90 * MS_PER_DAY)
    expect(refundManualMonth(later, 'pro', followedBy('pro'), NOW + 95 * MS_PER_DAY)).toEqual(later)
  })

  test('of a waiting plan leaves the current one', () => {
    const first = buy(undefined, 'pro')
    expect(refundManualMonth(buy(first, 'hobby'), 'hobby', LAST, NOW)).toEqual(first)
  })

  test('of the current plan starts the waiting one immediately', () => {
    const waiting = buy(buy(undefined, 'pro'), 'hobby')
    const left = refundManualMonth(waiting, 'pro', followedBy('hobby'), NOW)
    expect(computeStanding(left, null, NOW)).toMatchObject({
      tier: 'hobby',
      period_end: monthAfter(NOW),
      next_plan: null,
    })
  })

  // A refunded month has the length of the last month before the end, which may differ by three
  // days.
  test.each(
    PLANS.flatMap((from) =>
      PLANS.filter((to) => PRICE_CENTS[to] > PRICE_CENTS[from]).map((to) => [from, to] as const),
    ),
  )(
    'of an upgrade from %s to %s leaves what the one before was worth, to three days',
    (from, to) => {
      for (const now of DAYS) {
        const left = refundManualMonth(buy(buy(undefined, from, now), to, now), to, LAST, now)
        const credit = (lengthOf(now) * PRICE_CENTS[from]) / PRICE_CENTS[to]
        const kept = (left.period_end ?? 0) - now
        expect(Math.abs(kept - credit)).toBeLessThanOrEqual(3 * MS_PER_DAY + 1)
        const { tier } = computeStanding(left, null, now)
        if (kept > 0) expect(tier).toBe(to)
      }
    },
  )

  test('of an ended subscription changes nothing', () => {
    const known = buy(undefined, 'pro')
    expect(refundManualMonth(known, 'pro', LAST, NOW + 90 * MS_PER_DAY)).toEqual(known)
  })
})

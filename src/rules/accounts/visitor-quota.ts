import { nextMidnight } from '../primitives/days.ts'
import type { Quota } from './quota.ts'
import type { Tier } from './tiers.ts'

/** What our own pages show to people who are not logged in. */
export type VisitorLimits = {
  /** As if they had it: how far back histories go. */
  tier: Tier
  /** Requests a UTC day from one place, at least 1. */
  perClient: number
  /** From all places together, at least 1. */
  total: number
}

/**
 * Counts what visitors ask for, by place and UTC day. Beyond `placesMax` places a day, those that are new
 * count only among all: what is remembered never grows without end.
 */
export function createVisitorQuota(
  { perClient, total: all }: Pick<VisitorLimits, 'perClient' | 'total'>,
  clientsMax = CLIENTS_MAX,
) {
  const spent = new Map<string, number>()
  let total = 0
  let reset = ''

  function beginDay(now: Date): void {
    const next = nextMidnight(now)
    if (next === reset) return
    reset = next
    total = 0
    spent.clear()
  }

  function add(place: string, credits: number): void {
    total += credits
    const known = spent.get(place)
    if (known !== undefined || spent.size < clientsMax) spent.set(place, (known ?? 0) + credits)
  }

  function quotaOf(place: string): Quota {
    const left = Math.min(perClient - (spent.get(place) ?? 0), all - total)
    return { daily_limit: perClient, daily_remaining: left, daily_reset: reset }
  }

  return {
    /** Charges a place, where it and all places together have that many left. */
    consume(place: string, credits: number, now: Date): { isAllowed: boolean; quota: Quota } {
      beginDay(now)
      const admitted = credits <= quotaOf(place).daily_remaining
      if (admitted) add(place, credits)
      return { isAllowed: admitted, quota: quotaOf(place) }
    },
    /**
     * Gives back what was charged. What was charged yesterday is nothing of today's.
     *
     * @param charged the quota that `spend` told
     */
    refund(place: string, charged: Pick<Quota, 'daily_reset'>, credits: number, now: Date): Quota {
      beginDay(now)
      if (charged.daily_reset === reset) add(place, -credits)
      return quotaOf(place)
    },
    /** What a place has left. */
    get(place: string, now: Date): Quota {
      beginDay(now)
      return quotaOf(place)
    },
  }
}

/** Some 10 MB. */
const CLIENTS_MAX = 100_000

import { nextMidnight } from '../primitives/days.ts'
import type { Quota } from './quota.ts'
import type { Tier } from './tiers.ts'

/** What our own pages show to people who are not logged in. */
export type VisitorTerms = {
  /** As if they had it: how far back histories go. */
  tier: Tier
  /** Requests a UTC day from one place, at least 1. */
  each: number
  /** From all places together, at least 1. */
  all: number
}

/**
 * Counts what visitors ask for, by place and UTC day. Beyond `placesMax` places a day, those that are new
 * count only among all: what is remembered never grows without end.
 */
export function openVisitorCount(
  { each, all }: Pick<VisitorTerms, 'each' | 'all'>,
  placesMax = PLACES_MAX,
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
    if (known !== undefined || spent.size < placesMax) spent.set(place, (known ?? 0) + credits)
  }

  function quotaOf(place: string): Quota {
    const left = Math.min(each - (spent.get(place) ?? 0), all - total)
    return { daily_limit: each, daily_remaining: left, daily_reset: reset }
  }

  return {
    /** Charges a place, where it and all places together have that many left. */
    spend(place: string, credits: number, now: Date): { admitted: boolean; quota: Quota } {
      beginDay(now)
      const admitted = credits <= quotaOf(place).daily_remaining
      if (admitted) add(place, credits)
      return { admitted, quota: quotaOf(place) }
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
    look(place: string, now: Date): Quota {
      beginDay(now)
      return quotaOf(place)
    },
  }
}

/** Some 10 MB. */
const PLACES_MAX = 100_000

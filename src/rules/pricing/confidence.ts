import type { BasePrices, Period } from './price-changes.ts'

/** Reliability of a market price, best first. */
export const CONFIDENCE_LEVELS = ['high', 'medium', 'low'] as const

export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number]

/** Reasons for a level below `high`, in the order in which a price lists them. */
export const CONFIDENCE_REASONS = [
  'no_market_price',
  'no_listings',
  'low_above_market',
  'median_above_market',
  'median_below_market',
  'low_far_below_market',
  'sudden_change',
  'few_sales',
  'unchanged',
  'outdated',
  'other_source_differs',
] as const

export type ConfidenceReason = (typeof CONFIDENCE_REASONS)[number]

export type PriceConfidence = { level: ConfidenceLevel; reasons: ConfidenceReason[] }

/** Facts by which a market price is rated. Money is in hundredths of one currency. */
export type PriceFacts = {
  market_price: number | null
  low_price: number | null
  median_price: number | null
  bases: BasePrices
  /** Day on which the source published the price. */
  published_day: number
  /** Minimum number of days for which the market price had not changed when it was published. */
  unchanged_days: number
  /** Number of sales behind the market price; null if unknown. */
  sale_count: number | null
  /** Market price of the same printing elsewhere; null if unknown. */
  other_price: number | null
}

/**
 * Rates a market price by its facts. A doubt of one kind lowers the level to `medium`; a serious doubt, or doubts of
 * two kinds, to `low`. Unknown facts raise no doubts.
 */
export function assessPrice(facts: PriceFacts, today: number): PriceConfidence {
  if (facts.market_price === null) return { level: 'low', reasons: ['no_market_price'] }
  const market = facts.market_price
  const reasons: ConfidenceReason[] = []
  const byKind = new Map<Kind, number>()
  for (const { reason, kind, measure, doubtful, serious } of CHECKS) {
    const value = measure(facts, { market, today })
    if (value < doubtful) continue
    if (!reasons.includes(reason)) reasons.push(reason)
    byKind.set(kind, Math.max(byKind.get(kind) ?? 0, value < serious ? 1 : 2))
  }
  const doubts = [...byKind.values()].reduce((sum, one) => sum + one, 0)
  return { level: levelOf(doubts), reasons }
}

/** Returns true if a level is at least a minimum. */
export function isConfident(level: ConfidenceLevel, minimum: ConfidenceLevel): boolean {
  return CONFIDENCE_LEVELS.indexOf(level) <= CONFIDENCE_LEVELS.indexOf(minimum)
}

function levelOf(doubts: number): ConfidenceLevel {
  if (doubts === 0) return 'high'
  return doubts === 1 ? 'medium' : 'low'
}

const SALES_MIN = 3

/** Doubts of one kind have the same cause and count once: the listings, the sales, the history and so on. */
type Kind = 'listings' | 'history' | 'sales' | 'age' | 'sources'

type Check = {
  reason: ConfidenceReason
  kind: Kind
  /** Returns 0 if the fact is unknown. */
  measure(facts: PriceFacts, at: { market: number; today: number }): number
  /** Values from here on are a doubt. */
  doubtful: number
  /** Values from here on are a serious doubt. */
  serious: number
}

/**
 * Measures and limits. Percentages are of 24,000 real Pokémon prices on 13 days, and the examples that were
 * reviewed are in decision 44. The guide (docs/guides/pricing/confidence.md) explains each in plain words.
 */
const CHECKS: readonly Check[] = [
  {
    reason: 'no_listings',
    kind: 'listings',
    measure: ({ low_price, median_price }) => (low_price === null && median_price === null ? 1 : 0),
    doubtful: 1,
    serious: Number.POSITIVE_INFINITY,
  },
  // Nobody can buy at the market price. Among cards from $50, a quarter have their cheapest copy at least 18 % above
  // it.
  {
    reason: 'low_above_market',
    kind: 'listings',
    measure: ({ low_price }, { market }) => times(low_price, market),
    doubtful: 1.25,
    serious: 1.75,
  },
  // Sellers park old cards at high prices: among cards from $50, a quarter have a median of at least 2.3 times their
  // market price.
  {
    reason: 'median_above_market',
    kind: 'listings',
    measure: ({ median_price }, { market }) => times(median_price, market),
    doubtful: 2.5,
    serious: 5,
  },
  // Half of all copies are cheaper. Worse condition explains a third less, but not more; this affects 4 % of cards
  // from $1.
  {
    reason: 'median_below_market',
    kind: 'listings',
    measure: ({ median_price }, { market }) => times(market, median_price),
    doubtful: 1.5,
    serious: 2.5,
  },
  // A damaged copy or a wrong listing. It is never serious, because one listing says little compared with the median
  // and sales.
  {
    reason: 'low_far_below_market',
    kind: 'listings',
    measure: ({ low_price }, { market }) => times(market, low_price),
    doubtful: 5,
    serious: Number.POSITIVE_INFINITY,
  },
  // From one day to the next, 1 price of 1,000 changes by 36 %; within a week, 1 of 100.
  checkChange(['24h'], { doubtful: 1.3, serious: 3 }),
  // A price that returns after a gap may have changed on its first day, so a month ago takes the place of a week ago.
  checkChange(['7d', '30d'], { doubtful: 1.5, serious: 4 }),
  // Not measured, because the archive is shorter. A set's rotation or a new deck can double prices within a month.
  checkChange(['30d'], { doubtful: 2.5, serious: 6 }),
  // A single sale can be a mistake or between friends. From three on, the median ignores an odd one.
  {
    reason: 'few_sales',
    kind: 'sales',
    measure: ({ sale_count }) => (sale_count === null ? 0 : SALES_MIN - sale_count),
    doubtful: 1,
    serious: SALES_MIN,
  },
  // A market price moves with each sale. Of cards from $1, 85 % changed within 13 days, and 71 % of those from $50.
  {
    reason: 'unchanged',
    kind: 'sales',
    measure: ({ unchanged_days }, { market }) => (market < MOVING_CENTS_MIN ? 0 : unchanged_days),
    doubtful: 30,
    serious: 90,
  },
  // Some games are read once a week. Within a week, 95 % of prices change by less than 17 %.
  {
    reason: 'outdated',
    kind: 'age',
    measure: ({ published_day }, { today }) => today - published_day,
    doubtful: 9,
    serious: 31,
  },
  // Markets of two continents sometimes differ by a half, because of shipping, taxes and languages.
  {
    reason: 'other_source_differs',
    kind: 'sources',
    measure: ({ other_price }, { market }) =>
      Math.max(times(other_price, market), times(market, other_price)),
    doubtful: 2,
    serious: 4,
  },
]

/** @param periods the first with a known price counts */
function checkChange(
  periods: readonly Period[],
  limits: Pick<Check, 'doubtful' | 'serious'>,
): Check {
  return {
    reason: 'sudden_change',
    kind: 'history',
    measure: ({ bases }, { market }) => {
      const period = periods.find((one) => bases[one] !== null)
      const base = period === undefined ? null : bases[period]
      return Math.max(times(base, market), times(market, base))
    },
    ...limits,
  }
}

/**
 * Returns the ratio of two prices; 0 if either is unknown. Prices of cheap cards mostly cover the work of shipping,
 * so amounts below that compare as equal.
 */
function times(price: number | null, other: number | null): number {
  if (price === null || other === null) return 0
  return Math.max(price, SHIPMENT_CENTS) / Math.max(other, SHIPMENT_CENTS)
}

const SHIPMENT_CENTS = 50

/** Below a dollar, the next sale is often at exactly the same price. */
const MOVING_CENTS_MIN = 100

import { ServiceError } from '../primitives/errors.ts'

/**
 * The five tiers: their endpoints, daily quota and history depth. One table contains both access policies
 * (docs/reference/choices.md, row 2). Routes, the API document and error messages use it.
 */
export const TIERS = ['free', 'hobby', 'starter', 'pro', 'business'] as const

export type Tier = (typeof TIERS)[number]

/** `five-tier` is the first access description; `strict` is the second, with higher minimums. */
export const ACCESS_POLICIES = ['five-tier', 'strict'] as const

export type AccessPolicy = (typeof ACCESS_POLICIES)[number]

/** Requests per UTC day (specification, Tiers and endpoint access). */
export const DAILY_REQUESTS: Record<Tier, number> = {
  free: 100,
  hobby: 1_000,
  starter: 2_500,
  pro: 10_000,
  business: 50_000,
}

/** Requests per day of an account without limits: more than a client can send. */
const UNLIMITED_REQUESTS = 1_000_000_000

/** Tier with which an account acts, and whether its limits apply. */
export type AccountLimits = {
  tier: Tier
  /** True for the accounts that a private server has admitted. */
  is_unlimited?: boolean | undefined
}

/** Returns the requests per UTC day of an account. */
export function dailyRequests({ tier, is_unlimited = false }: AccountLimits): number {
  return is_unlimited ? UNLIMITED_REQUESTS : DAILY_REQUESTS[tier]
}

/**
 * Returns the limits with which an account acts.
 *
 * @param account `is_admitted`: true if the operator created, invited or promoted it, or the login provider let it in
 * @param hasLimits false on a private server, which lifts the limits of admitted accounts
 */
export function accountLimits(
  { tier, is_admitted }: { tier: Tier; is_admitted: boolean },
  hasLimits: boolean,
): AccountLimits & { is_unlimited: boolean } {
  const is_unlimited = is_admitted && !hasLimits
  return { tier: is_unlimited ? 'business' : tier, is_unlimited }
}

/** Lowest tier of each feature. The API lists them in this order. */
const FIVE_TIER = {
  catalog: 'free',
  history: 'hobby',
  set_prices: 'starter',
  resolve: 'starter',
  detailed_history: 'pro',
  bulk_prices: 'pro',
  bulk_cards: 'pro',
  bulk_history: 'pro',
  set_export: 'pro',
  game_files: 'free',
  whole_catalog: 'pro',
  alerts: 'pro',
} as const satisfies Record<string, Tier>

export type Feature = keyof typeof FIVE_TIER

export const FEATURES = Object.keys(FIVE_TIER) as Feature[] // Object.keys returns strings; these are all features

const LOWEST: Record<AccessPolicy, Record<Feature, Tier>> = {
  'five-tier': FIVE_TIER,
  // The second description does not mention `resolve` and `whole_catalog`.
  strict: {
    ...FIVE_TIER,
    history: 'pro',
    set_prices: 'pro',
    detailed_history: 'business',
    bulk_history: 'business',
    set_export: 'business',
  },
}

/** Returns the lowest tier that may use a feature. */
export function lowestTier(feature: Feature, policy: AccessPolicy): Tier {
  return LOWEST[policy][feature]
}

/** Returns all features of a tier. */
export function featuresOf(tier: Tier, policy: AccessPolicy): Feature[] {
  return FEATURES.filter((feature) => isTierAtLeast(tier, lowestTier(feature, policy)))
}

export function isTierAtLeast(tier: Tier, needed: Tier): boolean {
  return TIERS.indexOf(tier) >= TIERS.indexOf(needed)
}

/** @throws ServiceError TIER_REQUIRED, naming the required tier */
export function assertTierAtLeast(tier: Tier, needed: Tier): void {
  if (isTierAtLeast(tier, needed)) return
  throw new ServiceError(
    'TIER_REQUIRED',
    `Requires the ${tierName(needed)} plan or higher (you have ${tierName(tier)}).`,
  )
}

/** Returns the highest of the tiers; free for an empty list. */
export function highestTier(tiers: readonly Tier[]): Tier {
  return TIERS.findLast((tier) => tiers.includes(tier)) ?? 'free'
}

/** Returns the days of history that a tier can see; undefined for all of it. */
export function historyDepth(tier: Tier): number | undefined {
  return HISTORY_DAYS[tier]
}

/** Returns the deeper of two history depths in days; undefined is unlimited. */
export function deeperHistory(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.max(a, b)
}

const HISTORY_DAYS: Record<Tier, number | undefined> = {
  free: 0,
  hobby: 7,
  starter: 30,
  pro: undefined,
  business: undefined,
}

/** Formats the display name of a tier. */
export function tierName(tier: Tier): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1)
}

/** Number of collections of each kind that an account can have, and number of items in each. */
export type CollectionLimits = { collections: number; items: number }

/** How many price alerts an account can have, and how many channels that deliver them. */
type AlertLimits = { alerts: number; channels: number }

/** All limits of accounts that depend on the tier, except for requests (tiers.ts). */
const LIMITS: Record<Tier, CollectionLimits & AlertLimits> = {
  free: { collections: 1, items: 500, alerts: 25, channels: 3 },
  hobby: { collections: 5, items: 5_000, alerts: 100, channels: 5 },
  starter: { collections: 10, items: 20_000, alerts: 250, channels: 10 },
  pro: { collections: 25, items: 100_000, alerts: 1_000, channels: 20 },
  business: { collections: 100, items: 250_000, alerts: 5_000, channels: 50 },
}

/** More than anybody enters. */
const UNLIMITED: CollectionLimits & AlertLimits = {
  collections: 1_000_000,
  items: 1_000_000_000,
  alerts: 1_000_000,
  // Each alert sends a message to each channel, so channels are limited on a private server, too.
  channels: 100,
}

/** Returns how much an account can have. */
export function tierLimits({
  tier,
  is_unlimited = false,
}: AccountLimits): CollectionLimits & AlertLimits {
  return is_unlimited ? UNLIMITED : LIMITS[tier]
}

/** A caller's remaining quota today: the specification's `rate_limit` block. */
export type Quota = {
  daily_limit: number
  daily_remaining: number
  /** The next UTC midnight. */
  daily_reset: string
}

/**
 * Computes how many requests of an account's day a server may lease at once. Far from the limit, it grants all that
 * are wanted, so that few requests touch the disk. Near the limit, it grants fewer, down to the needed number, so
 * that all servers together grant exactly the limit.
 *
 * @param left requests of the day that no server has leased yet
 * @param wanted at least 1
 * @param needed at least 1; if fewer are left, none are granted
 */
export function leaseOf(
  left: number,
  { wanted, needed }: { wanted: number; needed: number },
): number {
  if (left < needed) return 0
  return Math.max(needed, Math.min(wanted, left >> 3))
}

import { ServiceError } from '../primitives/errors.ts'

/**
 * The five tiers: their endpoints, daily quota and history depth. One table holds both access
 * policies (docs/reference/choices.md, row 2). Routes, the API document and error messages read it.
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

/** Features that require a tier. */
export const FEATURES = [
  'catalog',
  'history',
  'set_prices',
  'resolve',
  'detailed_history',
  'bulk_prices',
  'bulk_cards',
  'bulk_history',
  'set_export',
  'game_files',
  'whole_catalog',
  'alerts',
] as const

export type Feature = (typeof FEATURES)[number]

const LOWEST: Record<AccessPolicy, Record<Feature, Tier>> = {
  'five-tier': {
    catalog: 'free',
    game_files: 'free',
    history: 'hobby',
    set_prices: 'starter',
    resolve: 'starter',
    detailed_history: 'pro',
    bulk_prices: 'pro',
    bulk_cards: 'pro',
    bulk_history: 'pro',
    set_export: 'pro',
    whole_catalog: 'pro',
    alerts: 'pro',
  },
  strict: {
    catalog: 'free',
    game_files: 'free',
    history: 'pro',
    set_prices: 'pro',
    // The second description does not mention these two.
    resolve: 'starter',
    whole_catalog: 'pro',
    alerts: 'pro',
    detailed_history: 'business',
    bulk_prices: 'pro',
    bulk_cards: 'pro',
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
  return tiers.reduce<Tier>(
    (highest, tier) => (isTierAtLeast(highest, tier) ? highest : tier),
    'free',
  )
}

/** Returns the days of history that a tier sees; undefined if it sees all of it. */
export function historyDepth(tier: Tier): number | undefined {
  return HISTORY_DAYS[tier]
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

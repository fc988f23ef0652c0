import type { Tier } from './tiers.ts'

/** How many collections of each kind an account can have, and how many items each of them. */
export type CollectionLimits = { collections: number; items: number }

const LIMITS: Record<Tier, CollectionLimits> = {
  free: { collections: 1, items: 500 },
  hobby: { collections: 5, items: 5_000 },
  starter: { collections: 10, items: 20_000 },
  pro: { collections: 25, items: 100_000 },
  business: { collections: 100, items: 250_000 },
}

/** More than anybody enters. */
const UNLIMITED: CollectionLimits = { collections: 1_000_000, items: 1_000_000_000 }

/** Returns the limits of a tier. @param hasLimits false on a private server */
export function collectionLimits(tier: Tier, hasLimits: boolean): CollectionLimits {
  return hasLimits ? LIMITS[tier] : UNLIMITED
}

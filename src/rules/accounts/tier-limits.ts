import type { Tier } from './tiers.ts'

/** How many collections of each kind an account can have, and how many items each of them. */
export type CollectionLimits = { collections: number; items: number }

/** How many price alerts an account can have, and how many channels that deliver them. */
export type AlertLimits = { alerts: number; channels: number }

/** All limits of accounts that depend on the tier, beside its requests (tiers.ts). */
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
  // Each alert is a message for each of them, also on a private server.
  channels: 100,
}

/** Returns the limits of a tier. @param hasLimits false on a private server */
export function tierLimits(tier: Tier, hasLimits: boolean): CollectionLimits & AlertLimits {
  return hasLimits ? LIMITS[tier] : UNLIMITED
}

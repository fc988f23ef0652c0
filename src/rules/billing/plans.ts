import {
  type AccessPolicy,
  DAILY_REQUESTS,
  featuresOf,
  historyDepth,
  isTierAtLeast,
  TIERS,
  type Tier,
  tierName,
} from '../accounts/tiers.ts'
import { resolveItemsMax } from '../matching/bulk-limits.ts'

/** Tiers with a monthly price. */
export const PLANS = ['hobby', 'starter', 'pro', 'business'] as const

export type Plan = (typeof PLANS)[number]

/** Scan packs, paid once. Their scans never expire. */
export const PACKS = ['scans_1000', 'scans_5000', 'scans_25000', 'scans_100000'] as const

export type Pack = (typeof PACKS)[number]

/** Everything that can be bought. */
export const BILLABLE_ITEMS = [...PLANS, ...PACKS] as const

export type BillableItem = Plan | Pack

/** Prices in US cents, per month or pack (specification, Tiers and endpoint access; Limits 6). */
export const PRICE_CENTS: Readonly<Record<BillableItem, number>> = {
  hobby: 999,
  starter: 1_999,
  pro: 4_999,
  business: 9_999,
  scans_1000: 1_500,
  scans_5000: 6_000,
  scans_25000: 25_000,
  scans_100000: 80_000,
}

/** Number of scans in each pack. */
export const PACK_SCANS: Readonly<Record<Pack, number>> = {
  scans_1000: 1_000,
  scans_5000: 5_000,
  scans_25000: 25_000,
  scans_100000: 100_000,
}

export function isPlan(item: string): item is Plan {
  return PLANS.some((plan) => plan === item)
}

/** Formats the name of an item for the checkout page, receipts and reports. */
export function itemName(item: BillableItem): string {
  if (isPlan(item)) return `${tierName(item)} plan`
  return `${PACK_SCANS[item].toLocaleString('en-US')} scans`
}

/** Lists the features and the price of each tier, lowest first. */
export function planOffers(policy: AccessPolicy) {
  return TIERS.map((tier) => planOffer(tier, policy))
}

/** Lists the scan packs, smallest first. */
export function packOffers() {
  return PACKS.map((pack) => ({ pack, scans: PACK_SCANS[pack], price_cents: PRICE_CENTS[pack] }))
}

function planOffer(tier: Tier, policy: AccessPolicy) {
  const features = featuresOf(tier, policy)
  return {
    plan: tier,
    name: tierName(tier),
    price_cents: tier === 'free' ? 0 : PRICE_CENTS[tier],
    daily_requests: DAILY_REQUESTS[tier],
    // The depth matters only if the tier has the history feature.
    history_days: features.includes('history') ? (historyDepth(tier) ?? null) : 0,
    resolve_items: features.includes('resolve') ? resolveItemsMax(tier) : null,
    commercial_use: isTierAtLeast(tier, COMMERCIAL_FROM),
    features,
  }
}

/** Lowest tier whose license allows commercial use (specification, Tiers and endpoint access). */
const COMMERCIAL_FROM: Tier = 'pro'

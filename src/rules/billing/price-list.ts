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
import { PACK_SCANS, PACKS, PRICE_CENTS } from './plans.ts'

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
    // The depth only matters if the tier has the history feature.
    history_days: features.includes('history') ? (historyDepth(tier) ?? null) : 0,
    resolve_items: features.includes('resolve') ? resolveItemsMax(tier) : null,
    commercial_use: isTierAtLeast(tier, COMMERCIAL_FROM),
    features,
  }
}

/** Lowest tier whose license allows commercial use (specification, Tiers and endpoint access). */
const COMMERCIAL_FROM: Tier = 'pro'

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

/** What each tier brings and costs, lowest first, for whoever chooses one. */
export function planOffers(policy: AccessPolicy) {
  return TIERS.map((tier) => planOffer(tier, policy))
}

/** The packs of scans, smallest first. */
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
    // Depth is of no use where history cannot be asked for.
    history_days: features.includes('history') ? (historyDepth(tier) ?? null) : 0,
    resolve_items: features.includes('resolve') ? resolveItemsMax(tier) : null,
    commercial_use: isTierAtLeast(tier, COMMERCIAL_FROM),
    features,
  }
}

/** The lowest tier whose licence allows commercial use (specification, Tiers and endpoint access). */
const COMMERCIAL_FROM: Tier = 'pro'

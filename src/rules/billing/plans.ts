import { tierName } from '../accounts/tiers.ts'

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

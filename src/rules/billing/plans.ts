import { tierName } from '../accounts/tiers.ts'

/** The tiers that are paid by the month. */
export const PLANS = ['hobby', 'starter', 'pro', 'business'] as const

export type Plan = (typeof PLANS)[number]

/** Packs of scans, paid once; their scans never expire. */
export const PACKS = ['scans_1000', 'scans_5000', 'scans_25000', 'scans_100000'] as const

export type Pack = (typeof PACKS)[number]

/** What can be bought. */
export const BILLABLE_ITEMS = [...PLANS, ...PACKS] as const

export type BillableItem = Plan | Pack

/** US cents: of a plan for a month, of a pack once (specification, Tiers and endpoint access; Limits 6). */
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

/** How many scans a pack has. */
export const PACK_SCANS: Readonly<Record<Pack, number>> = {
  scans_1000: 1_000,
  scans_5000: 5_000,
  scans_25000: 25_000,
  scans_100000: 100_000,
}

export function isPlan(item: string): item is Plan {
  return PLANS.some((plan) => plan === item)
}

/** What people read of an item: on the page where it is paid, on receipts, in reports. */
export function itemName(billableItem: BillableItem): string {
  if (isPlan(billableItem)) return `${tierName(billableItem)} plan`
  return `${PACK_SCANS[billableItem].toLocaleString('en-US')} scans`
}

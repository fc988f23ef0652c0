import type { Feature, Tier } from './tiers.ts'

// Limits of people who use the dashboard without logging in (docs/reference/choices.md, row 82).

/** Features that visitors can use. */
const VISITOR_FEATURES = ['catalog', 'history'] as const satisfies readonly Feature[]

export type VisitorFeature = (typeof VISITOR_FEATURES)[number]

export function isVisitorFeature(feature: Feature): feature is VisitorFeature {
  return VISITOR_FEATURES.some((one) => one === feature)
}

/** Days of history that the dashboard shows to everyone whose own tier does not go back further. */
export const PAGE_HISTORY_DAYS = 90

/** Quantities that are limited for each client and UTC day; each limit is at least 1. */
export type VisitorAllowance = {
  requests: number
  /** Different cards whose data or prices were sent. */
  cards: number
  /** Records; see `Volume`. */
  records: number
}

/** Settings for visitors. */
export type VisitorLimits = {
  /** Tier that determines their features, and how far back their price histories go. */
  tier: Tier
  perClient: VisitorAllowance
  /** Requests per UTC day of all clients together, at least 1. */
  total: number
}

/** Amount of catalog data in a response. */
export type Volume = {
  /** Ids of its cards. */
  cards: readonly number[]
  /** Number of its records: sets, cards, prices, movers and days of history. */
  records: number
}

/** Measures a list of cards with their prices. */
export function cardsVolume(cards: readonly { id: number; prices: number }[]): Volume {
  return {
    cards: cards.map(({ id }) => id),
    records: cards.reduce((sum, { prices }) => sum + 1 + prices, 0),
  }
}

/** Measures records that name their cards, such as price movers. */
export function recordsVolume(records: readonly { card_id: number }[]): Volume {
  return { cards: records.map(({ card_id }) => card_id), records: records.length }
}

/** Measures records without cards, such as sets and their rarities. */
export function setsVolume(sets: readonly unknown[]): Volume {
  return { cards: [], records: sets.length }
}

/** Physical condition of a card, as marketplaces grade raw cards. `unopened` is for sealed products. */
export const CONDITIONS = [
  'near_mint',
  'lightly_played',
  'moderately_played',
  'heavily_played',
  'damaged',
  'unopened',
] as const

export type Condition = (typeof CONDITIONS)[number]

/** Distinguishes the prices of one card by their source, their currency, and their condition or grade. */
export type PriceKind = {
  printing: string
  /** Source of the price, such as `tcgplayer`, `cardmarket` or the name of an operator's own list. */
  source: string
  /** ISO 4217, three capital letters. */
  currency: string
  /** Null if the source does not distinguish conditions. */
  condition: Condition | null
  /** Grader and grade of a graded card, such as `PSA 10`; null for a raw card. */
  grade: string | null
}

/** Identifies a price in the whole catalog. */
export type PriceKey = PriceKind & { card_id: number }

/** Kind of all prices of the mirror, regardless of their printing. */
export const MIRROR_KIND = {
  source: 'tcgplayer',
  currency: 'USD',
  condition: 'near_mint',
  grade: null,
} as const satisfies Omit<PriceKind, 'printing'>

/** Sources with their own currency, which come first for requests in that currency. */
export const NATIVE_SOURCES: Readonly<Record<string, string>> = {
  [MIRROR_KIND.currency]: MIRROR_KIND.source,
  EUR: 'cardmarket',
}

/** Returns true for a valid name of a source: lowercase letters, digits and hyphens, at most 32. */
export function isSourceName(text: string): boolean {
  return /^[a-z\d][a-z\d-]{0,31}$/.test(text)
}

/** Returns true for a code of ISO 4217 in capital letters, known or not. */
export function isCurrencyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text)
}

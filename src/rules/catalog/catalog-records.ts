// Mapped upstream records, shared by the client, the sync and the catalog writer. Money is in integer cents, null if
// unknown.

export type UpstreamGame = {
  id: number
  name: string
  slug: string
  priority: number
  logo_url: string | null
}

export type UpstreamSet = {
  id: number
  game_id: number
  name: string
  abbreviation: string | null
  release_date: string | null
  /** The upstream's version of the set, compared only for equality. */
  modified_on: string | null
}

export type UpstreamCard = {
  id: number
  game_id: number
  set_id: number
  name: string
  clean_name: string
  number: string | null
  rarity: string | null
  image_url: string | null
  marketplace_url: string | null
  product_type: ProductType
  total_listings: number
  shipping_category_id: number
  product_status_id: number
  hp: string | null
  custom_attributes: Record<string, string | string[]>
  /** Set only if the upstream row has it; otherwise derived from the printings. */
  foil_only: number | undefined
}

export type UpstreamPrice = {
  card_id: number
  printing: string
  market_price: number | null
  low_price: number | null
  median_price: number | null
  lowest_with_shipping: number | null
  buylist_price: number | null
  /** Sales of the day, in cents and units; stored with the history point only. */
  avg_sales_price: number | null
  sales_volume: number | null
}

export type ProductType = 'Cards' | 'Sealed Products'

/** A skipped record and the reason, for the sync report and the log. */
export type RejectedRecord = { id: string; reason: string }

/** The valid records of a file and the rejected ones. */
export type ParsedRecords<T> = { records: T[]; rejected: RejectedRecord[] }

/** Kinds of changes of cards, for clients that have stored the ids of cards. */
export const MIGRATION_KINDS = ['removed', 'restored', 'moved', 'merged'] as const

/**
 * `removed`: the mirror no longer lists the card. `restored`: it does again. `moved`: the card is in another set or
 * game. `merged`: another card in its set, with its name and number, replaces it.
 */
export type MigrationKind = (typeof MIGRATION_KINDS)[number]

/** Returns the kind of change of a card that the mirror lists; undefined if its game and set are unchanged. */
export function findMigrationKind(
  before: { set_id: number; is_missing: boolean },
  set_id: number,
): Extract<MigrationKind, 'restored' | 'moved'> | undefined {
  if (before.set_id !== set_id) return 'moved'
  return before.is_missing ? 'restored' : undefined
}

// What the sync takes in, after mapping: the words that the upstream client, the sync action and
// the store's intake share. Money is integer cents, null where the upstream does not know.

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
  /** The upstream's mark of the last change, compared for equality only. */
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
  /** Only where the upstream row says so itself; otherwise it is derived from the printings. */
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
  /** Of the day, in cents and pieces; kept with the history point only. */
  avg_sales_price: number | null
  sales_volume: number | null
}

export type ProductType = 'Cards' | 'Sealed Products'

/** A record that was left out, and why: counted in the run's report and logged. */
export type RejectedRecord = { id: string; reason: string }

/** A file's good records and those that were left out. */
export type ParsedRecords<T> = { records: T[]; rejected: RejectedRecord[] }

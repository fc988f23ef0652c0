import type { PriceTexts } from '#rules/pricing/price-json.ts'
import type { CardRow } from './schema/catalog.ts'
import type { PriceRow } from './schema/pricing.ts'

/** A card with the columns of its JSON, except for those that are inserted as text. */
export type CardOnly = Omit<
  CardRow,
  'number_key' | 'told_foil_only' | 'search_text' | 'missing_since' | 'updated_in'
> & {
  set_name: string
  set_slug: string
  game_name: string
  game_slug: string
}

/** A card with the texts of its prices. */
export type CardTextRow = CardOnly & PriceTexts

/** A card with its price: that of the base printing. */
export type PricedRow = CardTextRow & Pick<PriceRow, 'market_price'> & { printing: string | null }

// Same order as the members of the JSON.
export const CARD_COLUMNS = `
  cards.id, cards.game_id, cards.set_id, cards.name, clean_name, number, rarity, cards.image_url,
  marketplace_url, product_type, foil_only, total_listings, shipping_category_id, product_status_id,
  sets.name AS set_name, sets.slug AS set_slug, games.name AS game_name, games.slug AS game_slug,
  hp, custom_attributes`

export const CARD_JOINS = `
  JOIN sets ON sets.id = cards.set_id
  JOIN games ON games.id = cards.game_id`

export const COLUMNS = `${CARD_COLUMNS}, prices, changes`

export const JOINS = `${CARD_JOINS}
  LEFT JOIN price_texts ON price_texts.card_id = cards.id
  LEFT JOIN price_changes ON price_changes.card_id = cards.id`

export const PRICED_COLUMNS = `${COLUMNS}, base.market_price, printings.name AS printing`

export const PRICED_JOINS = `${JOINS}
  LEFT JOIN prices AS base ON base.card_id = cards.id AND base.is_base_printing = 1
  LEFT JOIN printings ON printings.id = base.printing_id`

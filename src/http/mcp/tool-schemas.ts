import { type Static, type TObject, Type } from '@sinclair/typebox'
import { CardSchema, SearchItemSchema } from '../schemas/catalog.ts'
import { nullable, type PagingSchema } from '../schemas/members.ts'
import { PriceSchema } from '../schemas/prices.ts'
import type { DataSource } from './tool.ts'
import { currencyOf, type ToolOrigin } from './tool-text.ts'

// Parts of what tools return, taken from the schemas of the endpoints.

/** A page of a list, as an endpoint returns it. */
export type ListReply<Item extends TObject, Meta = unknown> = {
  data: Static<Item>[]
  meta: Static<typeof PagingSchema> & Meta
}

/** Arguments of every tool with prices. */
export const PRICE_ARGUMENTS = {
  currency: {
    description:
      'ISO code such as `EUR`. Prices without a source in this currency are converted and marked. Default: US dollars.',
  },
  source: { description: 'Only prices of this source: `tcgplayer`, `cardmarket` and so on.' },
}

/** Members of every result with prices. */
export const PRICES_NOTE = {
  currency: Type.String(),
  published_at: nullable(Type.String({ description: 'Time of the newest prices in the catalog.' })),
}

export const CARD_URL = Type.String({ description: 'Page of the card.' })

/** A card in a list, with the market price of each printing. */
export const ToolCard = Type.Object({
  card_id: Type.Integer(),
  ...Type.Pick(SearchItemSchema, ['name', 'number', 'rarity', 'product_type']).properties,
  ...Type.Pick(SearchItemSchema, ['market_price', 'printing', 'matched_printing']).properties,
  ...Type.Pick(CardSchema, ['set_id', 'set_name', 'game_slug']).properties,
  prices: Type.Array(
    Type.Pick(PriceSchema, [
      'printing',
      'source',
      'currency',
      'converted',
      'rate',
      'rate_date',
      'market_price',
      'low_price',
      'last_updated_at',
    ] as const),
  ),
  url: CARD_URL,
})

/** Returns the values of PRICES_NOTE. @param prices prices with their currency, if it is not the default */
export function pricesNote({ published_at }: DataSource, prices: readonly ToolOrigin[]) {
  return { currency: currencyOf(prices), published_at }
}

export function cardUrl({ publicUrl }: DataSource, cardId: number): string {
  return `${publicUrl}/cards/${cardId}`
}

/** The argument of all tools that can be restricted to a game. */
export const GAME_ARGUMENT = {
  description: 'Slug of a game, such as `pokemon`. get_freshness lists all games.',
}

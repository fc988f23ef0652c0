import { type Price, publishedText } from '#rules/price-text.ts'
import type { Db } from '../db.ts'
import type { PublicationShelf } from './publication.ts'

/** Questions about current prices. The answers are JSON text, rendered when the prices changed. */
export function openPrices(db: Db, publication: PublicationShelf) {
  // Raw statements: this is the hottest question of the service, and drizzle would triple its cost.
  const ofCard = db.prepare<[number], { set_id: number; prices: string }>(
    'SELECT set_id, prices FROM price_texts WHERE card_id = ?',
  )
  const ofSet = db.prepare<[number], SetPriceRow>(
    `SELECT cards.id AS card_id, cards.name, cards.number, cards.rarity, cards.product_type,
            cards.foil_only, price_texts.prices
       FROM cards LEFT JOIN price_texts ON price_texts.card_id = cards.id
      WHERE cards.set_id = +? AND missing_since IS NULL ORDER BY cards.number_key, cards.id`,
  )

  // A few cards are asked for again and again, and the look-up is half of what such a request costs.
  const recent = new Map<number, string>()
  publication.onChange(() => recent.clear())

  /** A set's cards in the order of their numbers, each with its prices. */
  function* rowsOf(setId: number): Generator<{ card: SetCard; prices: Price[] }> {
    const publishedAt = publication.pricedAt(setId)
    for (const { prices, ...row } of ofSet.iterate(setId)) {
      const card = { ...row, marketplace_id: row.card_id }
      // The text was written by price-text.ts, so its shape is known.
      yield { card, prices: JSON.parse(publishedText(prices ?? '[]', publishedAt)) as Price[] }
    }
  }

  return {
    /** All printings of a card as a JSON array; undefined where the card has no price rows at all. */
    ofCard(cardId: number): string | undefined {
      const known = recent.get(cardId)
      if (known !== undefined) return known
      const row = ofCard.get(cardId)
      if (row === undefined) return undefined
      const text = publishedText(row.prices, publication.pricedAt(row.set_id))
      if (recent.size >= RECENT_MAX) recent.clear()
      recent.set(cardId, text)
      return text
    },
    /** Every price of a set, one row a printing, cards in the order of their numbers. */
    *ofSet(setId: number): Generator<SetPrice> {
      for (const { card, prices } of rowsOf(setId)) {
        for (const price of prices) yield { ...card, ...price }
      }
    },
    /** The same, and a row without prices for each card that has none: nothing is left out. */
    *exportOfSet(setId: number): Generator<ExportRow> {
      for (const { card, prices } of rowsOf(setId)) {
        if (prices.length === 0) yield card
        for (const price of prices) yield { ...card, ...price }
      }
    },
  }
}

/** Some hundred bytes each: about 10 MB at the most. */
const RECENT_MAX = 20_000

type SetPriceRow = Omit<SetCard, 'marketplace_id'> & { prices: string | null }

/** What tells a card apart in a list of prices. */
export type SetCard = {
  card_id: number
  name: string
  number: string | null
  rarity: string | null
  marketplace_id: number
  product_type: string
  foil_only: number
}

/** One printing's price with its card. */
export type SetPrice = SetCard & Price

/** The same; a card without any price has none of the price's fields. */
export type ExportRow = SetCard & Partial<Price>

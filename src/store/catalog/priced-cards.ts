import type { PictureUrl } from '#rules/picture-url.ts'
import type { Db } from '../db.ts'

/** What tells a card apart in a list of answers. */
export type NamedCard = {
  id: number
  name: string
  marketplace_id: number
  number: string | null
  game_slug: string
  game_name: string
  set_name: string
  set_slug: string
  image_url: string | null
}

/** A printing's prices, in cents. */
export type PricedPrinting = {
  printing: string
  market_price: number | null
  low_price: number | null
}

/** A card with the prices of its printings, the oldest printing first. */
export type PricedCard = { card: NamedCard; printings: PricedPrinting[] }

/** Questions about many cards and what they cost, for whoever counts with it. */
export function openPricedCards(db: Db, pictureUrl: PictureUrl) {
  const byIds = db.prepare<[string], Omit<NamedCard, 'marketplace_id'> & { printings: string }>(
    `SELECT cards.id, cards.name, number, games.slug AS game_slug, games.name AS game_name,
            sets.name AS set_name, sets.slug AS set_slug, cards.image_url,
            (SELECT json_group_array(json_object('printing', printings.name,
                      'market_price', market_price, 'low_price', low_price) ORDER BY printings.id)
               FROM prices JOIN printings ON printings.id = printing_id
              WHERE prices.card_id = cards.id) AS printings
       FROM cards
       JOIN sets ON sets.id = cards.set_id
       JOIN games ON games.id = cards.game_id
      WHERE cards.id IN (SELECT value FROM json_each(+?))
      ORDER BY cards.id`,
  )

  return {
    /** By id; a card that is not in the catalog is left out. */
    byIds: (ids: Iterable<number>): Map<number, PricedCard> =>
      new Map(
        byIds.all(JSON.stringify([...new Set(ids)])).map(({ printings, ...row }) => {
          const image_url = pictureUrl(row.image_url)
          const card = { ...row, marketplace_id: row.id, image_url }
          return [row.id, { card, printings: JSON.parse(printings) }]
        }),
      ),
  }
}

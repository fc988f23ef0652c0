import { type PictureUrl, withPicture } from '#rules/picture-url.ts'
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
  const select = (more: string) =>
    `SELECT cards.id, cards.name, cards.id AS marketplace_id, number, games.slug AS game_slug,
            games.name AS game_name, sets.name AS set_name, sets.slug AS set_slug,
            cards.image_url${more}
       FROM json_each(+?) AS asked
       CROSS JOIN cards ON cards.id = asked.value
       JOIN sets ON sets.id = cards.set_id
       JOIN games ON games.id = cards.game_id`
  const named = db.prepare<[string], NamedCard>(select(''))
  const priced = db.prepare<[string], NamedCard & { printings: string }>(
    select(`,
            (SELECT json_group_array(json_object('printing', printings.name,
                      'market_price', market_price, 'low_price', low_price) ORDER BY printings.id)
               FROM prices JOIN printings ON printings.id = printing_id
              WHERE prices.card_id = cards.id) AS printings`),
  )

  return {
    /** By id, without what they cost; a card that is not in the catalog is left out. */
    named: (ids: Iterable<number>): NamedCard[] =>
      named.all(listOf(ids)).map((card) => withPicture(card, pictureUrl)),
    /** By id; a card that is not in the catalog is left out. */
    byIds: (ids: Iterable<number>): Map<number, PricedCard> =>
      new Map(
        priced
          .all(listOf(ids))
          .map(({ printings, ...card }) => [
            card.id,
            { card: withPicture(card, pictureUrl), printings: JSON.parse(printings) },
          ]),
      ),
  }
}

/** Each once, as JSON. */
function listOf(ids: Iterable<number>): string {
  return JSON.stringify([...new Set(ids)])
}

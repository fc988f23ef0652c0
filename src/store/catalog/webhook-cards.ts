import type { Db } from '../db.ts'

/** A card as an alert names it; the price in US cents, null where it is not known. */
export type WebhookCard = { card_name: string; price: number | null }

/** Questions about the one price that a watch looks at. */
export function openWebhookCardStore(db: Db) {
  const find = db.prepare<[{ card_id: number; printing: string | null }], WebhookCard>(
    `SELECT name AS card_name,
            (SELECT max(market_price) FROM prices JOIN printings ON printings.id = printing_id
              WHERE card_id = cards.id AND printings.name = ifnull(+@printing, printings.name))
              AS price
       FROM cards WHERE cards.id = +@card_id`,
  )
  return {
    /** @param watch `printing` null: the dearest one */
    get: ({ card_id, printing }: { card_id: number; printing: string | null }) =>
      find.get({ card_id, printing }),
  }
}

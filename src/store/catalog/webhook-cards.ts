import type { Db } from '../db.ts'

/** A card as an alert names it; the price in US cents, null if unknown. */
export type WebhookCard = { card_name: string; price: number | null }

/** Queries for the one price that a webhook refers to. */
export type WebhookCardStore = {
  /** Returns a webhook's card; `printing` null stands for the most expensive one. */
  get(webhook: { card_id: number; printing: string | null }): WebhookCard | undefined
}

export function openWebhookCardStore(db: Db): WebhookCardStore {
  const find = db.prepare<[{ card_id: number; printing: string | null }], WebhookCard>(
    `SELECT name AS card_name,
            (SELECT max(market_price) FROM prices JOIN printings ON printings.id = printing_id
              WHERE card_id = cards.id AND printings.name = ifnull(+@printing, printings.name))
              AS price
       FROM cards WHERE cards.id = +@card_id`,
  )
  return {
    get: ({ card_id, printing }) => find.get({ card_id, printing }),
  }
}

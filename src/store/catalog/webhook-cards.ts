import type { PriceOrigin } from '#rules/pricing/price-view.ts'
import type { Db } from '../db.ts'
import type { ExchangeRateStore } from './sources/exchange-rates.ts'
import { openWatchedPriceStore, type WatchedCard } from './watched-prices.ts'

/** A card as an alert names it; the price in hundredths of the webhook's currency, null if unknown. */
export type WebhookCard = {
  card_name: string
  price: number | null
  /** Undefined without a choice of currency and source, or without a price. */
  origin?: PriceOrigin
}

/** Queries for the one price that a webhook refers to. */
export type WebhookCardStore = {
  /**
   * Returns a webhook's card; `printing` null stands for the most expensive one.
   *
   * @param day whose rates convert
   */
  get(webhook: WatchedCard, day: number): WebhookCard | undefined
}

export function openWebhookCardStore(db: Db, rates: ExchangeRateStore): WebhookCardStore {
  const watchedPrices = openWatchedPriceStore(db, rates)
  const find = db.prepare<
    [{ card_id: number; printing: string | null }],
    Omit<WebhookCard, 'origin'>
  >(
    `SELECT name AS card_name,
            (SELECT max(market_price) FROM prices JOIN printings ON printings.id = printing_id
              WHERE card_id = cards.id AND printings.name = ifnull(+@printing, printings.name))
              AS price
       FROM cards WHERE cards.id = +@card_id`,
  )
  return {
    get(webhook, day) {
      const { card_id, printing, currency } = webhook
      const card = find.get({ card_id, printing })
      if (card === undefined || currency === null) return card
      const { card_name } = card
      const [found] = watchedPrices.find([webhook], day)
      if (found === undefined) return { card_name, price: null }
      return { card_name, price: found.price, origin: found.origin }
    },
  }
}

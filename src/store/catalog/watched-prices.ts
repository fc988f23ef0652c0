import type { AlertRule } from '#rules/alerts/alert-condition.ts'
import { findWatchedPrice } from '#rules/alerts/watched-price.ts'
import { assessPrice, type ConfidenceLevel } from '#rules/pricing/confidence.ts'
import {
  choosePriceView,
  type PriceOrigin,
  type PriceView,
  type RatedList,
  rateView,
} from '#rules/pricing/price-view.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Db } from '../db.ts'
import type { ExchangeRateStore } from './sources/exchange-rates.ts'
import { openPriceFactStore, type PriceFactRecord } from './sources/price-facts.ts'
import { openSourcePriceStore } from './sources/source-prices.ts'

/** A card's price in the currency of its webhook. */
export type WatchedCard = Pick<AlertRule, 'card_id' | 'printing' | 'currency' | 'source'>

export type WatchedPriceRecord = { price: number; origin: PriceOrigin; level: ConfidenceLevel }

/** Queries for prices in the currencies and sources that webhooks have chosen. */
export type WatchedPriceStore = {
  /**
   * Finds prices in the order of their webhooks; undefined if unknown, including currencies whose rates have ended.
   *
   * @param day day of the rates
   */
  find(watched: readonly WatchedCard[], day: number): (WatchedPriceRecord | undefined)[]
}

export function openWatchedPriceStore(
  db: Db,
  rates: Pick<ExchangeRateStore, 'find' | 'listCurrencies'>,
): WatchedPriceStore {
  const facts = openPriceFactStore(db, rates)
  const sourcePrices = openSourcePriceStore(db)

  /** Opens each view once, because there are many webhooks and few currencies. */
  function createViews(day: number) {
    const known = { lists: sourcePrices.listPriceLists(), convertible: rates.listCurrencies() }
    const views = new Map<string, PriceView<RatedList> | undefined>()
    return ({ currency, source }: WatchedCard): PriceView<RatedList> | undefined => {
      const key = JSON.stringify([currency, source])
      if (views.has(key)) return views.get(key)
      const choice = { currency: currency ?? undefined, source: source ?? undefined }
      const chosen = unlessUnknown(() => choosePriceView(choice, known))
      const view =
        chosen && rateView(chosen, (from) => rates.find({ from, to: chosen.currency, day }))
      views.set(key, view)
      return view
    }
  }

  return {
    find(watched, day) {
      const viewOf = createViews(day)
      const byCard = Map.groupBy(
        facts.listByCards(watched.map(({ card_id }) => card_id)),
        ({ card_id }) => card_id,
      )
      return watched.map((one) => {
        const view = viewOf(one)
        const prices: PriceFactRecord[] = byCard.get(one.card_id) ?? []
        const found = view && findWatchedPrice(view, prices, one.printing)
        if (found === undefined) return undefined
        const { price, origin, stored } = found
        return { price, origin, level: assessPrice(stored, day).level }
      })
    },
  }
}

/** Returns undefined for a currency or source that is no longer available. */
function unlessUnknown(choose: () => PriceView): PriceView | undefined {
  try {
    return choose()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'VALIDATION_ERROR') return undefined
    throw error
  }
}

/** A card as an alert describes it; the price is in hundredths of the webhook's currency, null if unknown. */
export type WebhookCard = {
  card_name: string
  price: number | null
  /** Undefined without a choice of currency and source, or without a price. */
  origin?: PriceOrigin
}

/** Queries for the price to which a webhook refers. */
export type WebhookCardStore = {
  /**
   * Returns a webhook's card; `printing` null means the most expensive one.
   *
   * @param day day of the rates
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

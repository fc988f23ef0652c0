import type { PriceOrigin } from '../pricing/price-view.ts'
import { toDollars } from '../primitives/money.ts'
import type { AlertCondition } from './alert-condition.ts'

/** Facts of one alert. Money is in hundredths of a currency. */
export type AlertEvent = {
  card_id: number
  card_name: string
  condition: AlertCondition
  threshold: number
  price: number
  /** Origin of the price; undefined for a webhook without a currency or source. */
  origin?: PriceOrigin | undefined
}

/**
 * Formats the exact body of an alert: the seven fields of the specification (Events), and the origin of the
 * price if the webhook has chosen one.
 */
export function formatAlertBody(
  { card_id, card_name, condition, threshold, price, origin }: AlertEvent,
  at: Date,
): string {
  return JSON.stringify({
    event: 'price_alert',
    card_id,
    card_name,
    condition,
    threshold: toDollars(threshold),
    current_price: toDollars(price),
    timestamp: at.toISOString(),
    ...origin,
  })
}

/** Adds the printing to the body of an alert; null for the most expensive one. */
export function addPrinting(body: string, printing: string | null): string {
  // The body is an object, created by `formatAlertBody`.
  return JSON.stringify({ ...(JSON.parse(body) as object), printing })
}

/** Formats a message id, the same for every attempt. Later messages have greater ids. */
export function messageId(uuidV7: string): string {
  return `msg_${uuidV7.replaceAll('-', '')}`
}

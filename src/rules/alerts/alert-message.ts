import { toDollars } from '../primitives/money.ts'
import type { AlertCondition } from './alert-condition.ts'

/** Facts of one alert. Money is in US cents. */
export type AlertEvent = {
  card_id: number
  card_name: string
  condition: AlertCondition
  threshold: number
  price: number
}

/** Formats the exact body of an alert: the seven fields of the specification (Events). */
export function formatAlertBody(
  { card_id, card_name, condition, threshold, price }: AlertEvent,
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
  })
}

/** Formats a message id, the same for every attempt. Later messages sort after earlier ones. */
export function messageId(uuidV7: string): string {
  return `msg_${uuidV7.replaceAll('-', '')}`
}

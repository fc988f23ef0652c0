import { toDollars } from '../primitives/money.ts'
import type { AlertCondition } from './alert-condition.ts'

/** What an alert tells. Money is US cents. */
export type AlertEvent = {
  card_id: number
  card_name: string
  condition: AlertCondition
  threshold: number
  price: number
}

/** The body of an alert, to the byte as it is sent: the seven fields of the specification (Events). */
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

/** The id of a message, which is the same on every attempt to deliver it; later ones sort behind. */
export function messageId(uuidV7: string): string {
  return `msg_${uuidV7.replaceAll('-', '')}`
}

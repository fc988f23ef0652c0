import type { Webhook } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/alert-form.ts'
import { DOLLARS, moneyText } from '../format.ts'

/** "$12.50 or more" */
export function conditionText({
  condition,
  threshold,
  currency,
}: Pick<Webhook, 'condition' | 'threshold' | 'currency'>) {
  return (condition === 'above' ? texts.orMore : texts.orLess)(moneyText(threshold, currency))
}

/** Names the printing whose price is compared. */
export function printingText(printing: string | null): string {
  return printing ?? texts.mostExpensivePrinting
}

type AlertState = { name: string; tone: 'good' | 'wait' | 'bad' | ''; why?: string }

/** Returns the status of an alert, with the reason if it is not active. */
export function alertState({ status, status_reason }: Webhook): AlertState {
  if (status === 'active') return { name: texts.active, tone: 'good' }
  return STATES[status_reason ?? ''] ?? { name: status, tone: '' }
}

const STATES: Readonly<Record<string, AlertState>> = {
  paused: { name: texts.paused, tone: '', why: texts.pausedByYou },
  tier: {
    name: texts.suspended,
    tone: 'wait',
    why: texts.suspendedByPlan,
  },
  gone: {
    name: texts.stopped,
    tone: 'bad',
    why: texts.webhookAnswered410Gone,
  },
  failing: {
    name: texts.stopped,
    tone: 'bad',
    why: texts.deliveriesFailed,
  },
}

/**
 * Parses an amount with a decimal comma or point; undefined if invalid.
 * A comma before three digits separates thousands: 1,000 must not become $1.
 */
export function parseTypedAmount(typed: string): number | undefined {
  const bare = typed.trim().replace(/^[$€£¥]\s*/, '')
  const hasThousands = /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare)
  const text = hasThousands ? bare.replaceAll(',', '') : bare.replace(',', '.')
  return /^\d+(\.\d*)?$|^\.\d+$/.test(text) ? Number(text) : undefined
}

export function invalidAmount(currency = DOLLARS): string {
  return texts.enterAPrice(currency)
}

/** URL of the alerts page with a query. */
export function alertsUrl(query: Record<string, string | number>): string {
  const params = Object.entries(query).map(([name, value]) => [name, String(value)])
  return params.length === 0 ? ALERTS : `${ALERTS}?${new URLSearchParams(params)}`
}

const ALERTS = '/account/alerts'

/** Guide to payloads and signatures. */
export const ALERTS_GUIDE = '/guides/alerts'

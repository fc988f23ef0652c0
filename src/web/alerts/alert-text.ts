import type { Webhook } from '#client/endpoints.ts'
import { DOLLARS, moneyText } from '../format.ts'

/** "$12.50 or more" */
export function conditionText({
  condition,
  threshold,
  currency,
}: Pick<Webhook, 'condition' | 'threshold' | 'currency'>) {
  return `${moneyText(threshold, currency)} ${condition === 'above' ? 'or more' : 'or less'}`
}

/** Names the printing whose price is compared. */
export function printingText(printing: string | null): string {
  return printing ?? 'Most expensive printing'
}

type AlertState = { name: string; tone: 'good' | 'wait' | 'bad' | ''; why?: string }

/** Returns the status of an alert, with the reason if it is not active. */
export function alertState({ status, status_reason }: Webhook): AlertState {
  if (status === 'active') return { name: 'Active', tone: 'good' }
  return STATES[status_reason ?? ''] ?? { name: status, tone: '' }
}

const STATES: Readonly<Record<string, AlertState>> = {
  paused: { name: 'Paused', tone: '', why: 'Paused by you. No alerts are sent.' },
  tier: {
    name: 'Suspended',
    tone: 'wait',
    why: 'Your plan does not include alerts. No alerts are sent.',
  },
  gone: {
    name: 'Stopped',
    tone: 'bad',
    why: 'Your webhook answered 410 Gone. Resume once it accepts deliveries again.',
  },
  failing: {
    name: 'Stopped',
    tone: 'bad',
    why: 'Deliveries failed for three days. Fix your webhook, send a test, then resume.',
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
  return `Enter a price in ${currency}, such as 12.50.`
}

/** URL of the alerts page with a query. */
export function alertsUrl(query: Record<string, string | number>): string {
  const params = Object.entries(query).map(([name, value]) => [name, String(value)])
  return params.length === 0 ? ALERTS : `${ALERTS}?${new URLSearchParams(params)}`
}

const ALERTS = '/account/alerts'

/** Guide to payloads and signatures. */
export const ALERTS_GUIDE = '/guides/alerts'

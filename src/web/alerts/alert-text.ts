import type { Webhook } from '#client/endpoints.ts'
import type { ApiError } from '../api.ts'
import { usd } from '../format.ts'

/** "at or above $12.50" */
export function conditionText({ condition, threshold }: Pick<Webhook, 'condition' | 'threshold'>) {
  return `${condition === 'above' ? 'at or above' : 'at or below'} ${usd(threshold)}`
}

/** Which of a card's prices counts. */
export function printingText(printing: string | null): string {
  return printing ?? 'Dearest printing'
}

type AlertState = { name: string; tone: 'good' | 'wait' | 'bad' | ''; why?: string }

/** How a watch stands, and why it does not tell anything where it does not. */
export function alertState({ status, status_reason }: Webhook): AlertState {
  if (status === 'active') return { name: 'Active', tone: 'good' }
  return STATES[status_reason ?? ''] ?? { name: status, tone: '' }
}

const STATES: Readonly<Record<string, AlertState>> = {
  paused: { name: 'Paused', tone: '', why: 'You paused it. It looks on, and tells nothing.' },
  tier: {
    name: 'Asleep',
    tone: 'wait',
    why: 'Your plan has no alerts. It looks on, and tells nothing.',
  },
  gone: {
    name: 'Stopped',
    tone: 'bad',
    why: 'Your address answered 410: it wants no more messages. Resume when it does.',
  },
  failing: {
    name: 'Stopped',
    tone: 'bad',
    why: 'Messages to your address failed for three days. Mend it, send a test, then resume.',
  },
}

/** What can be wrong with the fields of a watch, by the field's name. */
export type AlertFieldErrors = { url?: string; threshold?: string; printing?: string }

/** Where a refusal belongs; nothing where it is of no field. */
export function alertFieldErrors(error: ApiError | undefined): AlertFieldErrors {
  if (error === undefined) return {}
  if (error.code === 'INVALID_WEBHOOK_URL') return { url: error.message }
  const field = /^"?(url|threshold|printing)\b/.exec(error.message)?.[1]
  return error.code === 'VALIDATION_ERROR' && field !== undefined ? { [field]: error.message } : {}
}

/** What a refusal says that no field shows. */
export function formLevelError(error: ApiError | undefined): ApiError | undefined {
  return Object.keys(alertFieldErrors(error)).length === 0 ? error : undefined
}

/**
 * US dollars as they were typed, with a comma or a point; undefined: that is no amount. A comma before
 * three digits parts thousands: nobody is told at $1 who wrote 1,000.
 */
export function parseDollars(typed: string): number | undefined {
  const bare = typed.trim().replace(/^\$\s*/, '')
  const hasThousands = /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare)
  const text = hasThousands ? bare.replaceAll(',', '') : bare.replace(',', '.')
  return /^\d+(\.\d*)?$|^\.\d+$/.test(text) ? Number(text) : undefined
}

export const INVALID_AMOUNT = 'Give US dollars, such as 12.50.'

/** Where the page shows something else than all watches. */
export function alertsUrl(query: Record<string, string | number>): string {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)])
  return given.length === 0 ? ALERTS : `${ALERTS}?${new URLSearchParams(given)}`
}

const ALERTS = '/account/alerts'

/** How messages look, how they are signed, and how that is checked. */
export const ALERTS_GUIDE = '/guides/alerts'

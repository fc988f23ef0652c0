import { isTierAtLeast, TIERS } from '#rules/accounts/tiers.ts'
import type { Db } from '../db.ts'

/** Lowest tier that receives alerts. */
export const ALERTS_TIER = 'pro'

const ALERT_TIERS = TIERS.filter((tier) => isTierAtLeast(tier, ALERTS_TIER))
  .map((tier) => `'${tier}'`)
  .join(', ')

/** Condition on `webhooks` joined to `accounts`: paused, disabled, or below the required tier. */
export const MUTED_SQL = `(is_paused = 1 OR disabled_for IS NOT NULL OR tier NOT IN (${ALERT_TIERS}))`

/** Makes waiting deliveries due now. The caller provides the transaction. */
export type DeliveryResumer = {
  /** Resumes one webhook. */
  ofWebhook(id: string, now: Date): void
  /** Resumes all webhooks of an account. */
  ofAccount(id: number, now: Date): void
}

export function resumeDeliveries(db: Db): DeliveryResumer {
  const prepareResume = (webhookIds: string) =>
    db.prepare<[number, string | number]>(
      `UPDATE deliveries INDEXED BY deliveries_waiting SET next_at = min(next_at, ?)
        WHERE state = 'pending' AND owner IS NULL AND webhook_id IN (${webhookIds})`,
    )
  const ofWebhook = prepareResume('?')
  const ofAccount = prepareResume('SELECT id FROM webhooks WHERE account_id = ?')

  return {
    ofWebhook: (id, now) => void ofWebhook.run(now.getTime(), id),
    ofAccount: (id, now) => void ofAccount.run(now.getTime(), id),
  }
}

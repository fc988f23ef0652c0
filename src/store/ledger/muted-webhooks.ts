import { isTierAtLeast, TIERS } from '#rules/accounts/tiers.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'

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
  ofWebhook(id: string, now: Date): LedgerOperation<number>
  /** Resumes all webhooks of an account. */
  ofAccount(id: number, now: Date): LedgerOperation<number>
}

export function resumeDeliveries(engine: LedgerEngine): DeliveryResumer {
  const prepareResume = <Of extends string | number>(webhookIds: string) =>
    engine.prepare<[{ of: Of; at: number }]>(
      `UPDATE deliveries INDEXED BY deliveries_waiting SET next_at = clock(@at)
        WHERE state = 'pending' AND owner IS NULL AND next_at > clock(@at) AND webhook_id IN (${webhookIds})`,
    )
  const ofWebhook = prepareResume<string>('@of')
  const ofAccount = prepareResume<number>('SELECT id FROM webhooks WHERE account_id = @of')

  return {
    ofWebhook: (id, now) => ofWebhook.run({ of: id, at: now.getTime() }),
    ofAccount: (id, now) => ofAccount.run({ of: id, at: now.getTime() }),
  }
}

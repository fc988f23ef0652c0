import { type Db, inTransaction } from '../db.ts'
import type { DeliveryAttemptRow, DeliveryRow, WebhookRow } from './schema.ts'
import type { DisabledFor } from './webhooks.ts'

/** An attempt to deliver a message. */
export type DeliveryAttempt = DeliveryAttemptRow

/** Outcome of an attempt: delivered, retried later, or given up. */
export type DeliveryOutcome =
  | { kind: 'delivered' }
  | { kind: 'again'; next_at: Date }
  | { kind: 'dead'; disabled_for?: DisabledFor }

/** Decides whether a webhook is disabled after failing so often, for so long. */
export type ShouldDisable = (failures: number, failingSince: number) => boolean

/** Outcomes of delivery attempts. */
export type DeliveryOutcomes = {
  /** Returns how many attempts this process has recorded since it opened the file, by outcome. */
  getCounts(): Readonly<Record<DeliveryOutcome['kind'], number>>
  /**
   * Records an attempt and its outcome; false if its owner has lost the lease.
   * @param wanted outcome if the webhook still has the URL that was tried
   * @param shouldDisable undefined if the attempt says nothing about its webhook
   */
  record(
    attempt: DeliveryAttempt & { owner: string; url: string },
    wanted: DeliveryOutcome,
    shouldDisable: ShouldDisable | undefined,
  ): Promise<boolean>
}

export function openDeliveryOutcomes(db: Db): DeliveryOutcomes {
  const attempt = db.prepare<[DeliveryAttempt]>(
    `INSERT INTO delivery_attempts (delivery_id, at, status, error, latency_ms, answer)
     VALUES (@delivery_id, @at, @status, @error, @latency_ms, @answer)`,
  )
  const end = db.prepare<[string, number, string, string], Pick<DeliveryRow, 'webhook_id'>>(
    `UPDATE deliveries SET state = ?, ended_at = ?, tries = tries + 1, owner = NULL
      WHERE id = ? AND owner = ? RETURNING webhook_id`,
  )
  const again = db.prepare<[number, string, string], Pick<DeliveryRow, 'webhook_id'>>(
    `UPDATE deliveries SET next_at = ?, tries = tries + 1, owner = NULL
      WHERE id = ? AND owner = ? RETURNING webhook_id`,
  )
  const urlOf = db
    .prepare<[string], string>(
      'SELECT url FROM deliveries JOIN webhooks ON webhooks.id = webhook_id WHERE deliveries.id = +?',
    )
    .pluck()
  const applyToWebhook = prepareWebhookEffect(db)
  const tally: Record<DeliveryOutcome['kind'], number> = { delivered: 0, again: 0, dead: 0 }

  return {
    getCounts: () => tally,
    async record({ owner, url, ...made }, wanted, disable) {
      const { delivery_id, at, latency_ms } = made
      const followed = inTransaction(db, () => {
        const isMoved = urlOf.get(delivery_id) !== url
        // A delivery that the old URL refused goes to the new URL.
        const isRetried = isMoved && disable !== undefined && wanted.kind !== 'delivered'
        const outcome: DeliveryOutcome = isRetried
          ? { kind: 'again', next_at: new Date(at + latency_ms) }
          : wanted
        const held =
          outcome.kind === 'again'
            ? again.get(outcome.next_at.getTime(), delivery_id, owner)
            : end.get(outcome.kind, at + latency_ms, delivery_id, owner)
        if (held === undefined) return undefined
        attempt.run(made)
        if (disable !== undefined && !isMoved) applyToWebhook(held.webhook_id, at, outcome, disable)
        return outcome.kind
      })
      if (followed !== undefined) tally[followed]++
      return followed !== undefined
    },
  }
}

/** Prepares the effect of an attempt on its webhook; the caller provides the transaction. */
function prepareWebhookEffect(db: Db) {
  const succeed = db.prepare<[string]>(
    'UPDATE webhooks SET failures = 0, failing_since = NULL WHERE id = ? AND failures > 0',
  )
  const fail = db.prepare<[number, string], Pick<WebhookRow, 'failures' | 'failing_since'>>(
    `UPDATE webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, ?)
      WHERE id = ? RETURNING failures, failing_since`,
  )
  const disable = db.prepare<[DisabledFor, number, string]>(
    'UPDATE webhooks SET disabled_for = ?, updated_at = ? WHERE id = ? AND disabled_for IS NULL',
  )

  return (id: string, at: number, outcome: DeliveryOutcome, shouldDisable: ShouldDisable): void => {
    if (outcome.kind === 'delivered') return void succeed.run(id)
    const failing = fail.get(at, id)
    const reason = outcome.kind === 'dead' ? outcome.disabled_for : undefined
    if (reason !== undefined) disable.run(reason, at, id)
    else if (
      failing !== undefined &&
      shouldDisable(failing.failures, failing.failing_since ?? at)
    ) {
      disable.run('failing', at, id)
    }
  }
}

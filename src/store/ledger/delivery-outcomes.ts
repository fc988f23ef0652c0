import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { DeliveryAttemptRow, DeliveryRow, WebhookRow } from './schema/alerts.ts'
import type { DisabledFor } from './webhooks.ts'

/** An attempt to deliver a message. */
export type DeliveryAttempt = DeliveryAttemptRow

/** Outcome of an attempt: delivered, retried later, or given up. */
export type DeliveryOutcome =
  | { kind: 'delivered' }
  | { kind: 'again'; delayMs: number }
  | { kind: 'dead'; disabled_for?: DisabledFor }

/** Decides whether a webhook is disabled after failing so often, since a time until now (epoch milliseconds). */
export type ShouldDisable = (failures: number, failingSince: number, now: number) => boolean

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
    attempt: DeliveryAttempt & { owner: string; url: string; now: Date },
    wanted: DeliveryOutcome,
    shouldDisable: ShouldDisable | undefined,
  ): Promise<boolean>
}

export function openDeliveryOutcomes(engine: LedgerEngine): DeliveryOutcomes {
  const { transact } = engine
  const attempt = engine.prepare<[DeliveryAttempt]>(
    `INSERT INTO delivery_attempts (delivery_id, at, status, error, latency_ms, answer)
     VALUES (@delivery_id, @at, @status, @error, @latency_ms, @answer)`,
  )
  const end = engine.prepare<[string, number, string, string], Pick<DeliveryRow, 'webhook_id'>>(
    `UPDATE deliveries SET state = ?, ended_at = ?, tries = tries + 1, owner = NULL
      WHERE id = ? AND owner = ? RETURNING webhook_id`,
  )
  const again = engine.prepare<
    [{ id: string; owner: string; now: number; delayMs: number }],
    Pick<DeliveryRow, 'webhook_id'>
  >(
    `UPDATE deliveries SET next_at = clock(@now) + @delayMs, tries = tries + 1, owner = NULL
      WHERE id = @id AND owner = @owner RETURNING webhook_id`,
  )
  const urlOf = engine.prepare<[string], Pick<WebhookRow, 'url'>>(
    'SELECT url FROM deliveries JOIN webhooks ON webhooks.id = webhook_id WHERE deliveries.id = +?',
  )
  const applyToWebhook = prepareWebhookEffect(engine)
  const tally: Record<DeliveryOutcome['kind'], number> = { delivered: 0, again: 0, dead: 0 }

  return {
    getCounts: () => tally,
    async record({ owner, url, now: recordedAt, ...made }, wanted, disable) {
      const { delivery_id: id, at, latency_ms } = made
      const now = recordedAt.getTime()
      const followed = await transact(function* () {
        const isMoved = (yield* urlOf.get(id))?.url !== url
        // A delivery that the old URL refused goes to the new URL.
        const isRetried = isMoved && disable !== undefined && wanted.kind !== 'delivered'
        const outcome: DeliveryOutcome = isRetried ? { kind: 'again', delayMs: 0 } : wanted
        const held =
          outcome.kind === 'again'
            ? yield* again.get({ id, owner, now, delayMs: outcome.delayMs })
            : yield* end.get(outcome.kind, at + latency_ms, id, owner)
        if (held === undefined) return undefined
        yield* attempt.run(made)
        if (disable !== undefined && !isMoved) {
          yield* applyToWebhook(held.webhook_id, at, outcome, disable)
        }
        return outcome.kind
      })
      if (followed !== undefined) tally[followed]++
      return followed !== undefined
    },
  }
}

/** Prepares the effect of an attempt on its webhook; the caller provides the transaction. */
function prepareWebhookEffect(engine: LedgerEngine) {
  const succeed = engine.prepare<[string]>(
    'UPDATE webhooks SET failures = 0, failing_since = NULL WHERE id = ? AND failures > 0',
  )
  const fail = engine.prepare<
    [{ id: string; at: number }],
    Pick<WebhookRow, 'failures' | 'failing_since'> & { time: number }
  >(
    `UPDATE webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, clock(@at))
      WHERE id = @id RETURNING failures, failing_since, clock(@at) AS time`,
  )
  const disable = engine.prepare<[DisabledFor, number, string]>(
    'UPDATE webhooks SET disabled_for = ?, updated_at = ? WHERE id = ? AND disabled_for IS NULL',
  )

  return function* (
    id: string,
    at: number,
    outcome: DeliveryOutcome,
    shouldDisable: ShouldDisable,
  ): LedgerOperation<void> {
    if (outcome.kind === 'delivered') {
      yield* succeed.run(id)
      return
    }
    const failing = yield* fail.get({ id, at })
    const reason = outcome.kind === 'dead' ? outcome.disabled_for : undefined
    if (reason !== undefined) yield* disable.run(reason, at, id)
    else if (
      failing !== undefined &&
      shouldDisable(failing.failures, failing.failing_since ?? failing.time, failing.time)
    ) {
      yield* disable.run('failing', at, id)
    }
  }
}

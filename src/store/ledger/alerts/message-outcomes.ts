import { messageId } from '#rules/alerts/alert-message.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { AlertChannelRow, AlertMessageRow, MessageAttemptRow } from '../schema/alerts.ts'
import { prepareDiscard, type StoppedFor } from './channels.ts'

/** An attempt to deliver a message. */
export type MessageAttempt = MessageAttemptRow

/** Outcome of an attempt: delivered, retried later, or given up. */
export type MessageOutcome =
  | { kind: 'delivered' }
  | { kind: 'again'; delayMs: number }
  | { kind: 'dead'; stops?: StoppedFor }

/** Decides whether a channel is disabled after this number of failures since a time (epoch milliseconds) until now. */
export type ShouldDisable = (failures: number, failingSince: number, now: number) => boolean

/** An attempt with its lease, and the tried URL; null for channels whose address is a secret. */
export type AttemptRecord = MessageAttempt & { owner: string; url: string | null; now: Date }

/** Outcomes of attempts. */
export type MessageOutcomes = {
  /** Returns the number of webhook attempts that this process has recorded since it opened the file, by outcome. */
  getCounts(): Readonly<Record<MessageOutcome['kind'], number>>
  /**
   * Records an attempt and its outcome; false if its owner has lost the lease. If a person's channel stops, its
   * account is notified, and its other messages are deleted.
   *
   * @param wanted outcome if the channel still has the tried URL
   * @param shouldDisable undefined if a failure is not caused by the channel
   */
  record(
    attempt: AttemptRecord,
    wanted: MessageOutcome,
    shouldDisable: ShouldDisable | undefined,
  ): Promise<boolean>
}

export function openMessageOutcomes(engine: LedgerEngine): MessageOutcomes {
  const addAttempt = engine.prepare<[MessageAttempt]>(
    `INSERT INTO message_attempts (message_id, at, status, error, latency_ms, answer)
     VALUES (@message_id, @at, @status, @error, @latency_ms, @answer)`,
  )
  const end = engine.prepare<[string, number, string, string], EndedMessage>(
    `UPDATE alert_messages SET state = ?, ended_at = ?, tries = tries + 1, owner = NULL
      WHERE id = ? AND owner = ? RETURNING channel_id, channel_kind`,
  )
  const again = engine.prepare<
    [{ id: string; owner: string; now: number; delayMs: number }],
    EndedMessage
  >(
    `UPDATE alert_messages SET next_at = clock(@now) + @delayMs, tries = tries + 1, owner = NULL
      WHERE id = @id AND owner = @owner RETURNING channel_id, channel_kind`,
  )
  const urlOf = engine.prepare<[string], Pick<AlertChannelRow, 'url'>>(
    `SELECT url FROM alert_messages JOIN alert_channels ON alert_channels.id = channel_id
      WHERE alert_messages.id = +?`,
  )
  const putError = engine.prepare<[{ id: string; error: string | null }]>(
    `UPDATE alert_channels SET last_error = @error
      WHERE id = @id AND coalesce(last_error, '') <> coalesce(@error, '')`,
  )
  const endFailures = engine.prepare<[string]>(
    'UPDATE alert_channels SET failures = 0, failing_since = NULL WHERE id = ? AND failures > 0',
  )
  const countFailure = prepareFailureCount(engine)
  const endChannel = prepareChannelEnd(engine)
  const tally: Record<MessageOutcome['kind'], number> = { delivered: 0, again: 0, dead: 0 }

  return {
    getCounts: () => tally,
    async record({ owner, url, now: recordedAt, ...made }, wanted, disable) {
      const { message_id: id, at, latency_ms, error } = made
      const now = recordedAt.getTime()
      const recorded = await engine.transact(function* () {
        const isMoved = (yield* urlOf.get(id))?.url !== url
        // A delivery refused by the old URL goes to the new URL.
        const isRetried = isMoved && disable !== undefined && wanted.kind !== 'delivered'
        const outcome: MessageOutcome = isRetried ? { kind: 'again', delayMs: 0 } : wanted
        const message =
          outcome.kind === 'again'
            ? yield* again.get({ id, owner, now, delayMs: outcome.delayMs })
            : yield* end.get(outcome.kind, at + latency_ms, id, owner)
        if (message === undefined) return undefined
        const { channel_id, channel_kind } = message
        yield* addAttempt.run(made)
        if (isMoved) return { outcome, channel_kind }
        yield* putError.run({ id: channel_id, error })
        if (outcome.kind === 'delivered') {
          // A test that reaches a person shows that the channel works.
          const isWorking = disable !== undefined || channel_kind !== 'webhook'
          if (isWorking) yield* endFailures.run(channel_id)
          return { outcome, channel_kind }
        }
        const isStopped =
          disable !== undefined && (yield* countFailure(channel_id, at, outcome, disable))
        if (isStopped && channel_kind !== 'webhook') yield* endChannel(message, at)
        return { outcome, channel_kind }
      })
      if (recorded?.channel_kind === 'webhook') tally[recorded.outcome.kind]++
      return recorded !== undefined
    },
  }
}

type EndedMessage = Pick<AlertMessageRow, 'channel_id' | 'channel_kind'>

/** Prepares the count of a failed attempt; true if the channel stops. The caller provides the transaction. */
function prepareFailureCount(engine: LedgerEngine) {
  const fail = engine.prepare<
    [{ id: string; at: number }],
    Pick<AlertChannelRow, 'failures' | 'failing_since'> & { time: number }
  >(
    `UPDATE alert_channels SET failures = failures + 1, failing_since = coalesce(failing_since, clock(@at))
      WHERE id = @id RETURNING failures, failing_since, clock(@at) AS time`,
  )
  const disable = engine.prepare<[StoppedFor, number, string]>(
    'UPDATE alert_channels SET disabled_for = ?, updated_at = ? WHERE id = ? AND disabled_for IS NULL',
  )

  return function* (
    id: string,
    at: number,
    outcome: MessageOutcome,
    shouldDisable: ShouldDisable,
  ): LedgerOperation<boolean> {
    const failing = yield* fail.get({ id, at })
    if (failing === undefined) return false
    const { failures, failing_since, time } = failing
    const isExhausted = shouldDisable(failures, failing_since ?? time, time)
    const reason =
      (outcome.kind === 'dead' ? outcome.stops : undefined) ?? (isExhausted ? 'failing' : undefined)
    return reason !== undefined && (yield* disable.run(reason, at, id)) === 1
  }
}

/** Prepares ending a person's channel and notifying its account. The caller provides the transaction. */
function prepareChannelEnd(engine: LedgerEngine) {
  const discard = prepareDiscard(engine)
  const notify = engine.prepare<[{ id: string; body: string; channel_id: string; at: number }]>(
    `INSERT INTO notifications (id, account_id, kind, source_id, body, created_at)
     SELECT @id, account_id, 'channel', id, @body, @at FROM alert_channels WHERE id = @channel_id`,
  )
  return function* (
    { channel_id, channel_kind: kind }: EndedMessage,
    at: number,
  ): LedgerOperation<void> {
    yield* discard(channel_id)
    const id = messageId(Bun.randomUUIDv7())
    yield* notify.run({ id, body: JSON.stringify({ kind }), channel_id, at })
  }
}

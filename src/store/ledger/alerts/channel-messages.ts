import type { DeliveryLease } from '../deliveries.ts'
import type { ShouldDisable } from '../delivery-outcomes.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { AlertChannelRow, ChannelMessageRow } from '../schema/alerts.ts'
import { ACTIVE_CHANNEL_SQL, prepareDiscard, type StoppedFor } from './channels.ts'
import { type MessageQueue, openMessageQueue } from './message-queue.ts'

/** A leased message with everything needed to send it. */
export type DueMessage = Pick<
  ChannelMessageRow,
  'id' | 'channel_id' | 'account_id' | 'host' | 'kind' | 'body' | 'tries'
> & { receiver_id: string; channel_kind: AlertChannelRow['kind'] } & Pick<AlertChannelRow, 'target'>

/** A message of one channel: a test that its owner has leased, or the mail that asks for a confirmation. */
export type NewMessage = Pick<ChannelMessageRow, 'id' | 'channel_id' | 'kind' | 'body' | 'owner'>

/** Outcome of an attempt: delivered, retried later, or given up. */
export type MessageOutcome =
  | { kind: 'delivered' }
  | { kind: 'again'; delayMs: number; error: string }
  | { kind: 'dead'; error: string; stops?: StoppedFor }

/** Messages of channels. */
export type ChannelMessageStore = MessageQueue & {
  /** Leases free due messages, one per channel at a time. */
  lease(lease: DeliveryLease, ids: readonly string[]): Promise<DueMessage[]>
  /** Adds a message of one channel, due now; leased for `leaseMs` if it has an owner. */
  create(message: NewMessage, leaseMs: number, now: Date): Promise<DueMessage | undefined>
  /**
   * Records the outcome of an attempt; false if its owner has lost the lease. A channel that stops gets a
   * notification with the id and body of `notice`.
   *
   * @param shouldStop undefined if the attempt says nothing about the channel
   */
  record(
    attempt: { id: string; channel_id: string; owner: string; now: Date },
    outcome: MessageOutcome,
    shouldStop: ShouldDisable | undefined,
    notice: { id: string; body: string },
  ): Promise<boolean>
  /** Deletes at most `limit` messages created before a time. @returns how many */
  deleteBefore(time: Date, limit: number): Promise<number>
}

export function openChannelMessageStore(engine: LedgerEngine): ChannelMessageStore {
  const { query, transact } = engine
  const takeLease = engine.prepare<[{ id: string; owner: string; at: number; leaseMs: number }]>(
    `UPDATE channel_messages SET owner = @owner, next_at = clock(@at) + @leaseMs
      WHERE id = @id AND state = 'pending' AND next_at <= clock(@at)
        AND NOT EXISTS (SELECT 1 FROM channel_messages AS held INDEXED BY channel_messages_held
          WHERE held.channel_id = channel_messages.channel_id AND held.owner IS NOT NULL
            AND held.next_at > clock(@at))`,
  )
  const due = engine.prepare<[string], DueMessage>(
    `SELECT channel_messages.id, channel_id, channel_id AS receiver_id,
            channel_messages.account_id, channel_messages.host, channel_messages.kind, body, tries,
            alert_channels.kind AS channel_kind, target
       FROM channel_messages JOIN alert_channels ON alert_channels.id = channel_id
      WHERE channel_messages.id = ?`,
  )
  const add = engine.prepare<[NewMessage & { at: number; leaseMs: number }]>(
    `INSERT INTO channel_messages
       (id, channel_id, account_id, host, kind, body, state, next_at, owner, created_at)
     SELECT @id, id, account_id, host, @kind, @body, 'pending', clock(@at) + @leaseMs, @owner, @at
       FROM alert_channels WHERE id = @channel_id`,
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM channel_messages WHERE id IN
       (SELECT id FROM channel_messages WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
  )

  return {
    ...openMessageQueue(engine, { table: 'channel_messages', receiver: 'channel_id' }),
    lease: ({ owner, now, leaseMs }, ids) =>
      transact(function* () {
        const leased: DueMessage[] = []
        for (const id of ids) {
          if ((yield* takeLease.run({ id, owner, at: now.getTime(), leaseMs })) === 0) continue
          const message = yield* due.get(id)
          if (message !== undefined) leased.push(message)
        }
        return leased
      }),
    create: (message, leaseMs, now) =>
      transact(function* () {
        yield* add.run({ ...message, at: now.getTime(), leaseMs })
        return yield* due.get(message.id)
      }),
    record: prepareRecord(engine),
    deleteBefore: (time, limit) => query(forget.run(time.getTime(), limit)),
  }
}

/** Prepares the recording of outcomes. */
function prepareRecord(engine: LedgerEngine): ChannelMessageStore['record'] {
  const end = engine.prepare<[{ id: string; owner: string; state: string; at: number }]>(
    `UPDATE channel_messages SET state = @state, ended_at = @at, tries = tries + 1, owner = NULL
      WHERE id = @id AND owner = @owner AND state = 'pending'`,
  )
  const again = engine.prepare<[{ id: string; owner: string; at: number; delayMs: number }]>(
    `UPDATE channel_messages SET next_at = clock(@at) + @delayMs, tries = tries + 1, owner = NULL
      WHERE id = @id AND owner = @owner AND state = 'pending'`,
  )
  const succeed = engine.prepare<[string]>(
    `UPDATE alert_channels SET failures = 0, failing_since = NULL, last_error = NULL
      WHERE id = ? AND (failures > 0 OR last_error IS NOT NULL)`,
  )
  const fail = engine.prepare<
    [{ id: string; at: number; error: string }],
    Pick<AlertChannelRow, 'account_id' | 'failures' | 'failing_since'> & { time: number }
  >(
    `UPDATE alert_channels SET failures = failures + 1, last_error = @error,
       failing_since = coalesce(failing_since, clock(@at))
      WHERE id = @id RETURNING account_id, failures, failing_since, clock(@at) AS time`,
  )
  const stop = engine.prepare<[StoppedFor, number, string]>(
    `UPDATE alert_channels SET disabled_for = ?, updated_at = ? WHERE id = ? AND ${ACTIVE_CHANNEL_SQL}`,
  )
  const notify = engine.prepare<[Notice]>(
    `INSERT INTO notifications (id, account_id, kind, source_id, body, created_at)
     VALUES (@id, @account_id, 'channel', @source_id, @body, @created_at)`,
  )
  const discard = prepareDiscard(engine)

  return ({ id, channel_id, owner, now }, outcome, shouldStop, notice) =>
    engine.transact(function* (): LedgerOperation<boolean> {
      const at = now.getTime()
      const written =
        outcome.kind === 'again'
          ? yield* again.run({ id, owner, at, delayMs: outcome.delayMs })
          : yield* end.run({ id, owner, state: outcome.kind, at })
      if (written === 0) return false
      if (outcome.kind === 'delivered') {
        yield* succeed.run(channel_id)
        return true
      }
      const channel = yield* fail.get({ id: channel_id, at, error: outcome.error })
      if (channel === undefined || shouldStop === undefined) return true
      const { account_id, failures, failing_since, time } = channel
      const isExhausted = shouldStop(failures, failing_since ?? time, time)
      const reason =
        (outcome.kind === 'dead' ? outcome.stops : undefined) ??
        (isExhausted ? 'failing' : undefined)
      if (reason === undefined || (yield* stop.run(reason, at, channel_id)) === 0) return true
      yield* discard(channel_id)
      yield* notify.run({ ...notice, account_id, source_id: channel_id, created_at: at })
      return true
    })
}

type Notice = {
  id: string
  body: string
  account_id: number
  source_id: string
  created_at: number
}

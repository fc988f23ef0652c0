import type { RowPage, RowWindow } from '../../rows.ts'
import type { Lease, LeaseParameters, LedgerEngine } from '../engine/operation.ts'
import type { AlertChannelRow, AlertMessageRow } from '../schema/alerts.ts'
import { BELOW_TIER_SQL, STOPPED_SQL } from './channels.ts'
import {
  type MessageAttempt,
  type MessageOutcomes,
  openMessageOutcomes,
} from './message-outcomes.ts'
import { type MessageQueue, openMessageQueue } from './message-queue.ts'

/** A message of a channel; those of webhooks are called deliveries. Times are epoch milliseconds. */
export type Message = AlertMessageRow

/** A leased message with everything needed to send it. */
export type DueMessage = Pick<
  Message,
  | 'id'
  | 'channel_id'
  | 'channel_kind'
  | 'account_id'
  | 'host'
  | 'kind'
  | 'body'
  | 'tries'
  | 'created_at'
> &
  Pick<AlertChannelRow, 'url' | 'secret' | 'old_secret' | 'old_secret_until'> & {
    receiver_id: string
  }

/** Owner and duration of a lease; messages of muted webhooks are checked again after `pausedMs`. */
export type MessageLease = Lease & { pausedMs: number }

/** A message of one channel: a test that its owner has leased, or the mail that requests a confirmation. */
export type NewMessage = Pick<Message, 'id' | 'channel_id' | 'kind' | 'body' | 'owner'>

/** Maximum numbers of leased webhook tests, per account and in total. */
export type TestLimits = { perAccount: number; total: number }

/** Messages of channels, their attempts and their outcomes. */
export type MessageStore = MessageQueue & MessageOutcomes & MessageLeases & MessageLog

export function openMessageStore(engine: LedgerEngine): MessageStore {
  return {
    ...openMessageQueue(engine),
    ...openMessageOutcomes(engine),
    ...openMessageLeases(engine),
    ...openMessageLog(engine),
  }
}

/** Leases of messages, and creation of messages with a lease. */
export type MessageLeases = {
  /** Leases unleased due messages, one per channel at a time; postpones those of muted webhooks. */
  lease(lease: MessageLease, ids: readonly string[]): Promise<DueMessage[]>
  /**
   * Creates a message of one channel, due now; leased for `leaseMs` if it has an owner.
   *
   * @param max undefined for no limit
   * @returns undefined if the channel was deleted, or the limit is reached
   */
  create(
    message: NewMessage,
    leaseMs: number,
    now: Date,
    max?: TestLimits,
  ): Promise<DueMessage | undefined>
}

/** Condition on `alert_channels` joined to `accounts`: alerts have to wait. */
const MUTED_SQL = `(${STOPPED_SQL} OR alert_channels.kind = 'webhook' AND ${BELOW_TIER_SQL})`

function openMessageLeases(engine: LedgerEngine): MessageLeases {
  const { transact } = engine
  const takeLease = engine.prepare<[LeaseParameters & { id: string }]>(
    `UPDATE alert_messages SET owner = @owner, next_at = clock(@at) + @leaseMs
      WHERE id = @id AND state = 'pending' AND next_at <= clock(@at)
        AND NOT EXISTS (SELECT 1 FROM alert_messages AS held INDEXED BY alert_messages_held
          WHERE held.channel_id = alert_messages.channel_id AND held.owner IS NOT NULL
            AND held.next_at > clock(@at))
        AND (kind <> 'alert' OR NOT EXISTS (SELECT 1
          FROM alert_channels JOIN accounts ON accounts.id = account_id
          WHERE alert_channels.id = alert_messages.channel_id AND ${MUTED_SQL}))`,
  )
  const postpone = engine.prepare<[{ id: string; at: number; pausedMs: number }]>(
    `UPDATE alert_messages INDEXED BY alert_messages_waiting
        SET next_at = clock(@at) + @pausedMs, owner = NULL
      WHERE state = 'pending' AND next_at <= clock(@at) AND kind = 'alert' AND channel_id =
        (SELECT alert_channels.id FROM alert_messages AS wanted
           JOIN alert_channels ON alert_channels.id = wanted.channel_id
           JOIN accounts ON accounts.id = alert_channels.account_id
          WHERE wanted.id = @id AND ${MUTED_SQL})`,
  )
  const due = engine.prepare<[string], DueMessage>(
    `SELECT alert_messages.id, channel_id, channel_id AS receiver_id, channel_kind,
            alert_messages.account_id, alert_messages.host, alert_messages.kind, body, tries,
            alert_messages.created_at, url, secret, old_secret, old_secret_until
       FROM alert_messages JOIN alert_channels ON alert_channels.id = channel_id
      WHERE alert_messages.id = +?`,
  )
  const add = engine.prepare<[NewMessage & { at: number; leaseMs: number }]>(
    `INSERT INTO alert_messages
       (id, channel_id, account_id, host, channel_kind, kind, body, state, next_at, owner, created_at)
     SELECT @id, id, account_id, host, kind, @kind, @body, 'pending', clock(@at) + @leaseMs, @owner, @at
       FROM alert_channels WHERE id = @channel_id`,
  )
  const testsLeased = engine.prepare<
    [{ channel_id: string; at: number }],
    { own: number; total: number }
  >(
    `SELECT count(*) AS total, count(*) FILTER (WHERE account_id =
              (SELECT account_id FROM alert_channels WHERE id = @channel_id)) AS own
       FROM alert_messages INDEXED BY alert_messages_held
      WHERE owner IS NOT NULL AND kind = 'test' AND channel_kind = 'webhook'
        AND next_at > clock(@at)`,
  )

  return {
    lease: ({ owner, now, leaseMs, pausedMs }, ids) =>
      transact(function* () {
        const at = now.getTime()
        const leased: DueMessage[] = []
        for (const id of ids) {
          const isLeased = (yield* takeLease.run({ id, owner, at, leaseMs })) === 1
          if (!isLeased) yield* postpone.run({ id, at, pausedMs })
          const message = isLeased ? yield* due.get(id) : undefined
          if (message !== undefined) leased.push(message)
        }
        return leased
      }),
    create: (message, leaseMs, now, max) =>
      transact(function* () {
        const at = now.getTime()
        const { channel_id } = message
        if (max !== undefined) {
          const held = yield* testsLeased.get({ channel_id, at })
          const { own = 0, total = 0 } = held ?? {}
          if (own >= max.perAccount || total >= max.total) return undefined
        }
        yield* add.run({ ...message, at, leaseMs })
        return yield* due.get(message.id)
      }),
  }
}

/** Past and pending messages of a channel. */
export type MessageLog = {
  /** Returns one page of a channel's messages, newest first. */
  list(channel_id: string, window: RowWindow): Promise<RowPage<Message>>
  /** Returns a message of a channel; undefined if not found. */
  get(id: string, channel_id: string): Promise<Message | undefined>
  /** Lists the newest attempts of a message, in the order of time. */
  listAttempts(id: string, limit: number): Promise<MessageAttempt[]>
  /** Sends a message again from now on with all retries, unless it is being sent. */
  markPending(id: string, now: Date): Promise<void>
  /** Deletes at most `limit` messages created before a time. @returns their number */
  deleteBefore(time: Date, limit: number): Promise<number>
}

function openMessageLog(engine: LedgerEngine): MessageLog {
  const { query } = engine
  const columns = `id, channel_id, account_id, host, channel_kind, kind, body, state, tries, next_at, owner,
    created_at, ended_at`
  const count = engine.prepare<[string], { messages: number }>(
    'SELECT count(*) AS messages FROM alert_messages WHERE channel_id = ?',
  )
  const list = engine.prepare<[string, number, number], Message>(
    `SELECT ${columns} FROM alert_messages WHERE channel_id = ?
      ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?`,
  )
  const find = engine.prepare<[string, string], Message>(
    `SELECT ${columns} FROM alert_messages WHERE id = ? AND channel_id = +?`,
  )
  const attempts = engine.prepare<[string, number], MessageAttempt>(
    `SELECT message_id, at, status, error, latency_ms, answer FROM message_attempts
      WHERE message_id = ? ORDER BY at DESC, rowid DESC LIMIT ?`,
  )
  const resend = engine.prepare<[{ id: string; at: number }]>(
    `UPDATE alert_messages SET state = 'pending', tries = 0, next_at = clock(@at), ended_at = NULL
      WHERE id = @id AND owner IS NULL`,
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM alert_messages WHERE id IN
       (SELECT id FROM alert_messages WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
  )

  return {
    list: async (channel_id, { limit, offset }) => ({
      total: (await query(count.get(channel_id)))?.messages ?? 0,
      rows: await query(list.all(channel_id, limit, offset)),
    }),
    get: (id, channel_id) => query(find.get(id, channel_id)),
    listAttempts: async (id, limit) => (await query(attempts.all(id, limit))).reverse(),
    markPending: async (id, now) => void (await query(resend.run({ id, at: now.getTime() }))),
    deleteBefore: (time, limit) => query(forget.run(time.getTime(), limit)),
  }
}

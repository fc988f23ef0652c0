import type { LedgerEngine } from '../engine/operation.ts'
import type { AlertMessageRow } from '../schema/alerts.ts'

/** Position in the list of due messages. */
export type DueCursor = { next_at: number; id: string }

/** A due message with the keys of its limits; `receiver_id` is its channel. */
export type MessageHead = Pick<AlertMessageRow, 'id' | 'account_id' | 'host' | 'channel_kind'> & {
  receiver_id: string
}

/** Number of pending messages, and when the first of them is due; null without any. */
export type MessageBacklog = { pending: number; first_due_at: number | null }

/** Pending messages that several servers send. Each is leased to its owner until it is due again. */
export type MessageQueue = {
  /** Returns the time against which due times are compared, in epoch milliseconds. */
  getTime(now: Date): Promise<number>
  /** Lists due messages after a cursor, with the next cursor, which is undefined at the end. */
  listDue(
    now: Date,
    page: { after: DueCursor; limit: number },
  ): Promise<{ heads: MessageHead[]; next: DueCursor | undefined }>
  /** Counts pending messages of webhooks, or of the channels of people. */
  getBacklog(receivers: 'webhooks' | 'people'): Promise<MessageBacklog>
  /** Counts messages of webhooks that are due. */
  countDue(now: Date): Promise<number>
  /** Counts stored webhook messages that have exhausted their retries. */
  countDead(): Promise<number>
  /** Returns the message of a receiver that has been due for the longest time; undefined if none is due. */
  getFirstDue(receiverId: string, now: Date): Promise<MessageHead | undefined>
  /**
   * Makes messages due now if a wrong clock made them due more than `dueMs` from now, or if another owner leased them
   * for more than `leaseMs`.
   */
  resetMisdated(
    now: Date,
    longest: { dueMs: number; leaseMs: number; owner: string },
  ): Promise<void>
  /** Releases all leases of an owner. */
  release(owner: string, now: Date): Promise<void>
}

export function openMessageQueue(engine: LedgerEngine): MessageQueue {
  const { query } = engine
  const head = 'id, channel_id AS receiver_id, account_id, host, channel_kind'
  const time = engine.prepare<[{ now: number }], { time: number }>('SELECT clock(@now) AS time')
  const dueHeads = engine.prepare<
    [DueCursor & { at: number; limit: number }],
    MessageHead & DueCursor
  >(
    `SELECT ${head}, next_at FROM alert_messages INDEXED BY alert_messages_due
      WHERE state = 'pending' AND (next_at, id) > (@next_at, @id) AND next_at <= clock(@at)
      ORDER BY next_at, id LIMIT @limit`,
  )
  const headOf = engine.prepare<[{ receiverId: string; at: number }], MessageHead>(
    `SELECT ${head} FROM alert_messages INDEXED BY alert_messages_waiting
      WHERE state = 'pending' AND channel_id = @receiverId AND next_at <= clock(@at)
      ORDER BY next_at LIMIT 1`,
  )
  // Counted only from indexes.
  const backlog = engine.prepare<[{ receivers: string }], MessageBacklog>(
    `SELECT count(*) AS pending, min(next_at) AS first_due_at
       FROM alert_messages INDEXED BY alert_messages_due
      WHERE state = 'pending'
        AND CASE channel_kind WHEN 'webhook' THEN 'webhooks' ELSE 'people' END = @receivers`,
  )
  const due = engine.prepare<[{ at: number }], { messages: number }>(
    `SELECT count(*) AS messages FROM alert_messages INDEXED BY alert_messages_due
      WHERE state = 'pending' AND next_at <= clock(@at) AND channel_kind = 'webhook'`,
  )
  const dead = engine.prepare<[], { messages: number }>(
    `SELECT count(*) AS messages FROM alert_messages INDEXED BY alert_messages_dead
      WHERE state = 'dead' AND channel_kind = 'webhook'`,
  )
  const resetDue = engine.prepare<[{ at: number; dueMs: number }]>(
    `UPDATE alert_messages SET next_at = clock(@at)
      WHERE state = 'pending' AND next_at > clock(@at) + @dueMs`,
  )
  const resetLeases = engine.prepare<[{ at: number; leaseMs: number; owner: string }]>(
    `UPDATE alert_messages INDEXED BY alert_messages_held SET next_at = clock(@at)
      WHERE state = 'pending' AND next_at > clock(@at) + @leaseMs AND owner IS NOT NULL
        AND owner <> @owner`,
  )
  const releaseAll = engine.prepare<[{ at: number; owner: string }]>(
    `UPDATE alert_messages INDEXED BY alert_messages_held SET owner = NULL, next_at = clock(@at)
      WHERE owner IS NOT NULL AND owner = @owner AND state = 'pending'`,
  )

  return {
    getTime: async (now) => (await query(time.get({ now: now.getTime() })))?.time ?? now.getTime(),
    async listDue(now, { after: { next_at, id }, limit }) {
      const heads = await query(dueHeads.all({ next_at, id, at: now.getTime(), limit }))
      return { heads, next: heads.length < limit ? undefined : heads.at(-1) }
    },
    getBacklog: async (receivers) => (await query(backlog.get({ receivers }))) ?? NO_BACKLOG,
    countDue: async (now) => (await query(due.get({ at: now.getTime() })))?.messages ?? 0,
    countDead: async () => (await query(dead.get()))?.messages ?? 0,
    getFirstDue: (receiverId, now) => query(headOf.get({ receiverId, at: now.getTime() })),
    async resetMisdated(now, { dueMs, leaseMs, owner }) {
      const at = now.getTime()
      await query(resetDue.run({ at, dueMs }))
      await query(resetLeases.run({ at, leaseMs, owner }))
    },
    release: async (owner, now) => void (await query(releaseAll.run({ at: now.getTime(), owner }))),
  }
}

const NO_BACKLOG = { pending: 0, first_due_at: null }

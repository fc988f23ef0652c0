import { MS_PER_DAY } from '#rules/primitives/days.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import type { NotificationRow, PriceAlertRow } from '../schema/alerts.ts'
import { ACTIVE_CHANNEL_SQL } from './channels.ts'

/** An alert that its account reads. Times are epoch milliseconds. */
export type Notification = Omit<NotificationRow, 'is_waiting'>

/** Alert of a person from the outbox of the catalog. */
export type NewNotification = Pick<Notification, 'id' | 'body' | 'created_at'> & {
  alert_id: string
}

/** Functions that format bodies within a transaction. */
export type BodyFormats = {
  /** Adds to the body of an alert the printing that it is about. */
  addPrinting(body: string, printing: string | null): string
  /** Formats the message of a channel from notifications, of which there are `total`. */
  toMessage(notifications: readonly { id: string; body: string }[], total: number): string
}

/** Notifications of accounts. */
export type NotificationStore = {
  /**
   * Stores alerts of existing price alerts once, durably, with a message for each active channel of the
   * account. Those of an account with a daily digest wait for it.
   *
   * @returns how many were new
   */
  relay(alerts: readonly NewNotification[], formats: BodyFormats, now: Date): Promise<number>
  /**
   * Makes the digest of the next account that has one due: one message for each active channel, in the
   * transaction that ends the waiting.
   *
   * @param id of the message
   * @param listMax most alerts that it lists
   * @returns false if none is due
   */
  createDigest(
    digest: { id: string; listMax: number; now: Date },
    formats: Pick<BodyFormats, 'toMessage'>,
  ): Promise<boolean>
  /** Returns one page of an account's notifications, newest first. */
  list(account_id: number, window: RowWindow): Promise<RowPage<Notification>>
  /** Counts an account's unread notifications, up to `max`. */
  countUnread(account_id: number, max: number): Promise<number>
  /** Marks notifications as read, up to one of them and including it; all without one. */
  markRead(account_id: number, upTo: string | undefined, now: Date): Promise<void>
  /** Deletes at most `limit` notifications created before a time. @returns how many */
  deleteBefore(time: Date, limit: number): Promise<number>
}

export function openNotificationStore(engine: LedgerEngine): NotificationStore {
  const { query, transact } = engine
  const source = engine.prepare<[string], Pick<PriceAlertRow, 'account_id' | 'printing'>>(
    'SELECT account_id, printing FROM price_alerts WHERE id = ?',
  )
  const digestOf = engine.prepare<[number], { digest_hour: number }>(
    'SELECT digest_hour FROM alert_preferences WHERE account_id = ? AND digest_hour IS NOT NULL',
  )
  const add = engine.prepare<[NewNotification & { account_id: number; is_waiting: 0 | 1 }]>(
    `INSERT INTO notifications (id, account_id, kind, source_id, body, created_at, is_waiting)
     VALUES (@id, @account_id, 'alert', @alert_id, @body, @created_at, @is_waiting)
     ON CONFLICT DO NOTHING`,
  )
  const addMessages = engine.prepare<[ChannelMessages]>(
    `INSERT INTO channel_messages
       (id, channel_id, account_id, host, kind, body, state, next_at, created_at)
     SELECT @id || '.' || id, id, account_id, host, 'alert', @body, 'pending', clock(@at), @at
       FROM alert_channels WHERE account_id = @account_id AND ${ACTIVE_CHANNEL_SQL}`,
  )
  const dueAccount = engine.prepare<[DigestTime], { account_id: number }>(
    `SELECT notifications.account_id FROM notifications
       LEFT JOIN alert_preferences ON alert_preferences.account_id = notifications.account_id
      WHERE is_waiting = 1 AND ${DUE_SQL} ORDER BY notifications.account_id LIMIT 1`,
  )
  const endWaiting = engine.prepare<
    [DigestTime & { account_id: number }],
    Pick<Notification, 'id' | 'body'>
  >(
    `UPDATE notifications SET is_waiting = 0 WHERE is_waiting = 1 AND account_id = @account_id AND id IN
       (SELECT id FROM notifications
          LEFT JOIN alert_preferences ON alert_preferences.account_id = notifications.account_id
         WHERE is_waiting = 1 AND notifications.account_id = @account_id AND ${DUE_SQL})
     RETURNING id, body`,
  )
  const count = engine.prepare<[number], { notifications: number }>(
    'SELECT count(*) AS notifications FROM notifications WHERE account_id = ?',
  )
  const list = engine.prepare<[number, number, number], Notification>(
    `SELECT id, account_id, kind, source_id, body, created_at, read_at FROM notifications
      WHERE account_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
  )
  const unread = engine.prepare<[number, number], { notifications: number }>(
    `SELECT count(*) AS notifications FROM (SELECT 1 FROM notifications
      WHERE account_id = ? AND read_at IS NULL LIMIT ?) AS found`,
  )
  const mark = engine.prepare<[{ account_id: number; up_to: string; at: number }]>(
    `UPDATE notifications SET read_at = @at
      WHERE account_id = @account_id AND read_at IS NULL AND (@up_to = '' OR id <= @up_to)`,
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM notifications WHERE id IN
       (SELECT id FROM notifications WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
  )

  return {
    relay: (alerts, { addPrinting, toMessage }, now) =>
      transact(
        function* () {
          let added = 0
          for (const alert of alerts) {
            const { account_id, printing } = (yield* source.get(alert.alert_id)) ?? {}
            if (account_id === undefined) continue
            const body = addPrinting(alert.body, printing ?? null)
            const is_waiting = (yield* digestOf.get(account_id)) === undefined ? 0 : 1
            if ((yield* add.run({ ...alert, account_id, body, is_waiting })) === 0) continue
            added++
            if (is_waiting === 1) continue
            const { id } = alert
            const message = toMessage([{ id, body }], 1)
            yield* addMessages.run({ id, account_id, body: message, at: now.getTime() })
          }
          return added
        },
        { isDurable: true },
      ),
    createDigest: ({ id, listMax, now }, { toMessage }) =>
      transact(
        function* () {
          const time = digestTime(now)
          const account_id = (yield* dueAccount.get(time))?.account_id
          if (account_id === undefined) return false
          const waited = yield* endWaiting.all({ ...time, account_id })
          const newest = waited.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, listMax)
          const body = toMessage(newest, waited.length)
          yield* addMessages.run({ id, account_id, body, at: now.getTime() })
          return true
        },
        { isDurable: true },
      ),
    list: async (account_id, { limit, offset }) => ({
      total: (await query(count.get(account_id)))?.notifications ?? 0,
      rows: await query(list.all(account_id, limit, offset)),
    }),
    countUnread: async (account_id, max) =>
      (await query(unread.get(account_id, max)))?.notifications ?? 0,
    markRead: async (account_id, upTo = '', now) =>
      void (await query(mark.run({ account_id, up_to: upTo, at: now.getTime() }))),
    deleteBefore: (time, limit) => query(forget.run(time.getTime(), limit)),
  }
}

type ChannelMessages = { id: string; account_id: number; body: string; at: number }

/** Start of the UTC day in epoch milliseconds, and its current hour. */
type DigestTime = { dayStart: number; hour: number }

function digestTime(now: Date): DigestTime {
  return { dayStart: Math.floor(now.getTime() / MS_PER_DAY) * MS_PER_DAY, hour: now.getUTCHours() }
}

/** Condition on waiting notifications: older than the last digest hour, or of an account without a digest. */
const DUE_SQL = `(digest_hour IS NULL OR notifications.created_at <
  @dayStart + digest_hour * 3600000 - CASE WHEN digest_hour > @hour THEN ${MS_PER_DAY} ELSE 0 END)`

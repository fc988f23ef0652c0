import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import type { NotificationRow } from '../schema/alerts.ts'

/** An alert for the dashboard of its account. Times are epoch milliseconds. */
export type Notification = Omit<NotificationRow, 'is_waiting'>

/** Notifications of accounts. */
export type NotificationStore = {
  /** Returns one page of an account's notifications, newest first. */
  list(account_id: number, window: RowWindow): Promise<RowPage<Notification>>
  /** Counts an account's unread notifications, up to `max`. */
  countUnread(account_id: number, max: number): Promise<number>
  /** Marks notifications as read, up to and including one of them; without one, marks all. */
  markRead(account_id: number, upTo: string | undefined, now: Date): Promise<void>
  /** Deletes at most `limit` notifications created before a time. @returns their number */
  deleteBefore(time: Date, limit: number): Promise<number>
}

export function openNotificationStore({ prepare, query }: LedgerEngine): NotificationStore {
  const count = prepare<[number], { notifications: number }>(
    'SELECT count(*) AS notifications FROM notifications WHERE account_id = ?',
  )
  const list = prepare<[number, number, number], Notification>(
    `SELECT id, account_id, kind, source_id, body, created_at, read_at FROM notifications
      WHERE account_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
  )
  const unread = prepare<[number, number], { notifications: number }>(
    `SELECT count(*) AS notifications FROM (SELECT 1 FROM notifications
      WHERE account_id = ? AND read_at IS NULL LIMIT ?) AS found`,
  )
  const mark = prepare<[{ account_id: number; up_to: string; at: number }]>(
    `UPDATE notifications SET read_at = @at
      WHERE account_id = @account_id AND read_at IS NULL AND (@up_to = '' OR id <= @up_to)`,
  )
  const forget = prepare<[number, number]>(
    `DELETE FROM notifications WHERE id IN
       (SELECT id FROM notifications WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
  )

  return {
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

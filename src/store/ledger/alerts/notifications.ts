import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import type { NotificationRow, PriceAlertRow } from '../schema.ts'

/** An alert that its account reads. Times are epoch milliseconds. */
export type Notification = NotificationRow

/** Alert of a person from the outbox of the catalog. */
export type NewNotification = Pick<Notification, 'id' | 'body' | 'created_at'> & {
  alert_id: string
}

/** Adds to the body of an alert the printing that it is about. */
export type AddPrinting = (body: string, printing: string | null) => string

/** Notifications of accounts. */
export type NotificationStore = {
  /** Stores alerts of existing price alerts once, durably. @returns how many were new */
  relay(alerts: readonly NewNotification[], addPrinting: AddPrinting): Promise<number>
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
  const add = engine.prepare<[NewNotification & { account_id: number }]>(
    `INSERT INTO notifications (id, account_id, kind, source_id, body, created_at)
     VALUES (@id, @account_id, 'alert', @alert_id, @body, @created_at) ON CONFLICT DO NOTHING`,
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
    relay: (alerts, addPrinting) =>
      transact(
        function* () {
          let added = 0
          for (const alert of alerts) {
            const { account_id, printing } = (yield* source.get(alert.alert_id)) ?? {}
            if (account_id === undefined) continue
            const body = addPrinting(alert.body, printing ?? null)
            added += yield* add.run({ ...alert, account_id, body })
          }
          return added
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

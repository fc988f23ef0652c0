import { addPrinting } from '#rules/alerts/alert-message.ts'
import { formatChannelMessage } from '#rules/alerts/channel-message.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import type { NotificationRow, PriceRuleRow } from '../schema/alerts.ts'
import { ACTIVE_CHANNEL_SQL } from './channels.ts'

/** An alert from the outbox of the catalog. */
export type RelayedAlert = Pick<NotificationRow, 'id' | 'body' | 'created_at'> & { rule_id: string }

/** Alerts that become messages. */
export type RelayedAlertStore = {
  /**
   * Stores alerts of existing rules once and durably, with messages that are due now: one for a webhook; otherwise a
   * notification, and a message for each active channel of the account. With a daily digest, notifications wait for
   * it.
   *
   * @returns number of new alerts
   */
  relay(alerts: readonly RelayedAlert[], now: Date): Promise<number>
  /**
   * Creates the next due digest of an account: one message for each active channel, in the transaction that marks its
   * notifications as sent.
   *
   * @param digest `id`: id of the message; `listMax`: maximum number of listed alerts
   * @returns false if none is due
   */
  createDigest(digest: { id: string; listMax: number; now: Date }): Promise<boolean>
}

export function openRelayedAlertStore(engine: LedgerEngine): RelayedAlertStore {
  const { transact } = engine
  const ruleOf = engine.prepare<
    [string],
    Pick<PriceRuleRow, 'account_id' | 'channel_id' | 'printing'> & { digest_hour: number | null }
  >(
    `SELECT price_rules.account_id, channel_id, printing, digest_hour FROM price_rules
       LEFT JOIN alert_preferences ON alert_preferences.account_id = price_rules.account_id
      WHERE price_rules.id = ?`,
  )
  const addDelivery = engine.prepare<[Omit<RelayedAlert, 'rule_id'> & DeliveryTarget]>(
    `INSERT INTO alert_messages
       (id, channel_id, account_id, host, channel_kind, kind, body, state, next_at, created_at)
     SELECT @id, id, account_id, host, kind, 'alert', @body, 'pending', clock(@now), @created_at
       FROM alert_channels WHERE id = @channel_id
     ON CONFLICT DO NOTHING`,
  )
  const addNotification = engine.prepare<
    [RelayedAlert & { account_id: number; is_waiting: 0 | 1 }]
  >(
    `INSERT INTO notifications (id, account_id, kind, source_id, body, created_at, is_waiting)
     VALUES (@id, @account_id, 'alert', @rule_id, @body, @created_at, @is_waiting)
     ON CONFLICT DO NOTHING`,
  )
  const addMessages = engine.prepare<
    [{ id: string; account_id: number; body: string; now: number }]
  >(
    `INSERT INTO alert_messages
       (id, channel_id, account_id, host, channel_kind, kind, body, state, next_at, created_at)
     SELECT @id || '.' || id, id, account_id, host, kind, 'alert', @body, 'pending', clock(@now), @now
       FROM alert_channels
      WHERE account_id = @account_id AND kind <> 'webhook' AND ${ACTIVE_CHANNEL_SQL}`,
  )
  const dueAccount = engine.prepare<[DigestTime], { account_id: number }>(
    `SELECT notifications.account_id FROM notifications
       LEFT JOIN alert_preferences ON alert_preferences.account_id = notifications.account_id
      WHERE is_waiting = 1 AND ${DUE_SQL} ORDER BY notifications.account_id LIMIT 1`,
  )
  const endWaiting = engine.prepare<
    [DigestTime & { account_id: number }],
    Pick<NotificationRow, 'id' | 'body'>
  >(
    `UPDATE notifications SET is_waiting = 0 WHERE is_waiting = 1 AND account_id = @account_id AND id IN
       (SELECT id FROM notifications
          LEFT JOIN alert_preferences ON alert_preferences.account_id = notifications.account_id
         WHERE is_waiting = 1 AND notifications.account_id = @account_id AND ${DUE_SQL})
     RETURNING id, body`,
  )

  /** Stores the alert of a rule once. @returns number of new alert rows */
  function* relayOne({ rule_id, ...alert }: RelayedAlert, now: number) {
    const rule = yield* ruleOf.get(rule_id)
    if (rule === undefined) return 0
    const { account_id, channel_id, printing, digest_hour } = rule
    if (channel_id !== null) return yield* addDelivery.run({ ...alert, channel_id, now })
    const { id } = alert
    const body = addPrinting(alert.body, printing)
    const is_waiting = digest_hour === null ? 0 : 1
    const added = yield* addNotification.run({ ...alert, rule_id, account_id, body, is_waiting })
    if (added === 1 && is_waiting === 0) {
      const message = formatChannelMessage([{ id, body }], 1)
      yield* addMessages.run({ id, account_id, body: message, now })
    }
    return added
  }

  return {
    relay: (alerts, now) =>
      transact(
        function* () {
          let added = 0
          for (const alert of alerts) added += yield* relayOne(alert, now.getTime())
          return added
        },
        { isDurable: true },
      ),
    createDigest: ({ id, listMax, now }) =>
      transact(
        function* () {
          const time = digestTime(now)
          const account_id = (yield* dueAccount.get(time))?.account_id
          if (account_id === undefined) return false
          const waited = yield* endWaiting.all({ ...time, account_id })
          const newest = waited.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, listMax)
          const body = formatChannelMessage(newest, waited.length)
          yield* addMessages.run({ id, account_id, body, now: now.getTime() })
          return true
        },
        { isDurable: true },
      ),
  }
}

type DeliveryTarget = { channel_id: string; now: number }

/** Start of the UTC day in epoch milliseconds, and its current hour. */
type DigestTime = { dayStart: number; hour: number }

function digestTime(now: Date): DigestTime {
  return { dayStart: Math.floor(now.getTime() / MS_PER_DAY) * MS_PER_DAY, hour: now.getUTCHours() }
}

/** Condition on waiting notifications: older than the last digest hour, or from an account without a digest. */
const DUE_SQL = `(digest_hour IS NULL OR notifications.created_at <
  @dayStart + digest_hour * 3600000 - CASE WHEN digest_hour > @hour THEN ${MS_PER_DAY} ELSE 0 END)`

import type { RowPage, RowWindow } from '../rows.ts'
import { type MessageQueue, openMessageQueue } from './alerts/message-queue.ts'
import {
  type DeliveryAttempt,
  type DeliveryOutcomes,
  openDeliveryOutcomes,
} from './delivery-outcomes.ts'
import type { LedgerEngine } from './engine/operation.ts'
import { MUTED_SQL } from './muted-webhooks.ts'
import type { DeliveryRow, WebhookRow } from './schema/alerts.ts'

/** A message to the URL of a webhook. Times are epoch milliseconds. */
export type Delivery = DeliveryRow

/** An alert from the outbox of the catalog. */
export type RelayedAlert = Pick<Delivery, 'id' | 'webhook_id' | 'body' | 'created_at'>

/** A leased delivery with everything needed to send it. */
export type DueDelivery = Pick<
  Delivery,
  'id' | 'webhook_id' | 'account_id' | 'host' | 'kind' | 'body' | 'tries' | 'created_at'
> &
  Pick<WebhookRow, 'url' | 'secret' | 'old_secret' | 'old_secret_until'> & { receiver_id: string }

/** Owner and duration of a lease; deliveries of muted webhooks are checked again after `pausedMs`. */
export type DeliveryLease = { owner: string; now: Date; leaseMs: number; pausedMs: number }

/** Webhook deliveries, their attempts and their outcomes. */
export type DeliveryStore = MessageQueue & DeliveryQueue & DeliveryOutcomes & DeliveryLog

export function openDeliveryStore(engine: LedgerEngine): DeliveryStore {
  return {
    ...openMessageQueue(engine, { table: 'deliveries', receiver: 'webhook_id' }),
    ...openQueue(engine),
    ...openDeliveryOutcomes(engine),
    ...openDeliveryLog(engine),
  }
}

/** Alerts that become deliveries, and the leases of these. */
export type DeliveryQueue = {
  /** Copies alerts of existing webhooks to the disk, due now, once. @returns how many were new */
  relay(
    alerts: readonly RelayedAlert[],
    hostOf: (url: string) => string,
    now: Date,
  ): Promise<number>
  /** Leases free due deliveries, one per webhook at a time; postpones those of muted webhooks. */
  lease(lease: DeliveryLease, ids: readonly string[]): Promise<DueDelivery[]>
}

function openQueue(engine: LedgerEngine): DeliveryQueue {
  const { transact } = engine
  const relay = engine.prepare<[RelayedAlert & { account_id: number; host: string; now: number }]>(
    `INSERT INTO deliveries
       (id, webhook_id, account_id, host, kind, body, state, next_at, created_at)
     VALUES (@id, @webhook_id, @account_id, @host, 'alert', @body, 'pending', clock(@now),
       @created_at)
     ON CONFLICT DO NOTHING`,
  )
  const target = engine.prepare<[string], Pick<WebhookRow, 'account_id' | 'url'>>(
    'SELECT account_id, url FROM webhooks WHERE id = ?',
  )
  const takeLease = engine.prepare<[LeaseParameters]>(
    `UPDATE deliveries SET owner = @owner, next_at = clock(@at) + @leaseMs
      WHERE id = @id AND state = 'pending' AND next_at <= clock(@at)
        AND NOT EXISTS (SELECT 1 FROM deliveries AS held INDEXED BY deliveries_held
          WHERE held.webhook_id = deliveries.webhook_id AND held.owner IS NOT NULL
            AND held.next_at > clock(@at))
        AND (kind = 'test' OR NOT EXISTS (SELECT 1
          FROM webhooks JOIN accounts ON accounts.id = account_id
          WHERE webhooks.id = deliveries.webhook_id AND ${MUTED_SQL}))`,
  )
  const postpone = engine.prepare<[{ id: string; at: number; pausedMs: number }]>(
    `UPDATE deliveries INDEXED BY deliveries_waiting
        SET next_at = clock(@at) + @pausedMs, owner = NULL
      WHERE state = 'pending' AND next_at <= clock(@at) AND kind = 'alert' AND webhook_id =
        (SELECT webhooks.id FROM deliveries AS wanted JOIN webhooks ON webhooks.id = wanted.webhook_id
           JOIN accounts ON accounts.id = webhooks.account_id
          WHERE wanted.id = @id AND ${MUTED_SQL})`,
  )
  const due = engine.prepare<[string], DueDelivery>(
    `SELECT deliveries.id, webhook_id, webhook_id AS receiver_id, deliveries.account_id, host, kind, body, tries,
            deliveries.created_at, url, secret, old_secret, old_secret_until
       FROM deliveries JOIN webhooks ON webhooks.id = webhook_id WHERE deliveries.id = +?`,
  )

  return {
    relay: (alerts, hostOf, now) =>
      transact(
        function* () {
          let added = 0
          for (const { id, webhook_id, body, created_at } of alerts) {
            const webhook = yield* target.get(webhook_id)
            if (webhook === undefined) continue
            const { account_id, url } = webhook
            const alert = { id, webhook_id, account_id, body, created_at }
            added += yield* relay.run({ ...alert, host: hostOf(url), now: now.getTime() })
          }
          return added
        },
        { isDurable: true },
      ),
    lease: ({ owner, now, leaseMs, pausedMs }, ids) =>
      transact(function* () {
        const at = now.getTime()
        const leased: DueDelivery[] = []
        for (const id of ids) {
          const isLeased = (yield* takeLease.run({ id, owner, at, leaseMs })) === 1
          if (!isLeased) yield* postpone.run({ id, at, pausedMs })
          const delivery = isLeased ? yield* due.get(id) : undefined
          if (delivery !== undefined) leased.push(delivery)
        }
        return leased
      }),
  }
}

type LeaseParameters = { id: string; owner: string; at: number; leaseMs: number }

/** Past and pending deliveries, for the owners of webhooks. */
export type DeliveryLog = {
  /** Counts deliveries that are due. */
  countDue(now: Date): Promise<number>
  /** Counts the stored deliveries that exhausted their retries. */
  countDead(): Promise<number>
  /** Returns one page of a webhook's deliveries, newest first. */
  list(webhook_id: string, window: RowWindow): Promise<RowPage<Delivery>>
  /** Returns a delivery of a webhook; undefined if not found. */
  get(id: string, webhook_id: string): Promise<Delivery | undefined>
  /** Lists the newest attempts of a delivery, oldest of them first. */
  listAttempts(id: string, limit: number): Promise<DeliveryAttempt[]>
  /** Sends a delivery again, from now on and with all retries, unless it is being sent. */
  markPending(id: string, now: Date): Promise<void>
  /** Creates a test delivery that its owner sends; false if its account or all send too many. */
  createTest(test: NewTest, max: { perAccount: number; total: number }): Promise<boolean>
  /** Deletes at most `limit` deliveries created before a time. @returns how many */
  deleteBefore(time: Date, limit: number): Promise<number>
}

/** A test delivery that its owner has leased. */
export type NewTest = Omit<Delivery, 'next_at'> & { owner: string; leaseMs: number }

function openDeliveryLog(engine: LedgerEngine): DeliveryLog {
  const { query, transact } = engine
  const count = engine.prepare<[string], DeliveryCount>(
    'SELECT count(*) AS deliveries FROM deliveries WHERE webhook_id = ?',
  )
  const due = engine.prepare<[{ at: number }], DeliveryCount>(
    `SELECT count(*) AS deliveries FROM deliveries INDEXED BY deliveries_due
      WHERE state = 'pending' AND next_at <= clock(@at)`,
  )
  const dead = engine.prepare<[], DeliveryCount>(
    `SELECT count(*) AS deliveries FROM deliveries INDEXED BY deliveries_dead
      WHERE state = 'dead'`,
  )
  const list = engine.prepare<[string, number, number], Delivery>(
    `SELECT ${COLUMNS} FROM deliveries WHERE webhook_id = ?
      ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?`,
  )
  const find = engine.prepare<[string, string], Delivery>(
    `SELECT ${COLUMNS} FROM deliveries WHERE id = ? AND webhook_id = +?`,
  )
  const attempts = engine.prepare<[string, number], DeliveryAttempt>(
    `SELECT delivery_id, at, status, error, latency_ms, answer FROM delivery_attempts
      WHERE delivery_id = ? ORDER BY at DESC, rowid DESC LIMIT ?`,
  )
  const resend = engine.prepare<[{ id: string; at: number }]>(
    `UPDATE deliveries SET state = 'pending', tries = 0, next_at = clock(@at), ended_at = NULL
      WHERE id = @id AND owner IS NULL`,
  )
  const addTest = engine.prepare<[NewTest]>(
    `INSERT INTO deliveries (id, webhook_id, account_id, host, kind, body, state, tries, next_at,
       owner, created_at, ended_at)
     VALUES (@id, @webhook_id, @account_id, @host, @kind, @body, @state, @tries,
       clock(@created_at) + @leaseMs, @owner, @created_at, @ended_at)`,
  )
  const testsLeased = engine.prepare<
    [{ accountId: number; at: number }],
    { own: number; all: number }
  >(
    `SELECT count(*) AS "all", count(*) FILTER (WHERE account_id = @accountId) AS own
       FROM deliveries INDEXED BY deliveries_held
      WHERE owner IS NOT NULL AND kind = 'test' AND next_at > clock(@at)`,
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM deliveries WHERE id IN
       (SELECT id FROM deliveries WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
  )

  return {
    countDue: async (now) => (await query(due.get({ at: now.getTime() })))?.deliveries ?? 0,
    countDead: async () => (await query(dead.get()))?.deliveries ?? 0,
    list: async (webhook_id, { limit, offset }) => ({
      total: (await query(count.get(webhook_id)))?.deliveries ?? 0,
      rows: await query(list.all(webhook_id, limit, offset)),
    }),
    get: (id, webhook_id) => query(find.get(id, webhook_id)),
    listAttempts: async (id, limit) => (await query(attempts.all(id, limit))).reverse(),
    markPending: async (id, now) => void (await query(resend.run({ id, at: now.getTime() }))),
    createTest: (test, max) =>
      transact(function* () {
        const { account_id: accountId, created_at: at } = test
        const held = yield* testsLeased.get({ accountId, at })
        if (held !== undefined && (held.own >= max.perAccount || held.all >= max.total))
          return false
        yield* addTest.run(test)
        return true
      }),
    deleteBefore: (time, limit) => query(forget.run(time.getTime(), limit)),
  }
}

type DeliveryCount = { deliveries: number }

const COLUMNS = `id, webhook_id, account_id, host, kind, body, state, tries, next_at, owner, created_at,
  ended_at`

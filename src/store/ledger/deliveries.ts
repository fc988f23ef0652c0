import { type Db, durable, inTransaction } from '../db.ts'
import type { RowPage, RowWindow } from '../rows.ts'
import {
  type DeliveryAttempt,
  type DeliveryOutcomes,
  openDeliveryOutcomes,
} from './delivery-outcomes.ts'
import { MUTED_SQL } from './muted-webhooks.ts'
import type { DeliveryRow, WebhookRow } from './schema.ts'

/** A message to the URL of a webhook. Times are epoch milliseconds. */
export type Delivery = DeliveryRow

/** An alert from the outbox of the catalog. */
export type RelayedAlert = Pick<Delivery, 'id' | 'webhook_id' | 'body' | 'created_at'>

/** A leased delivery with everything needed to send it. */
export type DueDelivery = Pick<
  Delivery,
  'id' | 'webhook_id' | 'account_id' | 'host' | 'kind' | 'body' | 'tries' | 'created_at'
> &
  Pick<WebhookRow, 'url' | 'secret' | 'old_secret' | 'old_secret_until'>

/** Owner and end of a lease; deliveries of muted webhooks are checked again at `pausedUntil`. */
export type DeliveryLease = { owner: string; now: Date; until: Date; pausedUntil: Date }

/** Position in the list of due deliveries. */
export type DueCursor = Pick<Delivery, 'next_at' | 'id'>

/** A due delivery with what its limits count by. */
export type DeliveryHead = Pick<Delivery, 'id' | 'webhook_id' | 'account_id' | 'host'>

/** Webhook deliveries, their attempts and their outcomes. */
export type DeliveryStore = DeliveryQueue & LeaseRelease & DeliveryOutcomes & DeliveryLog

export function openDeliveryStore(db: Db): DeliveryStore {
  return {
    ...openQueue(db),
    ...openLeaseRelease(db),
    ...openDeliveryOutcomes(db),
    ...openDeliveryLog(db),
  }
}

/** Number of pending deliveries, and when the first of them is due. */
export type DeliveryBacklog = { pending: number; first_due_at: number | null }

/** Pending deliveries and their leases. */
export type DeliveryQueue = {
  /** Copies alerts of existing webhooks to the disk, due now, once. @returns how many were new */
  relay(
    alerts: readonly RelayedAlert[],
    hostOf: (url: string) => string,
    now: Date,
  ): Promise<number>
  /** Lists due deliveries behind a cursor, and the next cursor; undefined at the end. */
  listDue(
    now: Date,
    page: { after: DueCursor; limit: number },
  ): Promise<{ heads: DeliveryHead[]; next: DueCursor | undefined }>
  /** Returns the delivery of a webhook that has been due longest; undefined if none is due. */
  getFirstDue(webhookId: string, now: Date): Promise<DeliveryHead | undefined>
  /** Leases free due deliveries, one per webhook at a time; postpones those of muted webhooks. */
  lease(lease: DeliveryLease, ids: readonly string[]): Promise<DueDelivery[]>
}

function openQueue(db: Db): DeliveryQueue {
  const relay = db.prepare<[RelayedAlert & { host: string; now: number }]>(
    `INSERT OR IGNORE INTO deliveries
       (id, webhook_id, account_id, host, kind, body, state, next_at, created_at)
     SELECT @id, webhooks.id, account_id, @host, 'alert', @body, 'pending', @now, @created_at
       FROM webhooks WHERE id = @webhook_id`,
  )
  const urlOf = db.prepare<[string], string>('SELECT url FROM webhooks WHERE id = ?').pluck()
  const dueHeads = db.prepare<
    [DueCursor & { at: number; limit: number }],
    DeliveryHead & DueCursor
  >(
    `SELECT id, webhook_id, account_id, host, next_at FROM deliveries INDEXED BY deliveries_due
      WHERE state = 'pending' AND (next_at, id) > (@next_at, @id) AND next_at <= @at
      ORDER BY next_at, id LIMIT @limit`,
  )
  const headOf = db.prepare<[string, number], DeliveryHead>(
    `SELECT id, webhook_id, account_id, host FROM deliveries INDEXED BY deliveries_waiting
      WHERE state = 'pending' AND webhook_id = ? AND next_at <= ? ORDER BY next_at LIMIT 1`,
  )
  const takeLease = db.prepare<[LeaseParameters]>(
    `UPDATE deliveries SET owner = @owner, next_at = @until
      WHERE id = @id AND state = 'pending' AND next_at <= @at
        AND NOT EXISTS (SELECT 1 FROM deliveries AS held INDEXED BY deliveries_held
          WHERE held.webhook_id = deliveries.webhook_id AND held.owner IS NOT NULL
            AND held.next_at > @at)
        AND (kind = 'test' OR NOT EXISTS (SELECT 1
          FROM webhooks JOIN accounts ON accounts.id = account_id
          WHERE webhooks.id = deliveries.webhook_id AND ${MUTED_SQL}))`,
  )
  const postpone = db.prepare<[{ id: string; at: number; pausedUntil: number }]>(
    `UPDATE deliveries INDEXED BY deliveries_waiting SET next_at = @pausedUntil, owner = NULL
      WHERE state = 'pending' AND next_at <= @at AND kind = 'alert' AND webhook_id =
        (SELECT webhooks.id FROM deliveries AS wanted JOIN webhooks ON webhooks.id = wanted.webhook_id
           JOIN accounts ON accounts.id = webhooks.account_id
          WHERE wanted.id = @id AND ${MUTED_SQL})`,
  )
  const due = db.prepare<[string], DueDelivery>(
    `SELECT deliveries.id, webhook_id, deliveries.account_id, host, kind, body, tries,
            deliveries.created_at, url, secret, old_secret, old_secret_until
       FROM deliveries JOIN webhooks ON webhooks.id = webhook_id WHERE deliveries.id = +?`,
  )

  return {
    relay: async (alerts, hostOf, now) =>
      durable(db, () => {
        let added = 0
        for (const relayedAlert of alerts) {
          const url = urlOf.get(relayedAlert.webhook_id)
          if (url === undefined) continue
          added += relay.run({ ...relayedAlert, host: hostOf(url), now: now.getTime() }).changes
        }
        return added
      }),
    async listDue(now, { after, limit }) {
      const heads = dueHeads.all({ ...after, at: now.getTime(), limit })
      return { heads, next: heads.length < limit ? undefined : heads.at(-1) }
    },
    getFirstDue: async (watch, now) => headOf.get(watch, now.getTime()),
    async lease({ owner, now, until, pausedUntil }, ids) {
      const at = now.getTime()
      return inTransaction(db, () =>
        ids.flatMap((id) => {
          const isLeased = takeLease.run({ id, owner, at, until: until.getTime() }).changes === 1
          if (!isLeased) postpone.run({ id, at, pausedUntil: pausedUntil.getTime() })
          return isLeased ? (due.get(id) ?? []) : []
        }),
      )
    },
  }
}

type LeaseParameters = { id: string; owner: string; at: number; until: number }

/** Deliveries that become due earlier than their row says. */
export type LeaseRelease = {
  /** Makes deliveries due now that a wrong clock has dated or leased later than possible. */
  resetMisdated(now: Date, latest: { due: Date; held: Date; owner: string }): Promise<void>
  /** Releases everything that an owner has leased. */
  release(owner: string, now: Date): Promise<void>
}

function openLeaseRelease(db: Db): LeaseRelease {
  const resetDue = db.prepare<[number, number]>(
    "UPDATE deliveries SET next_at = ? WHERE state = 'pending' AND next_at > ?",
  )
  const resetLeases = db.prepare<[number, number, string]>(
    `UPDATE deliveries INDEXED BY deliveries_held SET next_at = ?
      WHERE state = 'pending' AND next_at > ? AND owner IS NOT NULL AND owner <> ?`,
  )
  const releaseAll = db.prepare<[number, string]>(
    `UPDATE deliveries INDEXED BY deliveries_held SET owner = NULL, next_at = ?
      WHERE owner IS NOT NULL AND owner = ? AND state = 'pending'`,
  )

  return {
    async resetMisdated(now, latest) {
      resetDue.run(now.getTime(), latest.due.getTime())
      resetLeases.run(now.getTime(), latest.held.getTime(), latest.owner)
    },
    release: async (owner, now) => void releaseAll.run(now.getTime(), owner),
  }
}

/** Past and pending deliveries, for the owners of webhooks. */
export type DeliveryLog = {
  /** Counts all pending deliveries, and returns when the first of them is due. */
  getBacklog(): Promise<DeliveryBacklog>
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
  createTest(test: Delivery, max: { perAccount: number; total: number }): Promise<boolean>
  /** Deletes at most `limit` deliveries created before a time. @returns how many */
  deleteBefore(time: Date, limit: number): Promise<number>
}

function openDeliveryLog(db: Db): DeliveryLog {
  const count = db
    .prepare<[string], number>('SELECT count(*) FROM deliveries WHERE webhook_id = ?')
    .pluck()
  // Counted from the index of due deliveries only.
  const waiting = db.prepare<[], DeliveryBacklog>(
    `SELECT count(*) AS pending, min(next_at) AS first_due_at
       FROM deliveries INDEXED BY deliveries_due WHERE state = 'pending'`,
  )
  const due = db
    .prepare<[number], number>(
      `SELECT count(*) FROM deliveries INDEXED BY deliveries_due
        WHERE state = 'pending' AND next_at <= ?`,
    )
    .pluck()
  const dead = db
    .prepare<[], number>(
      "SELECT count(*) FROM deliveries INDEXED BY deliveries_dead WHERE state = 'dead'",
    )
    .pluck()
  const list = db.prepare<[string, number, number], Delivery>(
    `SELECT * FROM deliveries WHERE webhook_id = ?
      ORDER BY created_at DESC, rowid DESC LIMIT ? OFFSET ?`,
  )
  const find = db.prepare<[string, string], Delivery>(
    'SELECT * FROM deliveries WHERE id = ? AND webhook_id = +?',
  )
  const attempts = db.prepare<[string, number], DeliveryAttempt>(
    `SELECT * FROM delivery_attempts WHERE delivery_id = ? ORDER BY at DESC, rowid DESC LIMIT ?`,
  )
  const resend = db.prepare<[number, string]>(
    `UPDATE deliveries SET state = 'pending', tries = 0, next_at = ?, ended_at = NULL
      WHERE id = ? AND owner IS NULL`,
  )
  const addTest = db.prepare<[Delivery]>(
    `INSERT INTO deliveries (id, webhook_id, account_id, host, kind, body, state, tries, next_at,
       owner, created_at, ended_at)
     VALUES (@id, @webhook_id, @account_id, @host, @kind, @body, @state, @tries, @next_at,
       @owner, @created_at, @ended_at)`,
  )
  const testsLeased = db.prepare<[number, number], { own: number; all: number }>(
    `SELECT count(*) AS "all", count(*) FILTER (WHERE account_id = ?) AS own
       FROM deliveries INDEXED BY deliveries_held
      WHERE owner IS NOT NULL AND kind = 'test' AND next_at > ?`,
  )
  const forget = db.prepare<[number, number]>(
    `DELETE FROM deliveries WHERE rowid IN
       (SELECT rowid FROM deliveries WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
  )

  return {
    getBacklog: async () => waiting.get() ?? { pending: 0, first_due_at: null },
    countDue: async (now) => due.get(now.getTime()) ?? 0,
    countDead: async () => dead.get() ?? 0,
    list: async (webhook_id, { limit, offset }) => ({
      total: count.get(webhook_id) ?? 0,
      rows: list.all(webhook_id, limit, offset),
    }),
    get: async (id, webhook_id) => find.get(id, webhook_id),
    listAttempts: async (id, limit) => attempts.all(id, limit).reverse(),
    markPending: async (id, now) => void resend.run(now.getTime(), id),
    createTest: async (test, max) =>
      inTransaction(db, () => {
        const held = testsLeased.get(test.account_id, test.created_at) ?? { own: 0, all: 0 }
        if (held.own >= max.perAccount || held.all >= max.total) return false
        addTest.run(test)
        return true
      }),
    deleteBefore: async (time, limit) => forget.run(time.getTime(), limit).changes,
  }
}

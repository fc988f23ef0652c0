import { type Db, durable, inTransaction } from '../db.ts'
import { openDeliveryOutcomes } from './delivery-outcomes.ts'
import { MUTED_SQL } from './muted-webhooks.ts'
import type { DisabledFor } from './webhooks.ts'

/** A message to a watch's address. Times are epoch milliseconds. */
export type Delivery = {
  id: string
  webhook_id: string
  account_id: number
  host: string
  kind: 'alert' | 'test'
  body: string
  state: 'pending' | 'delivered' | 'dead'
  tries: number
  next_at: number
  owner: string | null
  created_at: number
  ended_at: number | null
}

/** One attempt at it. */
export type DeliveryAttempt = {
  delivery_id: string
  at: number
  status: number | null
  error: string | null
  latency_ms: number
  answer: string | null
}

/** An alert as a publication left it in the catalog. */
export type RelayedAlert = { id: string; webhook_id: string; body: string; created_at: number }

/** A message that its taker is to deliver, with what it takes. */
export type DueDelivery = Pick<
  Delivery,
  'id' | 'webhook_id' | 'account_id' | 'host' | 'kind' | 'body' | 'tries' | 'created_at'
> & {
  url: string
  secret: Uint8Array
  old_secret: Uint8Array | null
  old_secret_until: number | null
}

/**
 * Who takes messages, and until when he has them. What belongs to a watch that tells nothing now is
 * looked at again at `quietUntil`.
 */
export type DeliveryLease = { owner: string; now: Date; until: Date; pausedUntil: Date }

/** What an attempt came to: when the next one is, or that there is none. */
export type DeliveryOutcome =
  | { kind: 'delivered' }
  | { kind: 'again'; next_at: Date }
  | { kind: 'dead'; disabled_for?: DisabledFor }

/** How far one has looked through what is due: to this time, and of it to this message. */
export type DueCursor = Pick<Delivery, 'next_at' | 'id'>

/** A message that is due, and what it counts for. */
export type DeliveryHead = Pick<Delivery, 'id' | 'webhook_id' | 'account_id' | 'host'>

/** Messages to the addresses of watches, and what became of them. */
export function openDeliveryStore(db: Db) {
  return {
    ...openQueue(db),
    ...openLeaseRelease(db),
    ...openDeliveryOutcomes(db),
    ...openDeliveryLog(db),
  }
}

/** What is due, and who has it. */
function openQueue(db: Db) {
  const relay = db.prepare<[RelayedAlert & { host: string; now: number }]>(
    `INSERT OR IGNORE INTO deliveries
       (id, webhook_id, account_id, host, kind, body, state, next_at, created_at)
     SELECT @id, webhooks.id, account_id, @host, 'alert', @body, 'pending', @now, @created_at
       FROM webhooks WHERE id = @webhook_id`,
  )
  const urlOf = db.prepare<[string], string>('SELECT url FROM webhooks WHERE id = ?').pluck()
  const looks = db.prepare<[DueCursor & { at: number; limit: number }], DeliveryHead & DueCursor>(
    `SELECT id, webhook_id, account_id, host, next_at FROM deliveries INDEXED BY deliveries_due
      WHERE state = 'pending' AND (next_at, id) > (@next_at, @id) AND next_at <= @at
      ORDER BY next_at, id LIMIT @limit`,
  )
  const headOf = db.prepare<[string, number], DeliveryHead>(
    `SELECT id, webhook_id, account_id, host FROM deliveries INDEXED BY deliveries_waiting
      WHERE state = 'pending' AND webhook_id = ? AND next_at <= ? ORDER BY next_at LIMIT 1`,
  )
  const hold = db.prepare<[Held]>(
    `UPDATE deliveries SET owner = @owner, next_at = @until
      WHERE id = @id AND state = 'pending' AND next_at <= @at
        AND NOT EXISTS (SELECT 1 FROM deliveries AS held INDEXED BY deliveries_held
          WHERE held.webhook_id = deliveries.webhook_id AND held.owner IS NOT NULL
            AND held.next_at > @at)
        AND (kind = 'test' OR NOT EXISTS (SELECT 1
          FROM webhooks JOIN accounts ON accounts.id = account_id
          WHERE webhooks.id = deliveries.webhook_id AND ${MUTED_SQL}))`,
  )
  const putOff = db.prepare<[{ id: string; at: number; quietUntil: number }]>(
    `UPDATE deliveries INDEXED BY deliveries_waiting SET next_at = @quietUntil, owner = NULL
      WHERE state = 'pending' AND next_at <= @at AND kind = 'alert' AND webhook_id =
        (SELECT webhooks.id FROM deliveries AS asked JOIN webhooks ON webhooks.id = asked.webhook_id
           JOIN accounts ON accounts.id = webhooks.account_id
          WHERE asked.id = @id AND ${MUTED_SQL})`,
  )
  const due = db.prepare<[string], DueDelivery>(
    `SELECT deliveries.id, webhook_id, deliveries.account_id, host, kind, body, tries,
            deliveries.created_at, url, secret, old_secret, old_secret_until
       FROM deliveries JOIN webhooks ON webhooks.id = webhook_id WHERE deliveries.id = +?`,
  )

  return {
    /**
     * Takes over alerts from the catalog, to be sent from now on; those that it has, and those whose watch
     * is gone, stay as they are. It is on the disk before the catalog forgets them.
     */
    async relay(
      alerts: readonly RelayedAlert[],
      hostOf: (url: string) => string,
      now: Date,
    ): Promise<number> {
      return durable(db, () => {
        let taken = 0
        for (const relayedAlert of alerts) {
          const url = urlOf.get(relayedAlert.webhook_id)
          if (url === undefined) continue
          taken += relay.run({ ...relayedAlert, host: hostOf(url), now: now.getTime() }).changes
        }
        return taken
      })
    },
    /**
     * Looks through what is due, in the order of its times.
     *
     * @returns at most `limit` messages behind the place, and where to go on; undefined: this was all
     */
    async listDue(
      now: Date,
      { after, limit }: { after: DueCursor; limit: number },
    ): Promise<{ heads: DeliveryHead[]; next: DueCursor | undefined }> {
      const heads = looks.all({ ...after, at: now.getTime(), limit })
      return { heads, next: heads.length < limit ? undefined : heads.at(-1) }
    },
    /** What is due first of a watch. */
    getFirstDue: async (watch: string, now: Date): Promise<DeliveryHead | undefined> =>
      headOf.get(watch, now.getTime()),
    /**
     * Takes messages that are due, one of a watch at a time.
     *
     * @returns those that nobody else has; none of watches that tell nothing now: all that is due of
     *   these is put off
     */
    async lease(
      { owner, now, until, pausedUntil }: DeliveryLease,
      ids: readonly string[],
    ): Promise<DueDelivery[]> {
      const at = now.getTime()
      return inTransaction(db, () =>
        ids.flatMap((id) => {
          const isOurs = hold.run({ id, owner, at, until: until.getTime() }).changes === 1
          if (!isOurs) putOff.run({ id, at, quietUntil: pausedUntil.getTime() })
          return isOurs ? (due.get(id) ?? []) : []
        }),
      )
    },
  }
}

type Held = { id: string; owner: string; at: number; until: number }

/** What is due although it waits. */
function openLeaseRelease(db: Db) {
  const bringBack = db.prepare<[number, number]>(
    "UPDATE deliveries SET next_at = ? WHERE state = 'pending' AND next_at > ?",
  )
  const takeBack = db.prepare<[number, number, string]>(
    `UPDATE deliveries INDEXED BY deliveries_held SET next_at = ?
      WHERE state = 'pending' AND next_at > ? AND owner IS NOT NULL AND owner <> ?`,
  )
  const leave = db.prepare<[number, string]>(
    `UPDATE deliveries INDEXED BY deliveries_held SET owner = NULL, next_at = ?
      WHERE owner IS NOT NULL AND owner = ? AND state = 'pending'`,
  )

  return {
    /**
     * What is due later than anything can be was put off by a wrong clock: it is due now. So is what
     * somebody else has for longer than anybody can have it.
     */
    async resetMisdated(
      now: Date,
      latest: { due: Date; held: Date; owner: string },
    ): Promise<void> {
      bringBack.run(now.getTime(), latest.due.getTime())
      takeBack.run(now.getTime(), latest.held.getTime(), latest.owner)
    },
    /** Leaves all that an owner has to whoever comes. */
    async release(owner: string, now: Date): Promise<void> {
      leave.run(now.getTime(), owner)
    },
  }
}

/** What was sent and is to be sent, for the owners of watches. */
function openDeliveryLog(db: Db) {
  const count = db
    .prepare<[string], number>('SELECT count(*) FROM deliveries WHERE webhook_id = ?')
    .pluck()
  // Read off the index of what is due, whatever else is kept.
  const waiting = db.prepare<[], { pending: number; first_due_at: number | null }>(
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
      ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  )
  const find = db.prepare<[string, string], Delivery>(
    'SELECT * FROM deliveries WHERE id = ? AND webhook_id = +?',
  )
  const attempts = db.prepare<[string, number], DeliveryAttempt>(
    `SELECT * FROM delivery_attempts WHERE delivery_id = ? ORDER BY at DESC, rowid DESC LIMIT ?`,
  )
  const wantAgain = db.prepare<[number, string]>(
    `UPDATE deliveries SET state = 'pending', tries = 0, next_at = ?, ended_at = NULL
      WHERE id = ? AND owner IS NULL`,
  )
  const addTest = db.prepare<[Delivery]>(
    `INSERT INTO deliveries (id, webhook_id, account_id, host, kind, body, state, tries, next_at,
       owner, created_at, ended_at)
     VALUES (@id, @webhook_id, @account_id, @host, @kind, @body, @state, @tries, @next_at,
       @owner, @created_at, @ended_at)`,
  )
  const testsHeld = db.prepare<[number, number], { own: number; all: number }>(
    `SELECT count(*) AS "all", count(*) FILTER (WHERE account_id = ?) AS own
       FROM deliveries INDEXED BY deliveries_held
      WHERE owner IS NOT NULL AND kind = 'test' AND next_at > ?`,
  )
  const forget = db.prepare<[number, number]>(
    `DELETE FROM deliveries WHERE rowid IN
       (SELECT rowid FROM deliveries WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
  )

  return {
    /** How many messages of all watches wait, and when the first of them is due. */
    getBacklog: async () => waiting.get() ?? { pending: 0, first_due_at: null },
    countDue: async (now: Date): Promise<number> => due.get(now.getTime()) ?? 0,
    /** How many that were given up are still kept. */
    countDead: async (): Promise<number> => dead.get() ?? 0,
    /** Messages of a watch, newest first, and how many there are. */
    async list(
      webhook_id: string,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ total: number; rows: Delivery[] }> {
      return { total: count.get(webhook_id) ?? 0, rows: list.all(webhook_id, limit, offset) }
    },
    get: async (id: string, webhook_id: string): Promise<Delivery | undefined> =>
      find.get(id, webhook_id),
    /** The newest attempts at a message, oldest of them first. */
    listAttempts: async (id: string, limit: number): Promise<DeliveryAttempt[]> =>
      attempts.all(id, limit).reverse(),
    /** Sends a message once more, from now, with all its attempts; one that is being sent stays. */
    async markPending(id: string, now: Date): Promise<void> {
      wantAgain.run(now.getTime(), id)
    },
    /**
     * Adds a test that its owner delivers himself.
     *
     * @returns whether it was added: not while so many are being sent, of its account or altogether
     */
    async createTest(test: Delivery, max: { perAccount: number; total: number }): Promise<boolean> {
      return inTransaction(db, () => {
        const held = testsHeld.get(test.account_id, test.created_at) ?? { own: 0, all: 0 }
        if (held.own >= max.perAccount || held.all >= max.total) return false
        addTest.run(test)
        return true
      })
    },
    /** @returns how many it forgot: at the most `limit` of those that were made before */
    async deleteBefore(time: Date, limit: number): Promise<number> {
      return forget.run(time.getTime(), limit).changes
    },
  }
}

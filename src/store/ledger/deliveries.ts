import { type Db, durable, inTransaction } from '../db.ts'
import { openConclusions } from './delivery-conclusions.ts'
import { IS_QUIET } from './quiet-watches.ts'
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
export type Alert = { id: string; webhook_id: string; body: string; created_at: number }

/** A message that its taker is to deliver, with what it takes. */
export type Due = Pick<
  Delivery,
  'id' | 'webhook_id' | 'account_id' | 'host' | 'kind' | 'body' | 'tries' | 'created_at'
> & {
  url: string
  secret: Uint8Array
  old_secret: Uint8Array | null
  old_secret_until: number | null
}

/** Who takes messages, and until when he has them. */
export type Hold = { owner: string; now: Date; until: Date }

/** What an attempt came to: when the next one is, or that there is none. */
export type Conclusion =
  | { kind: 'delivered' }
  | { kind: 'again'; next_at: Date }
  | { kind: 'dead'; disabled_for?: DisabledFor }

/** The first message of a watch that is due, and what it counts for. */
export type Head = Pick<Delivery, 'id' | 'webhook_id' | 'account_id' | 'host'>

/** Messages to the addresses of watches, and what became of them. */
export function openDeliveries(db: Db) {
  return { ...openQueue(db), ...openHandOver(db), ...openConclusions(db), ...openLog(db) }
}

/** What is due, and who has it. */
function openQueue(db: Db) {
  const relay = db.prepare<[Alert & { host: string }]>(
    `INSERT OR IGNORE INTO deliveries
       (id, webhook_id, account_id, host, kind, body, state, next_at, created_at)
     SELECT @id, webhooks.id, account_id, @host, 'alert', @body, 'pending', @created_at, @created_at
       FROM webhooks WHERE id = @webhook_id`,
  )
  const urlOf = db.prepare<[string], string>('SELECT url FROM webhooks WHERE id = ?').pluck()
  // From watch to watch, and of each the first message: it does not matter how many wait behind it.
  const looks = db.prepare<[{ after: string; limit: number }], Head & { next_at: number }>(
    `WITH RECURSIVE waiting (watch) AS (
       SELECT min(webhook_id) FROM deliveries WHERE state = 'pending' AND webhook_id > +@after
       UNION ALL
       SELECT (SELECT min(webhook_id) FROM deliveries WHERE state = 'pending' AND webhook_id > watch)
         FROM waiting WHERE watch IS NOT NULL LIMIT @limit)
     SELECT ${HEAD}, next_at FROM waiting CROSS JOIN deliveries AS head
         ON head.rowid = ${firstOf('watch')}`,
  )
  const headOf = db.prepare<[{ watch: string; at: number }], Head>(
    `SELECT ${HEAD} FROM deliveries AS head
      WHERE rowid = ${firstOf('+@watch')} AND next_at <= +@at`,
  )
  const hold = db.prepare<[Held]>(
    `UPDATE deliveries SET owner = @owner, next_at = @until
      WHERE id = @id AND state = 'pending' AND next_at <= @at
        AND NOT EXISTS (SELECT 1 FROM deliveries AS held INDEXED BY deliveries_held
          WHERE held.webhook_id = deliveries.webhook_id AND held.owner IS NOT NULL
            AND held.next_at > @at)
        AND (kind = 'test' OR NOT EXISTS (SELECT 1
          FROM webhooks JOIN accounts ON accounts.id = account_id
          WHERE webhooks.id = deliveries.webhook_id AND ${IS_QUIET}))`,
  )
  const due = db.prepare<[string], Due>(
    `SELECT deliveries.id, webhook_id, deliveries.account_id, host, kind, body, tries,
            deliveries.created_at, url, secret, old_secret, old_secret_until
       FROM deliveries JOIN webhooks ON webhooks.id = webhook_id WHERE deliveries.id = +?`,
  )

  return {
    /**
     * Takes over alerts from the catalog; those that it has, and those whose watch is gone, stay as they
     * are. It is on the disk before the catalog forgets them.
     */
    async relay(alerts: readonly Alert[], hostOf: (url: string) => string): Promise<number> {
      return durable(db, () => {
        let taken = 0
        for (const alert of alerts) {
          const url = urlOf.get(alert.webhook_id)
          if (url !== undefined) taken += relay.run({ ...alert, host: hostOf(url) }).changes
        }
        return taken
      })
    },
    /**
     * Looks through watches for which something waits, by id.
     *
     * @param after the watch behind which to begin; empty: at the first
     * @param limit so many watches
     * @returns what is due, and where to go on; undefined: this was all
     */
    async look(
      now: Date,
      { after, limit }: { after: string; limit: number },
    ): Promise<{ heads: Head[]; next: string | undefined }> {
      const found = looks.all({ after, limit })
      return {
        heads: found.filter(({ next_at }) => next_at <= now.getTime()),
        next: found.length < limit ? undefined : found.at(-1)?.webhook_id,
      }
    },
    /** What is due of a watch. */
    headOf: async (watch: string, now: Date): Promise<Head | undefined> =>
      headOf.get({ watch, at: now.getTime() }),
    /**
     * Takes messages that are due, one of a watch at a time.
     *
     * @returns those that nobody else has; none of watches that tell nothing now
     */
    async take({ owner, now, until }: Hold, ids: readonly string[]): Promise<Due[]> {
      const times = { at: now.getTime(), until: until.getTime() }
      return inTransaction(db, () =>
        ids.flatMap((id) => {
          const isOurs = hold.run({ id, owner, ...times }).changes === 1
          return isOurs ? (due.get(id) ?? []) : []
        }),
      )
    },
  }
}

type Held = { id: string; owner: string; at: number; until: number }

const HEAD = 'head.id, head.webhook_id, head.account_id, head.host'

/** The row of a watch's message that is due first. */
function firstOf(watch: string): string {
  return `(SELECT rowid FROM deliveries WHERE state = 'pending' AND webhook_id = ${watch}
            ORDER BY next_at LIMIT 1)`
}

/** What waits although it is due, or is due although it waits. */
function openHandOver(db: Db) {
  const putOff = db.prepare<[number, number]>(
    `UPDATE deliveries SET next_at = ?
      WHERE state = 'pending' AND next_at <= ? AND kind = 'alert' AND webhook_id IN
        (SELECT webhooks.id FROM webhooks JOIN accounts ON accounts.id = account_id
          WHERE ${IS_QUIET})`,
  )
  const bringBack = db.prepare<[{ at: number; due: number; held: number; owner: string }]>(
    `UPDATE deliveries SET next_at = @at WHERE state = 'pending'
      AND (next_at > @due OR (owner <> @owner AND next_at > @held))`,
  )
  const leave = db.prepare<[number, string]>(
    `UPDATE deliveries SET owner = NULL, next_at = ? WHERE owner = ? AND state = 'pending'`,
  )

  return {
    /** Looks later again at what is due and belongs to a watch that tells nothing now. */
    async putOff(now: Date, until: Date): Promise<void> {
      putOff.run(until.getTime(), now.getTime())
    },
    /**
     * What is due later than anything can be was put off by a wrong clock: it is due now. So is what
     * somebody else has for longer than anybody can have it.
     */
    async bringBack(now: Date, latest: { due: Date; held: Date; owner: string }): Promise<void> {
      const { due, held, owner } = latest
      bringBack.run({ at: now.getTime(), due: due.getTime(), held: held.getTime(), owner })
    },
    /** Leaves all that an owner has to whoever comes. */
    async leave(owner: string, now: Date): Promise<void> {
      leave.run(now.getTime(), owner)
    },
  }
}

/** What was sent and is to be sent, for the owners of watches. */
function openLog(db: Db) {
  const count = db
    .prepare<[string], number>('SELECT count(*) FROM deliveries WHERE webhook_id = ?')
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
  const forget = db.prepare<[number, number]>(
    `DELETE FROM deliveries WHERE rowid IN
       (SELECT rowid FROM deliveries WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
  )

  return {
    /** Messages of a watch, newest first, and how many there are. */
    async list(
      webhook_id: string,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ total: number; rows: Delivery[] }> {
      return { total: count.get(webhook_id) ?? 0, rows: list.all(webhook_id, limit, offset) }
    },
    find: async (id: string, webhook_id: string): Promise<Delivery | undefined> =>
      find.get(id, webhook_id),
    /** The newest attempts at a message, oldest of them first. */
    attempts: async (id: string, limit: number): Promise<DeliveryAttempt[]> =>
      attempts.all(id, limit).reverse(),
    /** Sends a message once more, from now, with all its attempts; one that is being sent stays. */
    async markWanted(id: string, now: Date): Promise<void> {
      wantAgain.run(now.getTime(), id)
    },
    /** Adds a test that its owner delivers himself. */
    async addTest(test: Delivery): Promise<void> {
      addTest.run(test)
    },
    /** @returns how many it forgot: at the most `limit` of those that were made before */
    async forgetBefore(time: Date, limit: number): Promise<number> {
      return forget.run(time.getTime(), limit).changes
    },
  }
}

import type { BillingProvider } from '#rules/billing/billing.ts'
import { type BillableItem, isPlan, type Plan } from '#rules/billing/plans.ts'
import { type Db, durable } from '../db.ts'
import type { CheckoutRow } from './schema.ts'

/** A checkout. Times are epoch milliseconds, money is US cents; `session` and `url` are null until Stripe has answered. */
export type Checkout = CheckoutRow

export type NewCheckout = Omit<Checkout, 'state' | 'session' | 'url' | 'closed_at'>

/** An open checkout with the e-mail address of its account, for the operator. */
export type OpenCheckout = Checkout & { email: string }

const COLUMNS = `id, account_id, provider, item, amount_cents, state, session, url, created_at,
  expires_at, closed_at`

/** Condition for a plan, not a pack: same wording as the index checkouts_open_plan. */
const OF_A_PLAN = "item NOT LIKE 'scans/_%' ESCAPE '/'"

/** Condition for a manually billed plan that was paid and not refunded. */
const paidPlan = (of: string) => `${of}.provider = 'manual' AND ${of}.state = 'paid'
  AND ${of}.${OF_A_PLAN} AND NOT EXISTS
    (SELECT 1 FROM billing_charges WHERE ref = ${of}.id AND refunded_cents > 0)`

/** Checkouts; `BillingStore.record` closes them. */
export type CheckoutStore = {
  /** Returns a checkout; undefined if not found. */
  getById(id: string): Promise<Checkout | undefined>
  /** Creates a checkout, or returns the account's open one for the same pack or for any plan. */
  create(checkout: NewCheckout): Promise<Checkout>
  /** Stores where a checkout is paid. @returns whether it is still open */
  updateSession(
    id: string,
    known: Pick<Checkout, 'session' | 'url' | 'expires_at'>,
  ): Promise<boolean>
  /** Ends a checkout that can no longer be paid; false if it is over or has another session. */
  markEnded(checkout: Pick<Checkout, 'id' | 'session'>, now: Date): Promise<boolean>
  /** Lists open checkouts created before a time, oldest first. */
  listOpen(
    before: Date,
    limit: number,
    filter?: { provider?: BillingProvider; email?: string | undefined },
  ): Promise<OpenCheckout[]>
  /** Lists an account's open checkouts, oldest first. */
  listOpenByAccount(accountId: number): Promise<Checkout[]>
  /** Finds ids that begin with a prefix, at most two. */
  findIdsByPrefix(prefix: string): Promise<string[]>
  /** Lists manually billed plans paid after a checkout and not refunded, in the order of payment. */
  listPlansPaidAfter(id: string): Promise<Plan[]>
  /** Returns true if a manually billed plan was paid before a checkout and not refunded. */
  hasPaidBefore(id: string): Promise<boolean>
  /** Deletes at most `limit` ended checkouts that closed before a time. @returns how many */
  deleteBefore(time: Date, limit: number): Promise<number>
  /** Ends at most `limit` checkouts that have expired. @returns how many */
  markExpired(now: Date, limit: number): Promise<number>
}

export function openCheckoutStore(db: Db): CheckoutStore {
  const byId = db.prepare<[string], Checkout>(`SELECT ${COLUMNS} FROM checkouts WHERE id = ?`)
  const openPack = db.prepare<[number, BillableItem], Checkout>(
    `SELECT ${COLUMNS} FROM checkouts WHERE account_id = ? AND item = ? AND state = 'open'`,
  )
  const openPlan = db.prepare<[number], Checkout>(
    `SELECT ${COLUMNS} FROM checkouts
      WHERE account_id = ? AND state = 'open' AND ${OF_A_PLAN}`,
  )
  const add = db.prepare<[NewCheckout]>(
    `INSERT INTO checkouts (id, account_id, provider, item, amount_cents, state, created_at,
       expires_at)
     VALUES (@id, @account_id, @provider, @item, @amount_cents, 'open', @created_at, @expires_at)`,
  )
  const putSession = db.prepare<[string | null, string | null, number, string]>(
    "UPDATE checkouts SET session = ?, url = ?, expires_at = ? WHERE id = ? AND state = 'open'",
  )
  const end = db.prepare<[number, string, string | null]>(
    `UPDATE checkouts SET state = 'ended', closed_at = ?
      WHERE id = ? AND session IS ? AND state = 'open'`,
  )
  const open = db.prepare<[number, BillingProvider | null, string | null, number], OpenCheckout>(
    `SELECT checkouts.*, email
       FROM checkouts JOIN accounts ON accounts.id = account_id
      WHERE state = 'open' AND checkouts.created_at < ?
        AND provider = coalesce(?, provider) AND email = coalesce(?, email)
      ORDER BY checkouts.created_at, checkouts.rowid LIMIT ?`,
  )
  const openOf = db.prepare<[number], Checkout>(
    `SELECT ${COLUMNS} FROM checkouts WHERE account_id = ? AND state = 'open'
      ORDER BY created_at, rowid`,
  )
  const endExpired = db.prepare<[number, number, number]>(
    `UPDATE checkouts SET state = 'ended', closed_at = ? WHERE rowid IN
       (SELECT rowid FROM checkouts
         WHERE provider = 'manual' AND state = 'open' AND expires_at <= ? LIMIT ?)`,
  )
  const forget = db.prepare<[number, number]>(
    `DELETE FROM checkouts WHERE rowid IN
       (SELECT rowid FROM checkouts WHERE state = 'ended' AND closed_at < ? LIMIT ?)`,
  )
  const beginning = db
    .prepare<[string, string], string>('SELECT id FROM checkouts WHERE id >= ? AND id < ? LIMIT 2')
    .pluck()
  // An account has at most one open checkout for a plan, so plans are paid in the order of their
  // rows.
  const paidAfter = db
    .prepare<[string], CheckoutRow['item']>(
      `SELECT later.item FROM checkouts AS one JOIN checkouts AS later
          ON later.account_id = one.account_id AND later.rowid > one.rowid
        WHERE one.id = ? AND ${paidPlan('later')} ORDER BY later.rowid`,
    )
    .pluck()

  const paidBefore = db
    .prepare<[string], number>(
      `SELECT 1 FROM checkouts AS one JOIN checkouts AS earlier
          ON earlier.account_id = one.account_id AND earlier.rowid < one.rowid
        WHERE one.id = ? AND ${paidPlan('earlier')} LIMIT 1`,
    )
    .pluck()

  return {
    getById: async (id) => byId.get(id),
    async create(wanted) {
      // Durable, because it may be paid seconds later.
      return durable(db, () => {
        const { account_id, item, id } = wanted
        const open = isPlan(item) ? openPlan.get(account_id) : openPack.get(account_id, item)
        if (open !== undefined) return open
        add.run(wanted)
        return (
          byId.get(id) ?? { ...wanted, state: 'open', session: null, url: null, closed_at: null }
        )
      })
    },
    updateSession: async (id, known) =>
      putSession.run(known.session, known.url, known.expires_at, id).changes > 0,
    markEnded: async ({ id, session }, now) => end.run(now.getTime(), id, session).changes > 0,
    listOpen: async (before, limit, { provider, email } = {}) =>
      open.all(before.getTime(), provider ?? null, email ?? null, limit),
    listOpenByAccount: async (accountId) => openOf.all(accountId),
    findIdsByPrefix: async (start) => beginning.all(start, `${start}\u{10FFFF}`),
    listPlansPaidAfter: async (id) => paidAfter.all(id).filter(isPlan),
    hasPaidBefore: async (id) => paidBefore.get(id) === 1,
    deleteBefore: async (time, limit) => forget.run(time.getTime(), limit).changes,
    markExpired: async (now, limit) => endExpired.run(now.getTime(), now.getTime(), limit).changes,
  }
}

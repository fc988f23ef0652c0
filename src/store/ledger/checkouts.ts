import type { BillingProvider } from '#rules/billing/billing.ts'
import { type BillableItem, isPlan, type Plan } from '#rules/billing/plans.ts'
import { columnsOf } from '../table-sql.ts'
import type { LedgerEngine } from './engine/operation.ts'
import { type CheckoutRow, checkouts } from './schema/billing.ts'

/** A checkout. Times are epoch milliseconds, money is US cents; `session` and `url` are null until Stripe has answered. */
export type Checkout = CheckoutRow

export type NewCheckout = Pick<
  Checkout,
  'id' | 'account_id' | 'provider' | 'item' | 'amount_cents'
> & {
  now: Date
  /** Milliseconds until it expires. */
  openMs: number
}

/** An open checkout with the e-mail address of its account, for the operator. */
export type OpenCheckout = Checkout & { email: string }

const COLUMNS = columnsOf(checkouts)

/** Condition for a plan instead of a pack: same wording as the index checkouts_open_plan. */
const OF_A_PLAN = "item NOT LIKE 'scans/_%' ESCAPE '/'"

/** Condition for a manually billed plan that was paid and not refunded. */
const paidPlan = (of: string) => `${of}.provider = 'manual' AND ${of}.state = 'paid'
  AND ${of}.${OF_A_PLAN} AND NOT EXISTS
    (SELECT 1 FROM billing_charges WHERE ref = ${of}.id AND refunded_cents > 0)`

/** Checkouts; `BillingStore.record` closes them. */
export type CheckoutStore = {
  /** Returns a checkout; undefined if not found. */
  getById(id: string): Promise<Checkout | undefined>
  /**
   * Creates a checkout, or returns the account's open one for the same pack or for any plan. First ends the account's
   * expired checkouts of manual billing.
   */
  create(checkout: NewCheckout): Promise<Checkout>
  /** Stores the payment page of a checkout. @returns true if it is still open */
  updateSession(
    id: string,
    known: Pick<Checkout, 'session' | 'url' | 'expires_at'>,
  ): Promise<boolean>
  /** Ends a checkout that can no longer be paid; false if it has already ended or has another session. */
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
  /** Deletes at most `limit` ended checkouts that closed before a time. @returns their number */
  deleteBefore(time: Date, limit: number): Promise<number>
  /** Ends at most `limit` expired checkouts. @returns their number */
  markExpired(now: Date, limit: number): Promise<number>
}

export function openCheckoutStore(engine: LedgerEngine): CheckoutStore {
  const { query, transact } = engine
  const byId = engine.prepare<[string], Checkout>(`SELECT ${COLUMNS} FROM checkouts WHERE id = ?`)
  const openPack = engine.prepare<[number, BillableItem], Checkout>(
    `SELECT ${COLUMNS} FROM checkouts WHERE account_id = ? AND item = ? AND state = 'open'`,
  )
  const openPlan = engine.prepare<[number], Checkout>(
    `SELECT ${COLUMNS} FROM checkouts
      WHERE account_id = ? AND state = 'open' AND ${OF_A_PLAN}`,
  )
  const add = engine.prepare<[Omit<NewCheckout, 'now'> & { now: number }], Checkout>(
    `INSERT INTO checkouts (id, account_id, provider, item, amount_cents, state, created_at,
       expires_at)
     VALUES (@id, @account_id, @provider, @item, @amount_cents, 'open', clock(@now),
       clock(@now) + @openMs) RETURNING ${COLUMNS}`,
  )
  const putSession = engine.prepare<[string | null, string | null, number, string]>(
    "UPDATE checkouts SET session = ?, url = ?, expires_at = ? WHERE id = ? AND state = 'open'",
  )
  const end = engine.prepare<[number, string, string | null]>(
    `UPDATE checkouts SET state = 'ended', closed_at = ?
      WHERE id = ? AND session IS NOT DISTINCT FROM ? AND state = 'open'`,
  )
  const open = engine.prepare<
    [number, BillingProvider | null, string | null, number],
    OpenCheckout
  >(
    `SELECT ${COLUMNS.replaceAll(/\w+/g, 'checkouts.$&')}, email
       FROM checkouts JOIN accounts ON accounts.id = account_id
      WHERE state = 'open' AND checkouts.created_at < ?
        AND provider = coalesce(?, provider) AND email = coalesce(?, email)
      ORDER BY checkouts.created_at, checkouts.rowid LIMIT ?`,
  )
  const openOf = engine.prepare<[number], Checkout>(
    `SELECT ${COLUMNS} FROM checkouts WHERE account_id = ? AND state = 'open'
      ORDER BY created_at, rowid`,
  )
  const expired = "provider = 'manual' AND state = 'open' AND expires_at <= clock(@now)"
  const endExpired = engine.prepare<[{ now: number; limit: number }]>(
    `UPDATE checkouts SET state = 'ended', closed_at = @now WHERE id IN
       (SELECT id FROM checkouts WHERE ${expired} LIMIT @limit)`,
  )
  const endExpiredOf = engine.prepare<[{ account_id: number; now: number }]>(
    `UPDATE checkouts SET state = 'ended', closed_at = @now
      WHERE account_id = @account_id AND ${expired}`,
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM checkouts WHERE id IN
       (SELECT id FROM checkouts WHERE state = 'ended' AND closed_at < ? LIMIT ?)`,
  )
  const beginning = engine.prepare<[string, string], Pick<CheckoutRow, 'id'>>(
    'SELECT id FROM checkouts WHERE id >= ? AND id < ? LIMIT 2',
  )
  // An account has at most one open checkout for a plan, so plans are paid in the order of their
  // rows.
  const paidAfter = engine.prepare<[string], Pick<CheckoutRow, 'item'>>(
    `SELECT later.item FROM checkouts AS one JOIN checkouts AS later
        ON later.account_id = one.account_id AND later.rowid > one.rowid
      WHERE one.id = ? AND ${paidPlan('later')} ORDER BY later.rowid`,
  )
  const paidBefore = engine.prepare<[string], Pick<CheckoutRow, 'item'>>(
    `SELECT earlier.item FROM checkouts AS one JOIN checkouts AS earlier
        ON earlier.account_id = one.account_id AND earlier.rowid < one.rowid
      WHERE one.id = ? AND ${paidPlan('earlier')} LIMIT 1`,
  )

  return {
    getById: (id) => query(byId.get(id)),
    create: (wanted) =>
      transact(
        function* () {
          const { account_id, item } = wanted
          const now = wanted.now.getTime()
          yield* endExpiredOf.run({ account_id, now })
          const open = isPlan(item)
            ? yield* openPlan.get(account_id)
            : yield* openPack.get(account_id, item)
          if (open !== undefined) return open
          const added = yield* add.get({ ...wanted, now })
          if (added === undefined) throw new Error(`checkout ${wanted.id} was not stored`)
          return added
        },
        // Durable, because it may be paid seconds later.
        { account: wanted.account_id, isDurable: true },
      ),
    updateSession: async (id, { session, url, expires_at }) =>
      (await query(putSession.run(session, url, expires_at, id))) > 0,
    markEnded: async ({ id, session }, now) =>
      (await query(end.run(now.getTime(), id, session))) > 0,
    listOpen: (before, limit, { provider, email } = {}) =>
      query(open.all(before.getTime(), provider ?? null, email ?? null, limit)),
    listOpenByAccount: (accountId) => query(openOf.all(accountId)),
    findIdsByPrefix: async (start) =>
      (await query(beginning.all(start, `${start}\u{10FFFF}`))).map(({ id }) => id),
    listPlansPaidAfter: async (id) =>
      (await query(paidAfter.all(id))).map(({ item }) => item).filter(isPlan),
    hasPaidBefore: async (id) => (await query(paidBefore.get(id))) !== undefined,
    deleteBefore: (time, limit) => query(forget.run(time.getTime(), limit)),
    markExpired: (now, limit) => query(endExpired.run({ now: now.getTime(), limit })),
  }
}

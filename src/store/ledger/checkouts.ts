import type { BillingProvider } from '#rules/billing/billing.ts'
import { type BillableItem, isPlan, type Plan } from '#rules/billing/plans.ts'
import { type Db, durable } from '../db.ts'

/** A way to pay that was offered. Times are epoch milliseconds, money is US cents. */
export type Checkout = {
  id: string
  account_id: number
  provider: BillingProvider
  item: BillableItem
  amount_cents: number
  state: 'open' | 'paid' | 'ended'
  /** Stripe's name for it, once it is known. */
  session: string | null
  /** Where to pay, once it is known. */
  url: string | null
  created_at: number
  expires_at: number
  closed_at: number | null
}

export type NewCheckout = Omit<Checkout, 'state' | 'session' | 'url' | 'closed_at'>

/** An open checkout with the address of its account, for the operator. */
export type OpenCheckout = Checkout & { email: string }

const COLUMNS = `id, account_id, provider, item, amount_cents, state, session, url, created_at,
  expires_at, closed_at`

/** Of a plan, and not of a pack: in the words of the index checkouts_open_plan. */
const OF_A_PLAN = "item NOT LIKE 'scans/_%' ESCAPE '/'"

/** A plan of manual billing that was paid and not refunded. */
const paidPlan = (of: string) => `${of}.provider = 'manual' AND ${of}.state = 'paid'
  AND ${of}.${OF_A_PLAN} AND NOT EXISTS
    (SELECT 1 FROM billing_charges WHERE ref = ${of}.id AND refunded_cents > 0)`

/** Ways to pay that were offered; `billing.record` closes them. */
export function openCheckoutStore(db: Db) {
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
      ORDER BY checkouts.created_at, checkouts.id LIMIT ?`,
  )
  const openOf = db.prepare<[number], Checkout>(
    `SELECT ${COLUMNS} FROM checkouts WHERE account_id = ? AND state = 'open' ORDER BY created_at`,
  )
  const endExpired = db.prepare<[number, number]>(
    `UPDATE checkouts SET state = 'ended', closed_at = ?
      WHERE provider = 'manual' AND state = 'open' AND expires_at <= ?`,
  )
  const forget = db.prepare<[number]>(
    "DELETE FROM checkouts WHERE state = 'ended' AND closed_at < ?",
  )
  const beginning = db
    .prepare<[string, string], string>('SELECT id FROM checkouts WHERE id >= ? AND id < ? LIMIT 2')
    .pluck()
  // An account has one open checkout of a plan at the most, so they are paid in the order in which
  // they were made, which is that of their rows.
  const paidAfter = db
    .prepare<[string], Plan>(
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
    getById: async (id: string): Promise<Checkout | undefined> => byId.get(id),
    /**
     * Opens a checkout, unless one is open that it would stand beside: of the same pack, or of any
     * plan. That one is answered instead.
     */
    async create(wanted: NewCheckout): Promise<Checkout> {
      // Somebody may pay for it seconds later.
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
    /**
     * Keeps where a checkout is paid.
     *
     * @returns whether it is still open
     */
    async updateSession(
      id: string,
      known: Pick<Checkout, 'session' | 'url' | 'expires_at'>,
    ): Promise<boolean> {
      return putSession.run(known.session, known.url, known.expires_at, id).changes > 0
    },
    /**
     * Ends a checkout that nobody can pay any more.
     *
     * @returns whether it did: not one that is over, or has got another session meanwhile
     */
    async markEnded(
      { id, session }: Pick<Checkout, 'id' | 'session'>,
      now: Date,
    ): Promise<boolean> {
      return end.run(now.getTime(), id, session).changes > 0
    },
    /** Those that are open and were opened before a time, oldest first. */
    listOpen: async (
      before: Date,
      limit: number,
      { provider, email }: { provider?: BillingProvider; email?: string | undefined } = {},
    ): Promise<OpenCheckout[]> =>
      open.all(before.getTime(), provider ?? null, email ?? null, limit),
    /** Those of an account that are open, oldest first. */
    listOpenByAccount: async (accountId: number): Promise<Checkout[]> => openOf.all(accountId),
    /** The ids that begin with this, two at the most. */
    findIdsByPrefix: async (start: string): Promise<string[]> =>
      beginning.all(start, `${start}\u{10FFFF}`),
    /** The plans of manual billing that were paid after a checkout and not refunded, in that order. */
    listPlansPaidAfter: async (id: string): Promise<Plan[]> => paidAfter.all(id),
    /** Whether a plan of manual billing was paid before a checkout and not refunded. */
    hasPaidBefore: async (id: string): Promise<boolean> => paidBefore.get(id) === 1,
    /** Forgets those that ended before a time and were not paid. */
    deleteBefore: async (time: Date): Promise<void> => void forget.run(time.getTime()),
    /** Ends those of manual billing whose time is over. */
    async markExpired(now: Date): Promise<void> {
      endExpired.run(now.getTime(), now.getTime())
    },
  }
}

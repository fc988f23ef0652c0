import type { BillingProvider, SubscriptionFacts } from '#rules/billing/billing.ts'
import { computeStanding, type SubscriptionStanding } from '#rules/billing/subscriptions.ts'
import { type Db, inTransaction } from '../db.ts'
import { openTierWriter } from './tiers.ts'

/** A subscription as it was last told, and where that leaves it. */
export type SubscriptionRecord = SubscriptionFacts & { standing: SubscriptionStanding }

type Row = Omit<SubscriptionFacts, 'cancels'> & { cancels: number; disputed_at: number | null }

const COLUMNS = `ref, account_id, provider, plan, status, period_end, cancels, next_plan, past_due_at,
  (SELECT max(paid_at) FROM billing_charges
    WHERE subscription = subscriptions.ref AND disputed_cents > 0) AS disputed_at`

/** What nothing can change any more. */
const OVER = "status IN ('canceled', 'incomplete_expired')"

/** Subscriptions as their providers last told of them. */
export function openSubscriptionStore(db: Db) {
  const writer = openSubscriptionWriter(db)
  const ofAccount = db.prepare<[number], Row>(
    `SELECT ${COLUMNS} FROM subscriptions WHERE account_id = ? ORDER BY checked_at DESC, ref`,
  )
  const changing = db
    .prepare<[number], string>('SELECT ref FROM subscriptions WHERE changes_at <= ?')
    .pluck()
  const unchecked = db
    .prepare<[BillingProvider, number, number], string>(
      `SELECT ref FROM subscriptions
        WHERE provider = ? AND checked_at < ? AND NOT ${OVER}
        ORDER BY checked_at LIMIT ?`,
    )
    .pluck()

  return {
    getByRef: async (ref: string, now: Date): Promise<SubscriptionRecord | undefined> =>
      writer.byRef(ref, now),
    /** Those of an account, what was told last first. */
    async listByAccount(accountId: number, now: Date): Promise<SubscriptionRecord[]> {
      return ofAccount.all(accountId).map((row) => subscriptionOf(row, now))
    },
    /**
     * Makes tiers follow the time: periods and times of grace that are over.
     *
     * @returns how many subscriptions it was
     */
    async settleDue(now: Date): Promise<number> {
      return inTransaction(db, () => {
        const due = changing.all(now.getTime())
        for (const ref of due) writer.settle(ref, now)
        return due.length
      })
    },
    /** Those that were not looked up since a time and may still change, longest ago first. */
    async listUnchecked(
      billingProvider: BillingProvider,
      since: Date,
      limit: number,
    ): Promise<string[]> {
      return unchecked.all(billingProvider, since.getTime(), limit)
    },
  }
}

/** Every subscription that is not over for good, with how it stands. */
export function openSubscriptionReader(db: Db): (now: Date) => SubscriptionRecord[] {
  const all = db.prepare<[], Row>(
    `SELECT ${COLUMNS} FROM subscriptions WHERE NOT ${OVER} ORDER BY account_id, ref`,
  )
  return (now) => all.all().map((row) => subscriptionOf(row, now))
}

/** What changes subscriptions, for callers that are within a transaction. */
export function openSubscriptionWriter(db: Db) {
  const tiers = openTierWriter(db)
  const byRef = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM subscriptions WHERE ref = ?`)
  const put = db.prepare<[Omit<Row, 'disputed_at'> & { asked: number; checked_at: number }]>(
    `INSERT INTO subscriptions (ref, account_id, provider, plan, status, period_end, cancels,
       next_plan, past_due_at, asked, checked_at, tier)
     VALUES (@ref, @account_id, @provider, @plan, @status, @period_end, @cancels,
       @next_plan, @past_due_at, @asked, @checked_at, 'free')
     ON CONFLICT (ref) DO UPDATE SET plan = excluded.plan, status = excluded.status,
       period_end = excluded.period_end, cancels = excluded.cancels,
       next_plan = excluded.next_plan, past_due_at = excluded.past_due_at,
       asked = excluded.asked, checked_at = excluded.checked_at
      WHERE excluded.asked > asked AND excluded.account_id = account_id`,
  )
  const putStanding = db.prepare<[string, number | null, string]>(
    'UPDATE subscriptions SET tier = ?, changes_at = ? WHERE ref = ?',
  )

  /** Works out anew what a subscription is worth, and with it its account's tier. */
  function settle(ref: string, now: Date): void {
    const known = found(ref, now)
    if (known === undefined) return
    const { tier, changes_at } = known.standing
    putStanding.run(tier, changes_at, ref)
    tiers.settle(known.account_id, { now, address: undefined })
  }

  function found(ref: string, now: Date): SubscriptionRecord | undefined {
    const row = byRef.get(ref)
    return row && subscriptionOf(row, now)
  }

  return {
    byRef: found,
    settle,
    /** Keeps what was told, unless something later is known. */
    put(told: SubscriptionFacts, asked: number, now: Date): void {
      const cancels = told.cancels ? 1 : 0
      put.run({ ...told, cancels, asked, checked_at: now.getTime() })
      settle(told.ref, now)
    },
  }
}

function subscriptionOf({ disputed_at, cancels, ...row }: Row, now: Date): SubscriptionRecord {
  const subscriptionStanding = computeStanding(row, disputed_at, now.getTime())
  return { ...row, cancels: cancels === 1, standing: subscriptionStanding }
}

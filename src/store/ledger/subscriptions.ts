import type { BillingProvider, SubscriptionFacts } from '#rules/billing/billing.ts'
import { computeStanding, type SubscriptionStanding } from '#rules/billing/subscriptions.ts'
import { type Db, inTransaction } from '../db.ts'
import type { SubscriptionRow } from './schema.ts'
import { openTierWriter } from './tiers.ts'

/** A subscription as last reported, and its standing. */
export type SubscriptionRecord = SubscriptionFacts & { standing: SubscriptionStanding }

type Row = Omit<SubscriptionFacts, 'cancels'> &
  Pick<SubscriptionRow, 'cancels'> & { disputed_at: number | null }

const COLUMNS = `ref, account_id, provider, plan, status, period_end, cancels, next_plan, past_due_at,
  anchor_day, (SELECT max(paid_at) FROM billing_charges
    WHERE subscription = subscriptions.ref AND disputed_cents > 0) AS disputed_at`

/** Condition for subscriptions that can no longer change. */
const OVER = "status IN ('canceled', 'incomplete_expired')"

/** Subscriptions as their providers last reported them. */
export type SubscriptionStore = {
  /** Returns a subscription; undefined if not found. */
  getByRef(ref: string, now: Date): Promise<SubscriptionRecord | undefined>
  /** Lists an account's subscriptions, the last reported first. */
  listByAccount(accountId: number, now: Date): Promise<SubscriptionRecord[]>
  /** Updates tiers whose period or grace period has ended. @returns how many subscriptions changed */
  settleDue(now: Date): Promise<number>
  /** Lists subscriptions that may still change and were not checked since a time, oldest first. */
  listUnchecked(provider: BillingProvider, since: Date, limit: number): Promise<string[]>
}

export function openSubscriptionStore(db: Db): SubscriptionStore {
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
    getByRef: async (ref, now) => writer.getByRef(ref, now),
    listByAccount: async (accountId, now) =>
      ofAccount.all(accountId).map((row) => toSubscription(row, now)),
    settleDue: async (now) =>
      inTransaction(db, () => {
        const due = changing.all(now.getTime())
        for (const ref of due) writer.settle(ref, now)
        return due.length
      }),
    listUnchecked: async (billingProvider, since, limit) =>
      unchecked.all(billingProvider, since.getTime(), limit),
  }
}

/** Prepares the list of subscriptions that have not ended, with their standing. */
export function openSubscriptionReader(db: Db): (now: Date) => SubscriptionRecord[] {
  const all = db.prepare<[], Row>(
    `SELECT ${COLUMNS} FROM subscriptions WHERE NOT ${OVER} ORDER BY account_id, ref`,
  )
  return (now) => all.all().map((row) => toSubscription(row, now))
}

/** Changes subscriptions. The caller provides the transaction. */
export type SubscriptionWriter = {
  /** Returns a subscription; undefined if not found. */
  getByRef(ref: string, now: Date): SubscriptionRecord | undefined
  /** Recomputes a subscription's standing and its account's tier. */
  settle(ref: string, now: Date): void
  /** Stores what a provider reported, unless a later answer is known. */
  put(facts: SubscriptionFacts, asked: number, now: Date): void
}

export function openSubscriptionWriter(db: Db): SubscriptionWriter {
  const tiers = openTierWriter(db)
  const byRef = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM subscriptions WHERE ref = ?`)
  const put = db.prepare<[Omit<Row, 'disputed_at'> & { asked: number; checked_at: number }]>(
    `INSERT INTO subscriptions (ref, account_id, provider, plan, status, period_end, cancels,
       next_plan, past_due_at, anchor_day, asked, checked_at, tier)
     VALUES (@ref, @account_id, @provider, @plan, @status, @period_end, @cancels,
       @next_plan, @past_due_at, @anchor_day, @asked, @checked_at, 'free')
     ON CONFLICT (ref) DO UPDATE SET plan = excluded.plan, status = excluded.status,
       period_end = excluded.period_end, cancels = excluded.cancels,
       next_plan = excluded.next_plan, past_due_at = excluded.past_due_at,
       anchor_day = excluded.anchor_day,
       asked = excluded.asked, checked_at = excluded.checked_at
      WHERE excluded.asked > asked AND excluded.account_id = account_id`,
  )
  const putStanding = db.prepare<[string, number | null, string]>(
    'UPDATE subscriptions SET tier = ?, changes_at = ? WHERE ref = ?',
  )

  /** Recomputes the standing of a subscription and the tier of its account. */
  function settle(ref: string, now: Date): void {
    const known = getByRef(ref, now)
    if (known === undefined) return
    const { tier, changes_at } = known.standing
    putStanding.run(tier, changes_at, ref)
    tiers.settle(known.account_id, { now, address: undefined })
  }

  function getByRef(ref: string, now: Date): SubscriptionRecord | undefined {
    const row = byRef.get(ref)
    return row && toSubscription(row, now)
  }

  return {
    getByRef,
    settle,
    put(facts, asked, now) {
      const cancels = facts.cancels ? 1 : 0
      put.run({ ...facts, cancels, asked, checked_at: now.getTime() })
      settle(facts.ref, now)
    },
  }
}

function toSubscription({ disputed_at, cancels, ...row }: Row, now: Date): SubscriptionRecord {
  const subscriptionStanding = computeStanding(row, disputed_at, now.getTime())
  return { ...row, cancels: cancels === 1, standing: subscriptionStanding }
}

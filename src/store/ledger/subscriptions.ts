import type { BillingProvider, SubscriptionFacts } from '#rules/billing/billing.ts'
import { computeStanding, type SubscriptionStanding } from '#rules/billing/subscriptions.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { SubscriptionRow } from './schema/billing.ts'
import { openTierWriter } from './tiers.ts'

/** A subscription as last reported, and its standing. */
export type SubscriptionRecord = SubscriptionFacts & { standing: SubscriptionStanding }

type Row = Omit<SubscriptionFacts, 'cancels'> &
  Pick<SubscriptionRow, 'cancels'> & {
    disputed_at: number | null
    /** Time by which its standing is computed. */
    read_at: number
  }

const COLUMNS = `ref, account_id, provider, plan, status, period_end, cancels, next_plan, past_due_at,
  anchor_day, (SELECT max(paid_at) FROM billing_charges
    WHERE subscription = subscriptions.ref AND disputed_cents > 0) AS disputed_at, clock(@now) AS read_at`

/** Condition that selects subscriptions that can no longer change. */
const OVER = "status IN ('canceled', 'incomplete_expired')"

/** Subscriptions as their providers last reported them. */
export type SubscriptionStore = {
  /** Returns a subscription; undefined if not found. */
  getByRef(ref: string, now: Date): Promise<SubscriptionRecord | undefined>
  /** Lists an account's subscriptions, most recently reported first. */
  listByAccount(accountId: number, now: Date): Promise<SubscriptionRecord[]>
  /** Updates tiers whose period or grace period has ended. @returns number of changed subscriptions */
  settleDue(now: Date): Promise<number>
  /** Lists subscriptions that may still change and were not checked since a time, oldest first. */
  listUnchecked(provider: BillingProvider, since: Date, limit: number): Promise<string[]>
}

export function openSubscriptionStore(engine: LedgerEngine): SubscriptionStore {
  const { query, transact } = engine
  const writer = openSubscriptionWriter(engine)
  const ofAccount = engine.prepare<[{ accountId: number; now: number }], Row>(
    `SELECT ${COLUMNS} FROM subscriptions WHERE account_id = @accountId
      ORDER BY checked_at DESC, ref`,
  )
  const changing = engine.prepare<[{ now: number }], Pick<SubscriptionRow, 'ref'>>(
    'SELECT ref FROM subscriptions WHERE changes_at <= clock(@now)',
  )
  const unchecked = engine.prepare<[BillingProvider, number, number], Pick<SubscriptionRow, 'ref'>>(
    `SELECT ref FROM subscriptions
      WHERE provider = ? AND checked_at < ? AND NOT ${OVER}
      ORDER BY checked_at LIMIT ?`,
  )

  return {
    getByRef: (ref, now) => query(writer.getByRef(ref, now)),
    listByAccount: async (accountId, now) =>
      (await query(ofAccount.all({ accountId, now: now.getTime() }))).map(toSubscription),
    settleDue: (now) =>
      transact(function* () {
        const due = yield* changing.all({ now: now.getTime() })
        for (const { ref } of due) yield* writer.settle(ref, now)
        return due.length
      }),
    listUnchecked: async (billingProvider, since, limit) =>
      (await query(unchecked.all(billingProvider, since.getTime(), limit))).map(({ ref }) => ref),
  }
}

/** Prepares the list of subscriptions that have not ended, with their standing. */
export function openSubscriptionReader(
  engine: LedgerEngine,
): (now: Date) => LedgerOperation<SubscriptionRecord[]> {
  const all = engine.prepare<[{ now: number }], Row>(
    `SELECT ${COLUMNS} FROM subscriptions WHERE NOT ${OVER} ORDER BY account_id, ref`,
  )
  return function* (now) {
    return (yield* all.all({ now: now.getTime() })).map(toSubscription)
  }
}

/** Changes subscriptions. The caller provides the transaction. */
export type SubscriptionWriter = {
  /** Returns a subscription; undefined if not found. */
  getByRef(ref: string, now: Date): LedgerOperation<SubscriptionRecord | undefined>
  /** Recomputes a subscription's standing and its account's tier. */
  settle(ref: string, now: Date): LedgerOperation<void>
  /** Stores what a provider reported, unless a later report is already stored. */
  put(facts: SubscriptionFacts, sequence: number, now: Date): LedgerOperation<void>
}

export function openSubscriptionWriter(engine: LedgerEngine): SubscriptionWriter {
  const tiers = openTierWriter(engine)
  const byRef = engine.prepare<[{ ref: string; now: number }], Row>(
    `SELECT ${COLUMNS} FROM subscriptions WHERE ref = @ref`,
  )
  const put = engine.prepare<
    [Omit<Row, 'disputed_at' | 'read_at'> & { asked: number; checked_at: number }]
  >(
    `INSERT INTO subscriptions (ref, account_id, provider, plan, status, period_end, cancels,
       next_plan, past_due_at, anchor_day, asked, checked_at, tier)
     VALUES (@ref, @account_id, @provider, @plan, @status, @period_end, @cancels,
       @next_plan, @past_due_at, @anchor_day, @asked, @checked_at, 'free')
     ON CONFLICT (ref) DO UPDATE SET plan = excluded.plan, status = excluded.status,
       period_end = excluded.period_end, cancels = excluded.cancels,
       next_plan = excluded.next_plan, past_due_at = excluded.past_due_at,
       anchor_day = excluded.anchor_day,
       asked = excluded.asked, checked_at = excluded.checked_at
      WHERE excluded.asked > subscriptions.asked
        AND excluded.account_id = subscriptions.account_id`,
  )
  const putStanding = engine.prepare<[string, number | null, string]>(
    'UPDATE subscriptions SET tier = ?, changes_at = ? WHERE ref = ?',
  )

  /** Recomputes the standing of a subscription and the tier of its account. */
  function* settle(ref: string, now: Date): LedgerOperation<void> {
    const known = yield* getByRef(ref, now)
    if (known === undefined) return
    const { tier, changes_at } = known.standing
    yield* putStanding.run(tier, changes_at, ref)
    yield* tiers.settle(known.account_id, { now, address: undefined })
  }

  function* getByRef(ref: string, now: Date): LedgerOperation<SubscriptionRecord | undefined> {
    const row = yield* byRef.get({ ref, now: now.getTime() })
    return row && toSubscription(row)
  }

  return {
    getByRef,
    settle,
    *put(facts, sequence, now) {
      const cancels = facts.cancels ? 1 : 0
      yield* put.run({ ...facts, cancels, asked: sequence, checked_at: now.getTime() })
      yield* settle(facts.ref, now)
    },
  }
}

function toSubscription({ disputed_at, cancels, read_at, ...row }: Row): SubscriptionRecord {
  const subscriptionStanding = computeStanding(row, disputed_at, read_at)
  return { ...row, cancels: cancels === 1, standing: subscriptionStanding }
}

import type { Tier } from '#rules/accounts/tiers.ts'
import type { LedgerEngine } from './engine/operation.ts'
import type { UnbalancedAccount } from './scan-ledger.ts'
import { openScanLedger } from './scan-ledger.ts'
import type { AccountRow } from './schema/accounts.ts'
import type { BillingEventRow, BillingPaymentRow, CheckoutRow } from './schema/billing.ts'
import type { ScanLedgerRow } from './schema/photos.ts'
import type { PhotoPaymentRow } from './schema/x402.ts'
import { openSubscriptionReader, type SubscriptionRecord } from './subscriptions.ts'

/** Total of one kind of payment, in US cents; negative if money was returned. */
export type RevenueTotal = Pick<BillingPaymentRow, 'provider' | 'item' | 'kind'> & {
  movements: number
  cents: number
}

/** Total of one kind of scan ledger entry; negative if scans were taken. */
export type ScanEntryTotal = Pick<ScanLedgerRow, 'kind'> & { entries: number; scans: number }

/** Scans of all accounts together. */
export type ScanStock = { balance: number; debt: number; held: number; held_since: number | null }

/** Open checkouts of one provider. */
export type OpenCheckoutTotal = Pick<CheckoutRow, 'provider'> & {
  checkouts: number
  cents: number
  since: number
}

/** Number of events of one type and outcome. */
export type BillingEventCount = Pick<BillingEventRow, 'provider' | 'type' | 'outcome'> & {
  events: number
}

/** Number of photo payments in one state. */
export type PhotoPaymentCount = Pick<PhotoPaymentRow, 'state'> & { payments: number }

/** An event with the outcome `mismatch`. */
export type MismatchedEvent = Pick<BillingEventRow, 'id' | 'type' | 'account_id' | 'detail'>

/** An account whose reversed scans differ from those that its packs lost. */
export type UnevenReversals = { account_id: number; reversed: number; entered: number }

/** An account's tier, and the tiers that determine it. */
export type AccountTiers = Pick<AccountRow, 'tier'> & {
  account_id: number
  granted: Tier
  paid: Tier | null
}

/** Epoch milliseconds: start inclusive, end exclusive. */
export type TimeSpan = [from: number, before: number]

/** Billing totals for the operator, and checks that the books agree. */
export type BillingReportStore = {
  /** Lists money by provider, item and kind. */
  listRevenue(span: TimeSpan): Promise<RevenueTotal[]>
  /** Lists scan ledger entries by kind. */
  listScanEntries(span: TimeSpan): Promise<ScanEntryTotal[]>
  /** Returns the scans of all accounts together. */
  getScanStock(): Promise<ScanStock | undefined>
  /** Lists open checkouts by provider. */
  listOpenCheckouts(): Promise<OpenCheckoutTotal[]>
  /** Lists billing events by provider, type and outcome. */
  listEvents(span: TimeSpan): Promise<BillingEventCount[]>
  /** Lists photo payments by state. */
  listPhotoPayments(span: TimeSpan): Promise<PhotoPaymentCount[]>
  /** Lists every subscription that has not ended, with its standing. */
  listSubscriptions(now: Date): Promise<SubscriptionRecord[]>
  /** Lists events that the operator must inspect, oldest first, at most 100. */
  listMismatchedEvents(span: TimeSpan): Promise<MismatchedEvent[]>
  /** Lists accounts whose balance is not the sum of their entries. */
  listUnbalancedAccounts(): Promise<UnbalancedAccount[]>
  /** Lists accounts whose purchases, ledger and debt disagree, at most 100. */
  listUnevenReversals(): Promise<UnevenReversals[]>
  /** Lists one row per subscription of each account that may have a paid tier. */
  listAccountTiers(): Promise<AccountTiers[]>
}

export function openBillingReportStore(engine: LedgerEngine): BillingReportStore {
  const { query } = engine
  const scanLedger = openScanLedger(engine)
  const readSubscriptions = openSubscriptionReader(engine)
  const revenue = engine.prepare<TimeSpan, RevenueTotal>(
    `SELECT provider, item, kind, count(*) AS movements, sum(amount_cents) AS cents
       FROM billing_payments WHERE at >= ? AND at < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  )
  const scans = engine.prepare<TimeSpan, ScanEntryTotal>(
    `SELECT kind, count(*) AS entries, sum(n) AS scans
       FROM scan_ledger WHERE at >= ? AND at < ? GROUP BY kind ORDER BY kind`,
  )
  const stock = engine.prepare<[], ScanStock>(
    `SELECT (SELECT coalesce(sum(scan_balance), 0) FROM accounts) AS balance,
       (SELECT coalesce(sum(scan_debt), 0) FROM accounts) AS debt,
       (SELECT count(*) FROM scan_holds WHERE state = 'held') AS held,
       (SELECT min(taken_at) FROM scan_holds WHERE state = 'held') AS held_since`,
  )
  const orders = engine.prepare<[], OpenCheckoutTotal>(
    `SELECT provider, count(*) AS checkouts, sum(amount_cents) AS cents, min(created_at) AS since
       FROM checkouts WHERE state = 'open' GROUP BY provider ORDER BY provider`,
  )
  const events = engine.prepare<TimeSpan, BillingEventCount>(
    `SELECT provider, type, outcome, count(*) AS events
       FROM billing_events WHERE at >= ? AND at < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  )
  // Ended payments count by their end, open ones always.
  const photos = engine.prepare<TimeSpan, PhotoPaymentCount>(
    `SELECT state, count(*) AS payments FROM photo_payments
      WHERE state IN ('reserved', 'worked', 'unknown') OR (updated_at >= ? AND updated_at < ?)
      GROUP BY state ORDER BY state`,
  )
  const mismatched = engine.prepare<TimeSpan, MismatchedEvent>(
    `SELECT id, type, account_id, detail FROM billing_events
      WHERE outcome = 'mismatch' AND at >= ? AND at < ? ORDER BY at, id LIMIT ${FAULTS_MAX}`,
  )
  // Reversals reduce the balance or become a debt, which later additions settle.
  const uneven = engine.prepare<[], UnevenReversals>(
    `SELECT * FROM (
       SELECT id AS account_id,
         (SELECT coalesce(sum(reversed), 0) FROM scan_purchases WHERE account_id = accounts.id)
           AS reversed,
         scan_debt - (SELECT coalesce(sum(n), 0) FROM scan_ledger
            WHERE account_id = accounts.id AND kind NOT IN ('scan', 'refund', 'rejection')
              AND kind IN ('reversal', 'reinstatement', 'debt_settled')) AS entered
         FROM accounts
        WHERE scan_debt > 0 OR EXISTS (SELECT 1 FROM scan_purchases WHERE account_id = accounts.id))
       AS owed WHERE reversed <> entered ORDER BY account_id LIMIT ${FAULTS_MAX}`,
  )
  const tiers = engine.prepare<[], AccountTiers>(
    `SELECT accounts.id AS account_id, accounts.tier, granted_tier AS granted,
       subscriptions.tier AS paid
       FROM accounts LEFT JOIN subscriptions ON subscriptions.account_id = accounts.id
      WHERE accounts.tier <> granted_tier OR subscriptions.tier IS NOT NULL ORDER BY accounts.id`,
  )

  return {
    listRevenue: (span) => query(revenue.all(...span)),
    listScanEntries: (span) => query(scans.all(...span)),
    getScanStock: () => query(stock.get()),
    listOpenCheckouts: () => query(orders.all()),
    listEvents: (span) => query(events.all(...span)),
    listPhotoPayments: (span) => query(photos.all(...span)),
    listSubscriptions: (now) => query(readSubscriptions(now)),
    listMismatchedEvents: (span) => query(mismatched.all(...span)),
    listUnbalancedAccounts: () => query(scanLedger.listUnbalanced()),
    listUnevenReversals: () => query(uneven.all()),
    listAccountTiers: () => query(tiers.all()),
  }
}

/** Maximum length of a list of faults. */
const FAULTS_MAX = 100

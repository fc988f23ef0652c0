import type { Tier } from '#rules/accounts/tiers.ts'
import type { BillingEvent, BillingProvider } from '#rules/billing/billing.ts'
import type { BillableItem } from '#rules/billing/plans.ts'
import type { Db } from '../db.ts'
import { openScanLedger } from './scan-ledger.ts'
import { openSubscriptionReader } from './subscriptions.ts'

/** Movements of one kind of money, in US cents; below 0: it went back. */
export type RevenueTotal = {
  provider: BillingProvider
  item: BillableItem
  kind: 'payment' | 'refund' | 'dispute' | 'dispute_won'
  movements: number
  cents: number
}

/** How many scans one kind of entry added, or took where it is below 0. */
export type ScanEntryTotal = { kind: string; entries: number; scans: number }

/** What all accounts have now. */
export type ScanStock = { balance: number; debt: number; held: number; held_since: number | null }

export type OpenCheckoutTotal = {
  provider: BillingProvider
  checkouts: number
  cents: number
  since: number
}

export type BillingEventCount = Pick<BillingEvent, 'provider' | 'type' | 'outcome'> & {
  events: number
}

export type PhotoPaymentCount = { state: string; payments: number }

/** What an event of outcome `mismatch` said. */
export type MismatchedEvent = Pick<BillingEvent, 'id' | 'type' | 'account_id' | 'detail'>

/** An account whose reversed scans are other ones than those that its packs lost. */
export type UnevenReversals = { account_id: number; reversed: number; entered: number }

/** The tiers behind an account's tier. */
export type AccountTiers = { account_id: number; tier: Tier; granted: Tier; paid: Tier | null }

/** Epoch milliseconds: from the first on, until before the second. */
export type TimeSpan = [from: number, before: number]

/** The books of billing as the operator reads them, and whether they agree with each other. */
export function openBillingReportStore(db: Db) {
  const book = openScanLedger(db)
  const readAll = openSubscriptionReader(db)
  const revenue = db.prepare<TimeSpan, RevenueTotal>(
    `SELECT provider, item, kind, count(*) AS movements, sum(amount_cents) AS cents
       FROM billing_payments WHERE at >= ? AND at < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  )
  const scans = db.prepare<TimeSpan, ScanEntryTotal>(
    `SELECT kind, count(*) AS entries, sum(n) AS scans
       FROM scan_ledger WHERE at >= ? AND at < ? GROUP BY kind ORDER BY kind`,
  )
  const stock = db.prepare<[], ScanStock>(
    `SELECT (SELECT coalesce(sum(scan_balance), 0) FROM accounts) AS balance,
       (SELECT coalesce(sum(scan_debt), 0) FROM accounts) AS debt,
       (SELECT count(*) FROM scan_holds WHERE state = 'held') AS held,
       (SELECT min(taken_at) FROM scan_holds WHERE state = 'held') AS held_since`,
  )
  const orders = db.prepare<[], OpenCheckoutTotal>(
    `SELECT provider, count(*) AS checkouts, sum(amount_cents) AS cents, min(created_at) AS since
       FROM checkouts WHERE state = 'open' GROUP BY provider ORDER BY provider`,
  )
  const events = db.prepare<TimeSpan, BillingEventCount>(
    `SELECT provider, type, outcome, count(*) AS events
       FROM billing_events WHERE at >= ? AND at < ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  )
  // What is over counts where it ended; what is under way is there whenever it began.
  const photos = db.prepare<TimeSpan, PhotoPaymentCount>(
    `SELECT state, count(*) AS payments FROM photo_payments
      WHERE state IN ('reserved', 'worked', 'unknown') OR (updated_at >= ? AND updated_at < ?)
      GROUP BY state ORDER BY state`,
  )
  const mismatched = db.prepare<TimeSpan, MismatchedEvent>(
    `SELECT id, type, account_id, detail FROM billing_events
      WHERE outcome = 'mismatch' AND at >= ? AND at < ? ORDER BY at, id LIMIT ${FAULTS_MAX}`,
  )
  // What a pack lost was taken from the balance or became a debt, which additions settle since.
  const uneven = db.prepare<[], UnevenReversals>(
    `SELECT * FROM (
       SELECT id AS account_id,
         (SELECT coalesce(sum(reversed), 0) FROM scan_purchases WHERE account_id = accounts.id)
           AS reversed,
         scan_debt - (SELECT coalesce(sum(n), 0) FROM scan_ledger
            WHERE account_id = accounts.id AND kind NOT IN ('scan', 'refund', 'rejection')
              AND kind IN ('reversal', 'reinstatement', 'debt_settled')) AS entered
         FROM accounts
        WHERE scan_debt > 0 OR EXISTS (SELECT 1 FROM scan_purchases WHERE account_id = accounts.id))
      WHERE reversed <> entered ORDER BY account_id LIMIT ${FAULTS_MAX}`,
  )
  const tiers = db.prepare<[], AccountTiers>(
    `SELECT accounts.id AS account_id, accounts.tier, granted_tier AS granted,
       subscriptions.tier AS paid
       FROM accounts LEFT JOIN subscriptions ON subscriptions.account_id = accounts.id
      WHERE accounts.tier <> granted_tier OR subscriptions.tier IS NOT NULL ORDER BY accounts.id`,
  )

  return {
    /** Money by provider, item and kind. */
    listRevenue: async (timeSpan: TimeSpan): Promise<RevenueTotal[]> => revenue.all(...timeSpan),
    /** Entries of the ledger of scans by kind. */
    listScanEntries: async (span: TimeSpan): Promise<ScanEntryTotal[]> => scans.all(...span),
    getScanStock: async (): Promise<ScanStock | undefined> => stock.get(),
    listOpenCheckouts: async (): Promise<OpenCheckoutTotal[]> => orders.all(),
    listEvents: async (span: TimeSpan): Promise<BillingEventCount[]> => events.all(...span),
    listPhotoPayments: async (span: TimeSpan): Promise<PhotoPaymentCount[]> => photos.all(...span),
    /** Every subscription that is not over, with how it stands. */
    listSubscriptions: async (now: Date) => readAll(now),
    /** Events that the operator has to look into, oldest first; at most 100. */
    listMismatchedEvents: async (span: TimeSpan): Promise<MismatchedEvent[]> =>
      mismatched.all(...span),
    /** Accounts whose balance is not the sum of their entries. */
    listUnbalancedAccounts: async () => book.listUnbalanced(),
    /** Accounts whose purchases, ledger and debt tell different tales; at most 100. */
    listUnevenReversals: async (): Promise<UnevenReversals[]> => uneven.all(),
    /** A row for each subscription of an account, of all accounts whose tier may be a paid one. */
    listAccountTiers: async (): Promise<AccountTiers[]> => tiers.all(),
  }
}

/** More faults than that need no list. */
const FAULTS_MAX = 100

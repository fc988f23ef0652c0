import type { Deps } from '#deps.ts'
import { highestTier, type Tier } from '#rules/accounts/tiers.ts'
import type { BillingProvider } from '#rules/billing/billing.ts'
import type { BillableItem } from '#rules/billing/plans.ts'
import { isSubscriptionOngoing } from '#rules/billing/subscriptions.ts'
import { formatDate, MS_PER_DAY } from '#rules/primitives/days.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { PHOTO_PRICE_CENTS } from '#rules/x402/photo-price.ts'
import type {
  AccountTiers,
  BillingEventCount,
  PhotoPaymentCount,
  RevenueTotal,
  ScanEntryTotal,
  TimeSpan,
} from '#store/ledger/billing-report.ts'
import type { SubscriptionRecord } from '#store/ledger/subscriptions.ts'

type ReportDeps = Pick<Deps, 'ledger' | 'now'>

/** Revenue of one item from one provider, in US dollars. */
export type RevenueRow = {
  item: BillableItem
  provider: BillingProvider
  payments: number
  paid: number
  refunds: number
  refunded: number
  /** Opened disputes, and their amount minus that of won disputes. */
  disputes: number
  disputed: number
  net: number
}

/** Inconsistency between records. */
export type Mismatch = { kind: MismatchKind; account_id: number | null; detail: string }

type MismatchKind = 'event' | 'balance' | 'reversal' | 'two_subscriptions' | 'tier'

export type BillingReport = {
  /** First and last day. */
  from: string
  to: string
  revenue: RevenueRow[]
  /** Total revenue, in US dollars. */
  net: number
  subscriptions: SubscriptionCount[]
  /** Numbers of scans by their use, each at least 0. */
  scans: Record<
    'sold' | 'granted' | 'trials' | 'used' | 'reversed' | 'reinstated' | 'debts_settled',
    number
  >
  /** Open items at the time of the report, regardless of its period. */
  now: {
    scans_left: number
    scans_owed: number
    scan_holds: number
    scan_holds_since: string | null
    checkouts: {
      provider: BillingProvider
      checkouts: number
      worth: number
      since: string | null
    }[]
  }
  events: BillingEventCount[]
  photos: (PhotoPaymentCount & { paid: number })[]
  mismatches: Mismatch[]
}

type SubscriptionCount = Pick<SubscriptionRecord['standing'], 'plan' | 'status'> & {
  provider: BillingProvider
  accounts: number
}

/**
 * Reports the revenue of a period, currently open items, and inconsistent records.
 *
 * @param days first and last day, inclusive
 */
export async function getBillingReport(
  { ledger, now }: ReportDeps,
  { from, to }: { from: number; to: number },
): Promise<BillingReport> {
  const timeSpan: TimeSpan = [from * MS_PER_DAY, (to + 1) * MS_PER_DAY]
  const books = ledger.billingReport
  const revenue = summarizeRevenue(await books.listRevenue(timeSpan))
  const subscriptions = await books.listSubscriptions(now())
  const unbalanced = (await books.listUnbalancedAccounts()).map(({ account_id, balance, sum }) => {
    return mismatch('balance', account_id, `${balance} scans, but its entries add up to ${sum}`)
  })
  const faults = [...unbalanced, ...(await findMismatches({ ledger }, subscriptions))]
  const events = await books.listMismatchedEvents(timeSpan)
  return {
    from: formatDate(from),
    to: formatDate(to),
    revenue,
    net: sumDollars(revenue.map(({ net }) => net)),
    subscriptions: countSubscriptions(subscriptions),
    scans: summarizeScans(await books.listScanEntries(timeSpan)),
    now: await getOpenItems({ ledger }),
    events: await books.listEvents(timeSpan),
    photos: (await books.listPhotoPayments(timeSpan)).map((row) => ({
      ...row,
      paid: row.state === 'settled' ? toDollars(row.payments * PHOTO_PRICE_CENTS) : 0,
    })),
    mismatches: [
      ...events.map(({ id, type, account_id, detail }): Mismatch => {
        return { kind: 'event', account_id, detail: `${type} ${id}: ${detail ?? ''}` }
      }),
      ...faults,
    ],
  }
}

/** Logs an error for each inconsistency between tiers, packs and subscriptions. */
export async function checkBooks({ ledger, log, now }: ReportDeps & Pick<Deps, 'log'>) {
  const subscriptions = await ledger.billingReport.listSubscriptions(now())
  for (const mismatch of await findMismatches({ ledger }, subscriptions)) {
    log.error('billing records are inconsistent', mismatch)
  }
}

async function findMismatches(
  { ledger }: Pick<Deps, 'ledger'>,
  subscriptions: readonly SubscriptionRecord[],
): Promise<Mismatch[]> {
  const books = ledger.billingReport
  return [
    ...(await books.listUnevenReversals()).map(({ account_id, reversed, entered }) => {
      const detail = `${reversed} scans were reversed, but ledger and debt have ${entered}`
      return mismatch('reversal', account_id, detail)
    }),
    ...findDoubleSubscriptions(subscriptions),
    ...findWrongTiers(await books.listAccountTiers()),
  ]
}

/** Finds accounts that pay twice. An overdue manual subscription beside one at Stripe is allowed. */
function findDoubleSubscriptions(subscriptions: readonly SubscriptionRecord[]): Mismatch[] {
  const live = subscriptions.filter(
    ({ provider, standing }) =>
      isSubscriptionOngoing(standing) && !(provider === 'manual' && standing.status === 'past_due'),
  )
  return [...Map.groupBy(live, ({ account_id }) => account_id)]
    .filter(([, of]) => of.length > 1)
    .map(([account_id, of]) => {
      const detail = `live subscriptions ${of.map(({ ref }) => ref).join(', ')}`
      return mismatch('two_subscriptions', account_id, detail)
    })
}

function findWrongTiers(rows: readonly AccountTiers[]): Mismatch[] {
  return [...Map.groupBy(rows, ({ account_id }) => account_id)].flatMap(([account_id, of]) => {
    const { tier, granted } = of[0] ?? { tier: 'free', granted: 'free' }
    const due = highestTier([granted, ...of.flatMap(({ paid }): Tier[] => (paid ? [paid] : []))])
    if (due === tier) return []
    return [mismatch('tier', account_id, `the tier is ${tier}, but should be ${due}`)]
  })
}

function mismatch(kind: MismatchKind, account_id: number, detail: string): Mismatch {
  return { kind, account_id, detail }
}

function summarizeRevenue(rows: readonly RevenueTotal[]): RevenueRow[] {
  const groups = Map.groupBy(rows, ({ provider, item }) => `${provider} ${item}`)
  return [...groups.values()].flatMap((of): RevenueRow[] => {
    const [first] = of
    if (first === undefined) return []
    const sum = (...kinds: RevenueTotal['kind'][]) => {
      const rows = of.filter(({ kind }) => kinds.includes(kind))
      return toDollars(rows.reduce((total, row) => total + row.cents, 0))
    }
    const count = (kind: RevenueTotal['kind']) =>
      of.find((row) => row.kind === kind)?.movements ?? 0
    return [
      {
        item: first.item,
        provider: first.provider,
        payments: count('payment'),
        paid: sum('payment'),
        refunds: count('refund'),
        refunded: sum('refund'),
        disputes: count('dispute'),
        disputed: sum('dispute', 'dispute_won'),
        net: sum('payment', 'refund', 'dispute', 'dispute_won'),
      },
    ]
  })
}

/** Counts subscriptions by plan, status and provider. */
function countSubscriptions(subscriptions: readonly SubscriptionRecord[]): SubscriptionCount[] {
  const groups = Map.groupBy(subscriptions, ({ provider, standing: { plan, status } }) =>
    [plan, status, provider].join(' '),
  )
  return [...groups.values()].flatMap((of) =>
    of.slice(0, 1).map(({ provider, standing: { plan, status } }) => {
      return { plan, status, provider, accounts: of.length }
    }),
  )
}

function summarizeScans(entries: readonly ScanEntryTotal[]): BillingReport['scans'] {
  const n = (kind: string) => Math.abs(entries.find((entry) => entry.kind === kind)?.scans ?? 0)
  return {
    sold: n('purchase'),
    granted: n('grant'),
    trials: n('trial') - n('trial_withdrawn'),
    used: n('scan') - n('refund') - n('rejection'),
    reversed: n('reversal'),
    reinstated: n('reinstatement'),
    debts_settled: n('debt_settled'),
  }
}

async function getOpenItems({ ledger }: Pick<Deps, 'ledger'>): Promise<BillingReport['now']> {
  const stock = await ledger.billingReport.getScanStock()
  const open = await ledger.billingReport.listOpenCheckouts()
  const { balance = 0, debt = 0, held = 0, held_since = null } = stock ?? {}
  return {
    scans_left: balance,
    scans_owed: debt,
    scan_holds: held,
    scan_holds_since: formatTime(held_since),
    checkouts: open.map(({ cents, since, ...order }) => {
      return { ...order, worth: toDollars(cents), since: formatTime(since) }
    }),
  }
}

function formatTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** Adds amounts in cents, which avoids rounding errors. */
function sumDollars(amounts: readonly number[]): number {
  return toDollars(Math.round(amounts.reduce((sum, one) => sum + one * 100, 0)))
}

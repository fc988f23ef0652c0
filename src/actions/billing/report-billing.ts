import type { Deps } from '#deps.ts'
import { highestTier, type Tier } from '#rules/accounts/tiers.ts'
import type { BillingProvider } from '#rules/billing/billing.ts'
import type { BillableItem } from '#rules/billing/plans.ts'
import { isSubscriptionOngoing } from '#rules/billing/subscriptions.ts'
import { formatDate, MS_PER_DAY } from '#rules/primitives/days.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type {
  AccountTiers,
  RevenueTotal,
  ScanEntryTotal,
  TimeSpan,
} from '#store/ledger/billing-report.ts'
import type { SubscriptionRecord } from '#store/ledger/subscriptions.ts'

type ReportDeps = Pick<Deps, 'ledger' | 'now'>

/** What one thing brought from one provider, in US dollars. */
export type RevenueRow = {
  item: BillableItem
  provider: BillingProvider
  payments: number
  paid: number
  refunds: number
  refunded: number
  /** Disputes that were opened, and what they took less what came back of those that were won. */
  disputes: number
  disputed: number
  net: number
}

/** Something in the books that must not be: what kind of it, and what is known of it. */
export type Mismatch = { kind: MismatchKind; account_id: number | null; detail: string }

type MismatchKind = 'event' | 'balance' | 'reversal' | 'two_subscriptions' | 'tier'

export type BillingReport = Awaited<ReturnType<typeof getBillingReport>>

/**
 * What was earned in a span of days, what stands open now, and what does not add up.
 *
 * @param days the first and the last day, both of which count
 */
export async function getBillingReport(
  { ledger, now }: ReportDeps,
  { from, to }: { from: number; to: number },
) {
  const timeSpan: TimeSpan = [from * MS_PER_DAY, (to + 1) * MS_PER_DAY]
  const books = ledger.billingReport
  const revenue = earned(await books.listRevenue(timeSpan))
  const subscriptions = await books.listSubscriptions(now())
  const unbalanced = (await books.listUnbalancedAccounts()).map(({ account_id, balance, sum }) => {
    return fault('balance', account_id, `${balance} scans, but its entries add up to ${sum}`)
  })
  const faults = [...unbalanced, ...(await faultsInBooks({ ledger }, subscriptions))]
  const events = await books.listMismatchedEvents(timeSpan)
  return {
    from: formatDate(from),
    to: formatDate(to),
    revenue,
    net: sumOf(revenue.map(({ net }) => net)),
    subscriptions: standing(subscriptions),
    scans: scansOf(await books.listScanEntries(timeSpan)),
    now: await standsOpen({ ledger }),
    events: await books.listEvents(timeSpan),
    photos: (await books.listPhotoPayments(timeSpan)).map((row) => ({
      ...row,
      paid: row.state === 'settled' ? toDollars(row.payments * PHOTO_CENTS) : 0,
    })),
    mismatches: [
      ...events.map(({ id, type, account_id, detail }): Mismatch => {
        return { kind: 'event', account_id, detail: `${type} ${id}: ${detail ?? ''}` }
      }),
      ...faults,
    ],
  }
}

/** Looks whether tiers, packs and subscriptions agree; where they do not it is a fault of ours. */
export async function checkBooks({ ledger, log, now }: ReportDeps & Pick<Deps, 'log'>) {
  const subscriptions = await ledger.billingReport.listSubscriptions(now())
  for (const fault of await faultsInBooks({ ledger }, subscriptions)) {
    log.error('the books of billing do not agree', fault)
  }
}

async function faultsInBooks(
  { ledger }: Pick<Deps, 'ledger'>,
  subscriptions: readonly SubscriptionRecord[],
): Promise<Mismatch[]> {
  const books = ledger.billingReport
  return [
    ...(await books.listUnevenReversals()).map(({ account_id, reversed, entered }) => {
      const detail = `its packs lost ${reversed} scans, ledger and debt say ${entered}`
      return fault('reversal', account_id, detail)
    }),
    ...doubles(subscriptions),
    ...wrongTiers(await books.listAccountTiers()),
  ]
}

/** Accounts that pay twice. What was paid by hand and is over may stand beside what Stripe renews. */
function doubles(subscriptions: readonly SubscriptionRecord[]): Mismatch[] {
  const live = subscriptions.filter(
    ({ provider, standing }) =>
      isSubscriptionOngoing(standing) && !(provider === 'manual' && standing.status === 'past_due'),
  )
  return [...Map.groupBy(live, ({ account_id }) => account_id)]
    .filter(([, of]) => of.length > 1)
    .map(([account_id, of]) => {
      const detail = `live subscriptions ${of.map(({ ref }) => ref).join(', ')}`
      return fault('two_subscriptions', account_id, detail)
    })
}

function wrongTiers(rows: readonly AccountTiers[]): Mismatch[] {
  return [...Map.groupBy(rows, ({ account_id }) => account_id)].flatMap(([account_id, of]) => {
    const { tier, granted } = of[0] ?? { tier: 'free', granted: 'free' }
    const due = highestTier([granted, ...of.flatMap(({ paid }): Tier[] => (paid ? [paid] : []))])
    if (due === tier) return []
    return [fault('tier', account_id, `it has ${tier}, and should have ${due}`)]
  })
}

function fault(kind: MismatchKind, account_id: number, detail: string): Mismatch {
  return { kind, account_id, detail }
}

function earned(rows: readonly RevenueTotal[]): RevenueRow[] {
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

/** How many accounts are subscribed to which plan, by how that stands. */
function standing(subscriptions: readonly SubscriptionRecord[]) {
  const groups = Map.groupBy(subscriptions, ({ provider, standing: { plan, status } }) =>
    [plan, status, provider].join(' '),
  )
  return [...groups.values()].flatMap((of) => {
    const [first] = of
    if (first === undefined) return []
    const { provider, standing } = first
    return [{ plan: standing.plan, status: standing.status, provider, accounts: of.length }]
  })
}

/** Scans that came and went, each as a number from 0. */
function scansOf(entries: readonly ScanEntryTotal[]) {
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

async function standsOpen({ ledger }: Pick<Deps, 'ledger'>) {
  const stock = await ledger.billingReport.getScanStock()
  const { balance = 0, debt = 0, held = 0, held_since = null } = stock ?? {}
  return {
    scans_left: balance,
    scans_owed: debt,
    scan_holds: held,
    scan_holds_since: isoTime(held_since),
    checkouts: (await ledger.billingReport.listOpenCheckouts()).map(
      ({ cents, since, ...order }) => {
        return { ...order, worth: toDollars(cents), since: isoTime(since) }
      },
    ),
  }
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/** Dollars that are rounded to cents stay so when they are added. */
function sumOf(amounts: readonly number[]): number {
  return toDollars(Math.round(amounts.reduce((sum, one) => sum + one * 100, 0)))
}

/** What a photo costs that is paid by itself (specification, Limits 6). */
const PHOTO_CENTS = 2

// `bun run admin billing …`: manual billing and the billing report.
import { completeCheckout, refundCheckout } from '#actions/billing/complete-checkout.ts'
import {
  type AccountBilling,
  getBilling,
  getCheckoutDetails,
} from '#actions/billing/get-billing.ts'
import { type BillingReport, getBillingReport } from '#actions/billing/report-billing.ts'
import type { Deps } from '#deps.ts'
import { tierName } from '#rules/accounts/tiers.ts'
import { itemName } from '#rules/billing/plans.ts'
import { dayOf, formatDate, parseDate } from '#rules/primitives/days.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { UsageError } from './parse.ts'
import { printList, printResult } from './terminal.ts'
import { count, formatPrice, formatTable } from './text.ts'

/** Maximum number of open checkouts that are listed. */
const LIST_MAX = 10_000

/** Prints the open checkouts of manual billing, oldest first. */
export async function listCheckouts(
  { ledger, now }: Deps,
  { email, json }: { email: string | undefined; json: boolean },
): Promise<undefined> {
  const everything = new Date(now().getTime() + 1)
  const open = await ledger.checkouts.listOpen(everything, LIST_MAX, { provider: 'manual', email })
  const checkouts = open.map(({ id, email, item, amount_cents, created_at }) => {
    const since = new Date(created_at).toISOString()
    return { id, email, item, amount: toDollars(amount_cents), since }
  })
  printList(checkouts, {
    json,
    table: () =>
      checkouts.length === 0
        ? 'No open checkouts.'
        : formatTable(
            ['checkout', 'since', 'amount', 'item', 'account'],
            checkouts.map(({ id, since, amount, item, email }) => [
              id,
              since.slice(0, 10),
              formatPrice(amount),
              itemName(item),
              email,
            ]),
          ),
  })
}

type Selected = { id: string; json: boolean }

export async function completeManualCheckout(deps: Deps, { id, json }: Selected) {
  const completed = await completeCheckout(deps, id)
  return printCheckout(deps, completed.id, json)
}

export async function refundManualCheckout(deps: Deps, { id, json }: Selected) {
  const refunded = await refundCheckout(deps, id)
  return printCheckout(deps, refunded.id, json)
}

/** Prints the state of a checkout and of its account. */
async function printCheckout(deps: Deps, id: string, json: boolean): Promise<undefined> {
  const details = await getCheckoutDetails(deps, id)
  if (details === undefined) throw new Error(`checkout ${id} not found`)
  const { email, checkout } = details
  const { item, amount_cents, account_id } = checkout
  const known = await deps.ledger.accounts.getById(account_id)
  if (known === undefined) throw new Error(`account ${account_id} not found`)
  const account = await getBilling(deps, known)
  const state = details.is_refunded ? 'refunded' : checkout.state
  const { tier, subscription, scans } = account
  const amount = toDollars(amount_cents)
  printResult(
    { id, email, item, amount, state, tier, subscription, scans },
    { json, text: `${itemName(item)} for ${email}: ${state}.\n${formatAccount(account)}` },
  )
}

function formatAccount({ email, tier, scans, subscription }: AccountBilling): string {
  const { plan, status, current_period_end: end, next_plan } = subscription
  const until = status === 'active' && end !== null ? `, paid until ${end.slice(0, 10)}` : ''
  const then = next_plan === null ? '' : `, then ${itemName(next_plan)}`
  const paid = plan === 'free' || plan === tier ? '' : ` (${itemName(plan)}: ${status})`
  return `${email} now has the ${tierName(tier)} tier${until}${then}${paid}, and ${count(scans, 'scan')}.`
}

/**
 * Prints the billing report for a range of days, this month by default.
 *
 * @returns 1 if records do not match, else 0
 */
export async function printBillingReport(
  deps: Deps,
  { from, to, json }: { from: number | undefined; to: number | undefined; json: boolean },
): Promise<number> {
  const last = to ?? dayOf(deps.now())
  const first = from ?? parseDate(`${formatDate(last).slice(0, 7)}-01`) ?? last
  if (first > last) throw new UsageError('--from must not be after --to.')
  const report = await getBillingReport(deps, { from: first, to: last })
  printResult(report, { json, text: formatBillingReport(report) })
  return report.mismatches.length === 0 ? 0 : 1
}

/** Formats the report as tables. */
function formatBillingReport(report: BillingReport): string {
  const { scans, now } = report
  const parts = [
    `Billing from ${report.from} to ${report.to} (UTC)`,
    table(
      'Revenue',
      ['item', 'by', 'payments', 'paid', 'refunds', 'refunded', 'disputes', 'disputed', 'net'],
      [
        ...report.revenue.map((row) => [
          itemName(row.item),
          row.provider,
          row.payments,
          formatPrice(row.paid),
          row.refunds,
          formatPrice(row.refunded),
          row.disputes,
          formatPrice(row.disputed),
          formatPrice(row.net),
        ]),
        ['Total', '', '', '', '', '', '', '', formatPrice(report.net)],
      ],
    ),
    table(
      'Subscriptions now',
      ['plan', 'status', 'by', 'accounts'],
      report.subscriptions.map((row) => [
        itemName(row.plan),
        row.status,
        row.provider,
        row.accounts,
      ]),
    ),
    table(
      'Scans',
      Object.keys(scans).map((name) => name.replaceAll('_', ' ')),
      [Object.values(scans)],
    ),
    table(
      'Now',
      ['scans left', 'owed', 'held', 'held since'],
      [[now.scans_left, now.scans_owed, now.scan_holds, now.scan_holds_since ?? '-']],
    ),
    table(
      'Open checkouts now',
      ['by', 'checkouts', 'worth', 'since'],
      now.checkouts.map((row) => [
        row.provider,
        row.checkouts,
        formatPrice(row.worth),
        row.since ?? '',
      ]),
    ),
    table(
      'Events',
      ['by', 'type', 'outcome', 'events'],
      report.events.map((row) => [row.provider, row.type, row.outcome, row.events]),
    ),
    table(
      'Photos paid per request',
      ['state', 'payments', 'paid'],
      report.photos.map((row) => [row.state, row.payments, formatPrice(row.paid)]),
    ),
    table(
      'MISMATCHES (check these)',
      ['kind', 'account', 'detail'],
      report.mismatches.map((row) => [row.kind, row.account_id ?? '-', row.detail]),
    ),
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** Formats a table below its title; '' if it has no rows. */
function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return rows.length === 0 ? '' : `${title}\n${formatTable(head, rows).replace(/^/gm, '  ')}`
}

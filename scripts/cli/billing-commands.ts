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
import { printResult, UsageError } from './terminal.ts'

/** Most open checkouts that are listed. */
const LIST_MAX = 10_000

type Values = { json: boolean; email?: string | undefined }

/** The open checkouts of manual billing, oldest first. */
export async function listCheckouts(
  { ledger, now }: Deps,
  { email, json }: Values,
): Promise<number> {
  const everything = new Date(now().getTime() + 1)
  const open = await ledger.checkouts.listOpen(everything, LIST_MAX, { provider: 'manual', email })
  for (const { id, item, amount_cents, created_at, ...row } of open) {
    const since = new Date(created_at).toISOString()
    const amount = toDollars(amount_cents)
    if (json || !process.stdout.isTTY) printResult({ id, email: row.email, item, amount, since })
    else
      printLine([
        id,
        since.slice(0, 10),
        formatPrice(amount).padStart(9),
        itemName(item),
        row.email,
      ])
  }
  if (open.length === 0 && process.stdout.isTTY && !json) printLine(['No open checkouts.'])
  return 0
}

export async function completeManualCheckout(
  deps: Deps,
  named: string,
  values: Values,
): Promise<number> {
  const { id } = await completeCheckout(deps, named)
  return printCheckout(deps, id, values)
}

export async function refundManualCheckout(
  deps: Deps,
  named: string,
  values: Values,
): Promise<number> {
  const { id } = await refundCheckout(deps, named)
  return printCheckout(deps, id, values)
}

/** Prints the state of a checkout and of its account. */
async function printCheckout(deps: Deps, id: string, { json }: Values): Promise<number> {
  const details = await getCheckoutDetails(deps, id)
  if (details === undefined) throw new Error(`checkout ${id} not found`)
  const { email, checkout } = details
  const { item, amount_cents, account_id } = checkout
  const known = await deps.ledger.accounts.getById(account_id)
  if (known === undefined) throw new Error(`account ${account_id} not found`)
  const account = await getBilling(deps, known)
  const state = details.is_refunded ? 'refunded' : checkout.state
  if (json || !process.stdout.isTTY) {
    const { tier, subscription, scans } = account
    const amount = toDollars(amount_cents)
    printResult({ id, email, item, amount, state, tier, subscription, scans })
    return 0
  }
  printLine([`${itemName(item)} for ${email}: ${state}.`])
  printLine([formatAccount(account)])
  return 0
}

function formatAccount({ email, tier, scans, subscription }: AccountBilling): string {
  const { plan, status, current_period_end: end, next_plan } = subscription
  const until = status === 'active' && end !== null ? `, paid until ${end.slice(0, 10)}` : ''
  const then = next_plan === null ? '' : `, then ${itemName(next_plan)}`
  const paid = plan === 'free' || plan === tier ? '' : ` (${itemName(plan)}: ${status})`
  return `${email} now has the ${tierName(tier)} tier${until}${then}${paid}, and ${scans} scans.`
}

/**
 * Prints the billing report for a range of days, this month by default.
 *
 * @returns 1 if records do not match, else 0
 */
export async function printBillingReport(
  deps: Deps,
  { from, to, json }: Values & { from?: string | undefined; to?: string | undefined },
): Promise<number> {
  const last = parseDayArgument('--to', to) ?? dayOf(deps.now())
  const first =
    parseDayArgument('--from', from) ?? parseDate(`${formatDate(last).slice(0, 7)}-01`) ?? last
  if (first > last) throw new UsageError('--from must not be after --to.')
  const report = await getBillingReport(deps, { from: first, to: last })
  if (json || !process.stdout.isTTY) printResult(report)
  else process.stdout.write(formatBillingReport(report))
  return report.mismatches.length === 0 ? 0 : 1
}

function parseDayArgument(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const day = parseDate(text)
  if (day !== undefined) return day
  throw new UsageError(`${name} must be a date such as 2026-08-05, not "${text}".`)
}

/** Formats the report as tables. */
export function formatBillingReport(report: BillingReport): string {
  const { scans, now } = report
  const parts = [
    `Billing from ${report.from} to ${report.to} (UTC)`,
    table(
      'Revenue',
      ['item', 'by', 'payments', 'paid', 'refunds', 'refunded', 'disputes', 'disputed', 'net'],
      [
        ...report.revenue.map((row) => [
          ...[itemName(row.item), row.provider, row.payments, formatPrice(row.paid), row.refunds],
          ...[
            formatPrice(row.refunded),
            row.disputes,
            formatPrice(row.disputed),
            formatPrice(row.net),
          ],
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
    table('Scans', Object.keys(scans), [Object.values(scans)]),
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
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** Formats a table with numbers aligned right; '' if it has no rows. */
function table(
  title: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  if (rows.length === 0) return ''
  const texts = [head, ...rows].map((row) => row.map(String))
  const isNumber = head.map((_, column) =>
    rows.every((row) => /^(?:-?\$?[\d,.]+)?$/.test(String(row[column]))),
  )
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)))
  const lines = texts.map((row) =>
    row
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return [title, ...lines.map((line) => `  ${line}`)].join('\n')
}

function formatPrice(amount: number): string {
  return `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(2)}`
}

function printLine(cells: readonly string[]): void {
  process.stdout.write(`${cells.join('  ')}\n`)
}

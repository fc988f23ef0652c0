// `bun run admin billing …`: manual billing as the operator does it, and the report.
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

/** More of them are not waited for by anybody. */
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
  if (open.length === 0 && process.stdout.isTTY && !json) printLine(['No checkout is open.'])
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

/** What became of a checkout, and what its account has now. */
async function printCheckout(deps: Deps, id: string, { json }: Values): Promise<number> {
  const told = await getCheckoutDetails(deps, id)
  if (told === undefined) throw new Error(`the checkout ${id} is gone`)
  const { email, checkout } = told
  const { item, amount_cents, account_id } = checkout
  const known = await deps.ledger.accounts.getById(account_id)
  if (known === undefined) throw new Error(`there is no account ${account_id}`)
  const account = await getBilling(deps, known)
  const state = told.is_refunded ? 'refunded' : checkout.state
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
 * Prints the report of a span of days; without any, that of this month until today.
 *
 * @returns 1 where something does not add up, else 0
 */
export async function printBillingReport(
  deps: Deps,
  { from, to, json }: Values & { from?: string | undefined; to?: string | undefined },
): Promise<number> {
  const last = parseDayArgument('--to', to) ?? dayOf(deps.now())
  const first =
    parseDayArgument('--from', from) ?? parseDate(`${formatDate(last).slice(0, 7)}-01`) ?? last
  if (first > last) throw new UsageError('--from is after --to: give the first day first.')
  const told = await getBillingReport(deps, { from: first, to: last })
  if (json || !process.stdout.isTTY) printResult(told)
  else process.stdout.write(formatBillingReport(told))
  return told.mismatches.length === 0 ? 0 : 1
}

function parseDayArgument(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const day = parseDate(text)
  if (day !== undefined) return day
  throw new UsageError(`${name} is "${text}": give a day as YYYY-MM-DD.`)
}

/** The report as tables. */
export function formatBillingReport(told: BillingReport): string {
  const { scans, now } = told
  const parts = [
    `Billing from ${told.from} to ${told.to} (UTC)`,
    table(
      'Revenue',
      ['item', 'by', 'payments', 'paid', 'refunds', 'refunded', 'disputes', 'disputed', 'net'],
      [
        ...told.revenue.map((row) => [
          ...[itemName(row.item), row.provider, row.payments, formatPrice(row.paid), row.refunds],
          ...[
            formatPrice(row.refunded),
            row.disputes,
            formatPrice(row.disputed),
            formatPrice(row.net),
          ],
        ]),
        ['Total', '', '', '', '', '', '', '', formatPrice(told.net)],
      ],
    ),
    table(
      'Subscriptions now',
      ['plan', 'status', 'by', 'accounts'],
      told.subscriptions.map((row) => [itemName(row.plan), row.status, row.provider, row.accounts]),
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
      told.events.map((row) => [row.provider, row.type, row.outcome, row.events]),
    ),
    table(
      'Photos paid one by one',
      ['state', 'payments', 'paid'],
      told.photos.map((row) => [row.state, row.payments, formatPrice(row.paid)]),
    ),
    table(
      'MISMATCHES, to be looked into',
      ['kind', 'account', 'what'],
      told.mismatches.map((row) => [row.kind, row.account_id ?? '-', row.detail]),
    ),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** Columns of numbers are set to the right; a table without rows is left out. */
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

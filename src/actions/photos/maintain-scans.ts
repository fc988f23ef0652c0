import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { getAccount } from '../accounts/manage-accounts.ts'

/** Refunds the scans of photos whose server was killed: running servers renew theirs. */
export async function refundOverdueScans({
  ledger,
  log,
  now,
}: Pick<Deps, 'ledger' | 'log' | 'now'>): Promise<void> {
  const scans = await ledger.scans.refundOverdue(now())
  if (scans > 0) log.warn('refunded overdue scans', { scans, reason: 'their server ended' })
}

/** Logs an error for each balance that is not the sum of its ledger entries. */
export async function checkScanBalances({
  ledger,
  log,
}: Pick<Deps, 'ledger' | 'log'>): Promise<void> {
  for (const account of await ledger.scans.listUnbalanced()) {
    log.error('scan balance does not match its ledger entries', account)
  }
}

/**
 * Grants scans to an account, as the operator.
 *
 * @returns the new balance
 * @throws ServiceError NOT_FOUND, or VALIDATION_ERROR for too many
 */
export async function grantScans(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { email, scans }: { email: string; scans: number },
): Promise<{ email: string; balance: number }> {
  if (scans > GRANT_SCANS_MAX) {
    throw new ServiceError('VALIDATION_ERROR', `"scans" must be at most ${GRANT_SCANS_MAX}.`)
  }
  const account = await getAccount({ ledger, now }, email)
  const grant = { account_id: account.id, n: scans, ref: randomUUID() }
  await ledger.scans.grant(grant, { now: now(), address: undefined })
  return { email: account.email, balance: (await ledger.accounts.getScans(account.id)).balance }
}

/** Ten times the largest pack; more is a typing error. */
const GRANT_SCANS_MAX = 1_000_000

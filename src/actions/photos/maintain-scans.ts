import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { getAccount } from '../accounts/manage-accounts.ts'

/** Gives back the scans of photos that nobody reads any more: their server was killed. */
export async function refundOverdueScans({
  ledger,
  log,
  now,
}: Pick<Deps, 'ledger' | 'log' | 'now'>): Promise<void> {
  const scans = await ledger.scans.refundOverdue(now())
  if (scans > 0) log.warn('scans given back', { scans, reason: 'their server ended' })
}

/** Looks whether every balance is the sum of its entries; one that is not is a fault of ours. */
export async function checkScanBalances({
  ledger,
  log,
}: Pick<Deps, 'ledger' | 'log'>): Promise<void> {
  for (const account of await ledger.scans.listUnbalanced()) {
    log.error('balance of scans is not the sum of its ledger', account)
  }
}

/**
 * Gives scans to an account, as the operator.
 *
 * @returns what it has now
 * @throws ServiceError NOT_FOUND, or VALIDATION_ERROR for too many at once
 */
export async function grantScans(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  { email, scans }: { email: string; scans: number },
): Promise<{ email: string; balance: number }> {
  if (scans > GRANT_MAX) {
    throw new ServiceError('VALIDATION_ERROR', `"scans" must be at most ${GRANT_MAX}.`)
  }
  const account = await getAccount({ ledger, now }, email)
  const grant = { account_id: account.id, n: scans, ref: randomUUID() }
  await ledger.scans.grant(grant, { now: now(), address: undefined })
  return { email: account.email, balance: (await ledger.accounts.getScans(account.id)).balance }
}

/** Ten times the largest pack: more is a slip of the pen. */
const GRANT_MAX = 1_000_000

import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { remainingScans, SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { assertCountryAllowed } from './check-country.ts'

/**
 * Rejects a photo before it is uploaded. The check of the country comes before the error for an empty
 * balance, since buying scans would not help there (specification, Limits 7).
 *
 * @param account_id undefined if the photo is paid for by itself
 * @param country of the client, as two capital letters; undefined if unknown
 * @throws ServiceError IDENTIFY_REGION_UNAVAILABLE, SCAN_BALANCE_EMPTY or TOO_MANY_ATTEMPTS
 */
export async function assertPhotoAccepted(
  deps: Pick<Deps, 'ledger' | 'reader' | 'config' | 'now'>,
  { account_id, country }: { account_id: number | undefined; country: string | undefined },
): Promise<void> {
  try {
    assertCountryAllowed(deps, country)
  } catch (cause) {
    if (account_id !== undefined) await recordRefund(deps, account_id)
    throw cause
  }
  if (account_id === undefined) return
  const account = await deps.ledger.accounts.getScans(account_id)
  if (remainingScans(account) === 0) throw scanBalanceEmpty()
  deps.reader.assertRoom(payerOf(account_id))
}

/** Returns the name of an account as a payer of photos. */
export const payerOf = (accountId: number) => `account ${accountId}`

export function scanBalanceEmpty(): ServiceError {
  return new ServiceError('SCAN_BALANCE_EMPTY', 'No scans are left. Buy a scan pack to continue.')
}

/** Records a scan as refunded, so that the account sees how many photos its country cost it. */
async function recordRefund({ ledger, now }: Pick<Deps, 'ledger' | 'now'>, account_id: number) {
  const id = randomUUID()
  const taken_at = now()
  const due_at = new Date(taken_at.getTime() + SCAN_HOLD_MS)
  await ledger.scans.reserve({ id, account_id, taken_at, due_at })
  await ledger.scans.release(id, 'refunded', taken_at)
}

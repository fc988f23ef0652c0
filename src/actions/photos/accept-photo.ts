import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { remainingScans, SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { trialLimits } from '../accounts/rate-limits.ts'

/**
 * Rejects a photo before it is uploaded. The check of the country comes before the error for an empty balance, since
 * buying scans would not help there (specification, Limits 7).
 *
 * @param account_id undefined if the photo is paid individually
 * @param address IP address of the client
 * @param country of the client, as two capital letters; undefined if unknown
 * @param mayBePage true if the photo may show several cards, so that the scan of an earlier photo pays for it
 * @throws ServiceError IDENTIFY_REGION_UNAVAILABLE, SCAN_BALANCE_EMPTY or TOO_MANY_ATTEMPTS
 */
export async function assertPhotoAccepted(
  deps: Pick<Deps, 'ledger' | 'reader' | 'config' | 'now'>,
  {
    account_id,
    country,
    address,
    mayBePage = false,
  }: {
    account_id: number | undefined
    country: string | undefined
    address: string
    mayBePage?: boolean
  },
): Promise<void> {
  try {
    assertCountryAllowed(deps, country)
  } catch (cause) {
    if (account_id !== undefined) await recordRefund(deps, { account_id, address })
    throw cause
  }
  if (account_id === undefined) return
  await assertScansLeft(deps, { account_id, address, mayBePage })
  deps.reader.assertRoom(payerOf(account_id))
}

type Sender = { account_id: number; address: string }

/** @throws ServiceError SCAN_BALANCE_EMPTY, also if only a trial is left that cannot start now */
export async function assertScansLeft(
  deps: Pick<Deps, 'ledger' | 'config' | 'now'>,
  { account_id, address, mayBePage = false }: Sender & { mayBePage?: boolean },
): Promise<void> {
  const { config, ledger, now } = deps
  const account = await ledger.accounts.getScans(account_id)
  if (account.is_admitted && !config.hasLimits) return
  if (remainingScans(account) === 0) {
    if (mayBePage && (await ledger.scans.hasCredit(account_id, now()))) return
    throw scanBalanceEmpty(config)
  }
  if (account.trial_at !== null || account.balance > 0) return
  const waitMs = await ledger.scans.getTrialWait(account_id, trialLimits(deps, address), now())
  if (waitMs === undefined) return
  throw new ServiceError(
    'SCAN_BALANCE_EMPTY',
    'The trial scans are not available now: too many new accounts in your network started theirs. Try again later.',
    { retryAfter: Math.ceil(waitMs / 1_000) },
  )
}

/** Returns an account's name as a payer of photos. */
export const payerOf = (accountId: number) => `account ${accountId}`

export function scanBalanceEmpty({ billing }: Deps['config']): ServiceError {
  const isForSale = billing.provider !== 'off'
  const remedy = isForSale ? 'Buy a scan pack to continue.' : 'Ask the operator for more.'
  return new ServiceError('SCAN_BALANCE_EMPTY', `No scans are left. ${remedy}`)
}

/**
 * Reserves a scan, which starts the trial if it is the account's first. On a private server, an admitted account without
 * scans gets more, so that the ledger still records every photo.
 */
export async function reserveScan(
  deps: Pick<Deps, 'ledger' | 'config' | 'now'>,
  { account_id, address }: Sender,
): Promise<{ id: string; taken_at: Date; isReserved: boolean }> {
  const id = randomUUID()
  const taken_at = deps.now()
  if (!deps.config.hasLimits) await replenishScans(deps, account_id)
  const trial = { trialLimits: trialLimits(deps, address) }
  const hold = { id, account_id, taken_at, holdMs: SCAN_HOLD_MS, ...trial }
  return { id, taken_at, isReserved: await deps.ledger.scans.reserve(hold) }
}

async function replenishScans(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  account_id: number,
): Promise<void> {
  const account = await ledger.accounts.getScans(account_id)
  if (!account.is_admitted || remainingScans(account) >= REPLENISHED_BELOW) return
  const grant = { account_id, n: REPLENISHED_SCANS, ref: `private ${randomUUID()}` }
  await ledger.scans.grant(grant, { now: now(), address: undefined })
}

const REPLENISHED_SCANS = 1_000

/** Balance below which scans are added: more photos than an account sends at once. */
const REPLENISHED_BELOW = 100

/** Prevents the refund of a scan while its photo is read. Never rejects: the next renewal tries again. */
export async function renewScan(
  { ledger, log, now }: Pick<Deps, 'ledger' | 'log' | 'now'>,
  id: string,
): Promise<void> {
  try {
    await ledger.scans.renew(id, SCAN_HOLD_MS, now())
  } catch (error) {
    log.warn('failed to renew a scan', { error })
  }
}

/** Records a scan as refunded, so that the account sees how many of its photos were rejected because of the country. */
async function recordRefund(deps: Pick<Deps, 'ledger' | 'config' | 'now'>, sender: Sender) {
  const { id, taken_at } = await reserveScan(deps, sender)
  await deps.ledger.scans.release(id, 'refunded', taken_at)
}

/**
 * @param country of the client, as two capital letters; undefined if unknown
 * @throws ServiceError IDENTIFY_REGION_UNAVAILABLE
 */
export function assertCountryAllowed(
  { config }: Pick<Deps, 'config'>,
  country: string | undefined,
): void {
  if (country === undefined || !config.blockedCountries.includes(country)) return
  throw new ServiceError(
    'IDENTIFY_REGION_UNAVAILABLE',
    'Photo identification is not available in your country.',
  )
}

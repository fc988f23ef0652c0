import type { Deps } from '#deps.ts'
import { USAGE_DAYS } from '#rules/operations/retention.ts'
import { remainingScans } from '#rules/photos/scans.ts'
import type { VerdictStatus } from '#rules/photos/verdict.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { describePictureIndex } from './describe-picture-index.ts'

/**
 * Returns the remaining scans of an account, its usage of scans in the last thirty days, its additions of scans, the
 * state of the pictures with which its photos are compared, and the pages that it is reading.
 */
export async function getScanUsage(
  deps: Pick<Deps, 'catalog' | 'config' | 'ledger' | 'now' | 'pageProgress'>,
  accountId: number,
) {
  const { ledger, now } = deps
  const first = dayOf(now()) - USAGE_DAYS + 1
  const [account, used, additions] = await Promise.all([
    ledger.accounts.getScans(accountId),
    ledger.scans.listDays(accountId, first),
    ledger.scans.listAdditions(accountId, ADDITIONS_MAX),
  ])
  const known = new Map(used.map(({ day, ...counts }) => [day, counts]))
  const days = Array.from({ length: USAGE_DAYS }, (_, index) => ({
    date: formatDate(first + index),
    ...(known.get(first + index) ?? ZERO_COUNTS),
  }))
  return {
    remaining: remainingScans(account),
    balance: account.balance,
    debt: account.debt,
    trial_pending: account.trial_at === null,
    days,
    ledger: additions.map(({ created_at, ...addition }) => ({
      ...addition,
      created_at: new Date(created_at).toISOString(),
    })),
    pictures: describePictureIndex(deps),
    page: deps.pageProgress.get(accountId),
  }
}

const ZERO_COUNTS = {
  scans: 0,
  refunded: 0,
  matched: 0,
  ambiguous: 0,
  retake: 0,
  not_found: 0,
  unsupported: 0,
} satisfies Record<VerdictStatus | 'scans' | 'refunded', number>

/** Maximum number of additions that are listed (specification, Photo identification). */
const ADDITIONS_MAX = 50

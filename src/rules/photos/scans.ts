/** Trial scans of an account, added with its first identification (specification, Limits 6). */
export const TRIAL_SCANS = 25

/**
 * Milliseconds after which a scan is refunded that is neither settled nor renewed, because its process must have
 * ended. Five times the interval, because a busy process renews late.
 */
export const SCAN_HOLD_MS = 15_000

/** Interval at which a process renews the scans of photos that it is reading. */
export const SCAN_RENEWAL_MS = 3_000

/** Milliseconds within which a page returns the scan of a photo that showed several cards. */
export const PAGE_CREDIT_MS = 15 * 60_000

/** Returns the scans that an account has left, including a pending trial. */
export function remainingScans(account: { balance: number; trial_at: number | null }): number {
  return account.balance + (account.trial_at === null ? TRIAL_SCANS : 0)
}

/** Scans that every account gets once, with its first identification (specification, Limits 6). */
export const TRIAL_SCANS = 25

/**
 * Milliseconds after which a scan that was taken and not settled is given back: twice what a reader
 * takes at the longest (10 s of waiting, 20 s of reading), so whoever took it is gone by then.
 */
export const HOLD_MS = 60_000

/** How many photos an account can still have read: the trial that waits for it counts, too. */
export function remainingScans(account: { balance: number; trial_at: number | null }): number {
  return account.balance + (account.trial_at === null ? TRIAL_SCANS : 0)
}

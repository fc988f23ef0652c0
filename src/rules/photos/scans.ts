/** Scans that every account gets once, with its first identification (specification, Limits 6). */
export const TRIAL_SCANS = 25

/**
 * Seconds until a photo is answered at the longest: 10 of waiting and 20 of reading, and both once
 * more where the reader died of it.
 */
export const ANSWER_DEADLINE_SECONDS = 60

/** After so many milliseconds whoever took a scan and did not settle it is gone: it is given back. */
export const SCAN_HOLD_MS = 1.5 * ANSWER_DEADLINE_SECONDS * 1_000

/** How many photos an account can still have read: the trial that waits for it counts, too. */
export function remainingScans(account: { balance: number; trial_at: number | null }): number {
  return account.balance + (account.trial_at === null ? TRIAL_SCANS : 0)
}

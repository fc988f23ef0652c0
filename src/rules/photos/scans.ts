/** Trial scans of an account, added with its first identification (specification, Limits 6). */
export const TRIAL_SCANS = 25

/**
 * Maximum seconds to answer a photo: 10 in the queue and 20 of reading, both twice if the reader
 * crashed on it.
 */
export const ANSWER_DEADLINE_SECONDS = 60

/** A scan that is not settled within these milliseconds is refunded: its process must have ended. */
export const SCAN_HOLD_MS = 1.5 * ANSWER_DEADLINE_SECONDS * 1_000

/** Returns the scans that an account has left, including a pending trial. */
export function remainingScans(account: { balance: number; trial_at: number | null }): number {
  return account.balance + (account.trial_at === null ? TRIAL_SCANS : 0)
}

/** Trial scans of an account, added with its first identification (specification, Limits 6). */
export const TRIAL_SCANS = 25

/** Days for which identifications are kept. */
export const IDENTIFICATION_DAYS = 30

/**
 * Maximum seconds to answer a photo: 10 in the queue and 20 of reading, both twice if the reader
 * crashed on it.
 */
export const ANSWER_DEADLINE_SECONDS = 60

/** Milliseconds after which no further card of a page is read: its response is due. */
export const PAGE_READING_MS = 45_000

/** Maximum seconds to answer a page: a card may be read until the deadline of a photo. */
export const PAGE_SECONDS_MAX = PAGE_READING_MS / 1_000 + ANSWER_DEADLINE_SECONDS

/**
 * A scan that is neither settled nor renewed within these milliseconds is refunded: its process must have
 * ended. Five times the interval, because a busy process renews late.
 */
export const SCAN_HOLD_MS = 15_000

/** Interval at which a process renews the scans of photos that it still reads. */
export const SCAN_RENEWAL_MS = 3_000

/** Returns the scans that an account has left, including a pending trial. */
export function remainingScans(account: { balance: number; trial_at: number | null }): number {
  return account.balance + (account.trial_at === null ? TRIAL_SCANS : 0)
}

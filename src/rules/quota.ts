/** What a caller has left today: the specification's `rate_limit` block. */
export type Quota = {
  daily_limit: number
  daily_remaining: number
  /** The next UTC midnight. */
  daily_reset: string
}

/**
 * How many requests a server may take from an account's day at once. Far from the limit a whole
 * lease, so that few requests touch the disk; close to it fewer and fewer, down to one, so that
 * several servers together grant exactly the limit.
 *
 * @param left requests of the day that nobody has taken yet
 * @param wanted at least 1
 */
export function leaseOf(left: number, wanted: number): number {
  return Math.min(wanted, Math.max(1, left >> 3), left)
}

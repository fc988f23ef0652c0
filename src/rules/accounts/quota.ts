/** What a caller has left today: the specification's `rate_limit` block. */
export type Quota = {
  daily_limit: number
  daily_remaining: number
  /** The next UTC midnight. */
  daily_reset: string
}

/**
 * How many requests a server may take from an account's day at once. Far from the limit as many as it
 * wants, so that few requests touch the disk; close to it fewer and fewer, down to what it needs, so
 * that several servers together grant exactly the limit.
 *
 * @param left requests of the day that nobody has taken yet
 * @param wanted at least 1
 * @param needed at least 1; where less is left, nothing is taken
 */
export function leaseOf(
  left: number,
  { wanted, needed }: { wanted: number; needed: number },
): number {
  if (left < needed) return 0
  return Math.max(needed, Math.min(wanted, left >> 3))
}

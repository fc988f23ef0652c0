/** Remaining quota of a caller today: the specification's `rate_limit` block. */
export type Quota = {
  daily_limit: number
  daily_remaining: number
  /** The next UTC midnight. */
  daily_reset: string
}

/**
 * Computes how many requests of an account's day a server may lease at once. Far from the limit it
 * grants all that are wanted, so that few requests touch the disk. Near the limit it grants fewer,
 * down to the number needed, so that several servers together grant exactly the limit.
 *
 * @param left requests of the day that no server has leased yet
 * @param wanted at least 1
 * @param needed at least 1; if fewer are left, none are granted
 */
export function leaseOf(
  left: number,
  { wanted, needed }: { wanted: number; needed: number },
): number {
  if (left < needed) return 0
  return Math.max(needed, Math.min(wanted, left >> 3))
}

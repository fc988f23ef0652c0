// Schedule of delivery retries (docs/decisions/0017). Times are in milliseconds.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Delays of ten attempts in three days: the example of Standard Webhooks 1.0.0. */
const WAITS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** Spreads the retries of receivers that failed at the same time. */
const JITTER = 0.2

/** Maximum delay that a receiver's Retry-After may request. */
export const RETRY_AFTER_MS_MAX = DAY

/** Maximum of every delay. A delivery due later was scheduled by a wrong clock. */
export const RETRY_DELAY_MS_MAX = DAY * (1 + JITTER)

/**
 * Returns the delay before the next attempt; undefined after the last one.
 *
 * @param tries number of attempts so far, from 1
 * @param retryAfterMs delay requested by the receiver; 0 if none
 * @param random from 0 to 1
 */
export function retryDelayMs(
  tries: number,
  retryAfterMs: number,
  random: number,
): number | undefined {
  const wait = WAITS_MS[tries - 1]
  if (wait === undefined) return undefined
  const spread = wait * (1 + JITTER * (2 * random - 1))
  return Math.round(Math.max(spread, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX)))
}

/**
 * Returns true if a receiver has failed so often and for so long that its webhook is disabled until its owner enables
 * it again.
 *
 * @param failures consecutive failed attempts since `failingSince` (epoch milliseconds)
 */
export function isExhausted(failures: number, failingSince: number, nowMs: number): boolean {
  return failures >= CONSECUTIVE_FAILURES_MAX && nowMs - failingSince >= FAILING_MS_MAX
}

export const CONSECUTIVE_FAILURES_MAX = 20
const FAILING_MS_MAX = 3 * DAY

/** Time after which a leased delivery may be leased again, because its worker must have stopped. */
export const DELIVERY_LEASE_MS = 60 * SECOND

/** Delay before a delivery of a paused webhook is checked again. */
export const PAUSED_RECHECK_MS = 10 * MINUTE

/** Time for which a replaced secret still signs. */
export const OLD_SECRET_VALID_MS = DAY

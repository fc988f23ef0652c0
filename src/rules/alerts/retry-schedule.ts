// When a message is tried again, and when its receiver is given up (docs/decisions/0017). Milliseconds.

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * How long after each attempt the next one comes: ten attempts over three days, as the Standard
 * Webhooks specification has it in its example (1.0.0, "Retry schedule").
 */
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

/** Receivers that fell over together are not asked together again. */
const JITTER = 0.2

/** A receiver may ask for more time, but not for more than this. */
export const RETRY_AFTER_MS_MAX = DAY

/** No wait is longer: what is due later than this was put off by a clock that was wrong. */
export const RETRY_DELAY_MS_MAX = DAY * (1 + JITTER)

/**
 * When to try again.
 *
 * @param tries attempts until now, from 1
 * @param retryAfterMs what the receiver asked for; 0: nothing
 * @param random from 0 to 1
 * @returns how long to wait; undefined: it is given up
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
 * Whether a receiver has failed so often, and for so long, that nothing is sent there any more until
 * its owner says so.
 *
 * @param failures attempts in a row that came to nothing, since `failingSince` (epoch milliseconds)
 */
export function isExhausted(failures: number, failingSince: number, nowMs: number): boolean {
  return failures >= CONSECUTIVE_FAILURES_MAX && nowMs - failingSince >= FAILING_MS_MAX
}

export const CONSECUTIVE_FAILURES_MAX = 20
const FAILING_MS_MAX = 3 * DAY

/** One attempt, from the look-up of the name to the end of the answer. */
export const ATTEMPT_TIMEOUT_MS = 15 * SECOND

/** Whoever has a message delivers it by then, or is gone. */
export const DELIVERY_LEASE_MS = 60 * SECOND

/** A message of a watch that is paused is looked at again so much later. */
export const PAUSED_RECHECK_MS = 10 * MINUTE

/** A secret that was replaced is signed with for so long. */
export const OLD_SECRET_VALID_MS = DAY

/** Messages and what became of them are kept for so long. */
export const DELIVERY_RETENTION_MS = 30 * DAY

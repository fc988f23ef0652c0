// Leases, timeouts and retention of photo payments (docs/decisions/0016). In milliseconds.

/** A worker renews its lease on a payment. Without a renewal for this long, the worker was killed. */
export const PAYMENT_LEASE_MS = 3_000
export const PAYMENT_LEASE_RENEWAL_MS = 1_000

/** Maximum wait of a request for the settlement. The settlement itself continues. */
export const SETTLE_TIMEOUT_MS = 30_000

/** Maximum seconds until a paid photo is answered: verification, reading, waiting, settlement. */
export const PAID_RESPONSE_SECONDS_MAX = 150

/** Delay before the next settlement attempt; doubled each time. */
export const SETTLE_BACKOFF_MS_MIN = 50
export const SETTLE_BACKOFF_MS_MAX = 5_000

/** Extra time after a payment expires, because clocks differ. */
const GRACE_MS = 5_000

/** By then, the chain has reported the outcome, unless it lags or is unreachable. */
const LAG_MS_MAX = 60_000

/** Delay before an unresolved payment is checked again. */
export const PAYMENT_RECHECK_MS = 60_000

/** Maximum number of unpaid photos in progress per payer. */
export const UNPAID_PHOTOS_MAX = 4

/** Maximum number of a payer's failed payments after the photo was read, and the window in which they count. */
export const PAYER_FAILURES_MAX = 3
export const PAYER_FAILURE_WINDOW_MS = 24 * 60 * 60 * 1_000

/**
 * Returns true if an unused payment can no longer be used. That requires a block from after its expiry, because a
 * lagging node does not know later payments yet.
 *
 * @param validBefore of the payment, in epoch milliseconds
 * @param blockMs time of that block
 */
export function isPaymentExpired(validBefore: number, blockMs: number, nowMs: number): boolean {
  return nowMs >= validBefore + GRACE_MS && blockMs >= validBefore
}

/** Returns true once the payment is only rechecked occasionally. */
export function isPaymentLongExpired(validBefore: number, nowMs: number): boolean {
  return nowMs >= validBefore + LAG_MS_MAX
}

// How long payments of photos are held, waited for and remembered (docs/decisions/0016). Milliseconds.

/** Whoever works on a payment says so again and again; silent for so long, it was killed. */
export const PAYMENT_LEASE_MS = 3_000
export const PAYMENT_LEASE_RENEWAL_MS = 1_000

/** A request waits so long for its payment to be settled; the settling itself goes on. */
export const SETTLE_TIMEOUT_MS = 30_000

/** Seconds until a paid photo is answered at the longest: checking, reading, waiting, settling. */
export const PAID_RESPONSE_SECONDS_MAX = 150

/** How long after one attempt to settle the next one comes: doubled each time. */
export const SETTLE_BACKOFF_MS_MIN = 50
export const SETTLE_BACKOFF_MS_MAX = 5_000

/** After its end a payment is asked after a little longer: clocks differ. */
const GRACE_MS = 5_000

/** By then a chain has told what became of a payment, unless it lags behind or cannot be asked. */
const LAG_MS_MAX = 60_000

/** What could not be cleared up is looked at again so much later. */
export const PAYMENT_RECHECK_MS = 60_000

/** One payer's photos that are read and not paid for yet. */
export const UNPAID_PHOTOS_MAX = 4

/** Payments of one payer that came to nothing although the photo was read, and for how long they count. */
export const PAYER_FAILURES_MAX = 3
export const PAYER_FAILURE_WINDOW_MS = 24 * 60 * 60 * 1_000

/**
 * Whether a payment that no block has used can never be used any more. Only a block from after its end
 * says so: a node that lags behind has not seen yet what was paid.
 *
 * @param validBefore of the payment, epoch milliseconds
 * @param blockMs when the block was made that says so
 */
export function isPaymentExpired(validBefore: number, blockMs: number, nowMs: number): boolean {
  return nowMs >= validBefore + GRACE_MS && blockMs >= validBefore
}

/** Whether it is looked at only now and then from here on. */
export function isPaymentLongExpired(validBefore: number, nowMs: number): boolean {
  return nowMs >= validBefore + LAG_MS_MAX
}

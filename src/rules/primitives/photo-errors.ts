/** Meaning of an error code for clients: docs/reference/errors.md and the API document have these sentences. */
export type ErrorMeaning = { status: number; cause: string; remedy: string }

/** Errors of photos and of their payment. */
export const PHOTO_ERRORS = {
  BILLING_UNAVAILABLE: {
    status: 503,
    cause: 'The payment provider does not respond, or another checkout is being created',
    remedy: 'Retry after `Retry-After`',
  },
  IDENTIFY_REGION_UNAVAILABLE: {
    status: 403,
    cause: 'The operator blocked identification in this country',
    remedy: 'Retrying does not help',
  },
  IDENTIFY_UNAVAILABLE: {
    status: 503,
    cause: 'The photo reader is off, busy or failed; the scan is refunded',
    remedy: 'Retry after `Retry-After`',
  },
  INVALID_IMAGE: {
    status: 400,
    cause:
      'The photo is missing, too large, damaged, or not a JPEG, PNG or WebP. It uses a scan only if `meta.charged` is `scan`: after five damaged photos in a day',
    remedy: 'Send another photo of at most 8 MB',
  },
  INVALID_SIGNATURE: {
    status: 400,
    cause: 'A Stripe event has no valid signature, or its time is more than five minutes off',
    remedy: 'Operators: check `STRIPE_WEBHOOK_SECRET` and the clock',
  },
  PAYMENT_INVALID: {
    status: 400,
    cause: 'The `PAYMENT-SIGNATURE` header cannot be parsed',
    remedy: 'Sign again with a current x402 client',
  },
  PAYMENT_PENDING: {
    status: 503,
    cause: 'It is not known yet whether the payment was settled',
    remedy: 'Send the same photo with the same signature again; it is charged once',
  },
  PAYMENT_REJECTED: {
    status: 402,
    cause: 'The payment does not fit the offer, failed, or belongs to another photo',
    remedy: 'Sign a new payment',
  },
  PAYMENT_REQUIRED: {
    status: 402,
    cause: 'A photo without key and payment',
    remedy: 'Pay the offer in `PAYMENT-REQUIRED`, or send an API key',
  },
  PAYMENT_UNAVAILABLE: {
    status: 503,
    cause: 'Payments cannot be verified right now, or too many are in progress',
    remedy: 'Retry after `Retry-After`; nothing was charged',
  },
  PAYMENT_VERSION_UNSUPPORTED: {
    status: 400,
    cause: 'The payment uses another version of x402',
    remedy: 'Use an x402 client for version 2',
  },
  SCAN_BALANCE_EMPTY: {
    status: 402,
    cause:
      'The account has no scans left, or its trial cannot start because too many new accounts in its network started theirs',
    remedy: 'Buy scans, or pay per photo; for a trial, wait for `Retry-After`',
  },
  SCAN_SESSION_FULL: {
    status: 409,
    cause: 'The scan session has 5,000 items',
    remedy: 'Create another one, or delete items',
  },
  TOO_MANY_SCAN_SESSIONS: {
    status: 409,
    cause: 'The account has 100 scan sessions',
    remedy: 'Delete one first',
  },
} satisfies Record<string, ErrorMeaning>

import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  assertTimeLeft,
  parsePaymentHeader,
  type SentPayment,
  unsupportedPaymentVersion,
  validatePayment,
} from '#rules/x402/x402-payment-header.ts'
import {
  computePaymentId,
  type PaymentPayload,
  paymentRequiredHeader,
} from '#rules/x402/x402-protocol.ts'
import type { PaymentState, PhotoPayment } from '#store/ledger/photo-payments.ts'
import { queryParams } from '../input/validation.ts'

/** Payments for single photos in HTTP headers. Without x402 settings nothing is offered or accepted. */
export type PaymentOffer = {
  /**
   * Reads and validates the payment of a request; undefined without one.
   *
   * @throws ServiceError PAYMENT_INVALID, PAYMENT_VERSION_UNSUPPORTED or PAYMENT_REJECTED
   */
  read(request: Request): Promise<PaymentPayload | undefined>
  /** Returns true if the query requests payment terms: x402 clients only react to a 402. */
  isRequested(request: Request): boolean
  /** Adds the payment terms to an error that a payment would have avoided. */
  addTo(headers: Headers, error: ServiceError): void
}

export function createPaymentOffer({
  config: { x402: terms, publicUrl },
  ledger,
  now,
}: Pick<Deps, 'config' | 'ledger' | 'now'>): PaymentOffer {
  const offer = terms && paymentRequiredHeader(terms, publicUrl)

  /** Returns the payment as it was stored when its photo was read, because the terms may have changed since. */
  function storedPayment(
    known: PhotoPayment | undefined,
    sent: SentPayment,
  ): PaymentPayload | undefined {
    if (known === undefined || !READ.has(known.state) || known.payment === '') return undefined
    // pay-for-photo.ts has written this text.
    const stored = JSON.parse(known.payment) as PaymentPayload
    return stored.payload.signature === sent.payload.signature ? stored : undefined
  }

  return {
    async read({ headers }) {
      if (terms === undefined) return undefined
      const signature = headers.get('payment-signature')
      if (signature === null) {
        if (headers.has('x-payment')) throw unsupportedPaymentVersion()
        return undefined
      }
      const sent = parsePaymentHeader(signature)
      const known = await ledger.photoPayments.getById(computePaymentId(sent))
      const stored = storedPayment(known, sent)
      if (stored !== undefined) return stored
      const payment = validatePayment(sent, { terms, publicUrl, now: now() })
      // A photo that is already being read is answered, even if the payment expires soon.
      if (known?.state !== 'reserved') assertTimeLeft(payment, now())
      return payment
    },
    isRequested: (request) =>
      terms !== undefined && queryParams(request)?.get('payment') === 'x402',
    addTo(headers, error) {
      if (offer !== undefined && PAYABLE.has(error.code)) headers.set('payment-required', offer)
    },
  }
}

export function paymentRequired(): ServiceError {
  return new ServiceError(
    'PAYMENT_REQUIRED',
    'Payment required. Pay for this photo with x402 by the terms in the PAYMENT-REQUIRED header, or send an API key in X-API-Key.',
  )
}

/** States in which the payer may have paid, and must get the result. */
const READ: ReadonlySet<PaymentState> = new Set(['worked', 'unknown', 'settled', 'failed'])

/** Errors that a payment would avoid. */
const PAYABLE: ReadonlySet<string> = new Set([
  'API_KEY_REQUIRED',
  'PAYMENT_REJECTED',
  'PAYMENT_REQUIRED',
  'SCAN_BALANCE_EMPTY',
])

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

/** How photos are paid for over HTTP: what is offered in headers, and what comes back in them. */
export function createPaymentOffer({
  config,
  ledger,
  now,
}: Pick<Deps, 'config' | 'ledger' | 'now'>) {
  const { x402: terms, publicUrl } = config
  const offer = terms && paymentRequiredHeader(terms, publicUrl)

  /** One whose photo was read already, as it was taken: the terms may have changed since. */
  function keptOf(known: PhotoPayment | undefined, sent: SentPayment): PaymentPayload | undefined {
    if (known === undefined || !READ.has(known.state) || known.payment === '') return undefined
    // It was written by pay-for-photo.ts, so its shape is known.
    const kept = JSON.parse(known.payment) as PaymentPayload
    return kept.payload.signature === sent.payload.signature ? kept : undefined
  }

  return {
    /**
     * The payment that a request brings; undefined: none, or none are taken here.
     *
     * @throws ServiceError PAYMENT_INVALID, PAYMENT_VERSION_UNSUPPORTED or PAYMENT_REJECTED
     */
    async in({ headers }: Request): Promise<PaymentPayload | undefined> {
      if (terms === undefined) return undefined
      const signature = headers.get('payment-signature')
      if (signature === null) {
        if (headers.has('x-payment')) throw unsupportedPaymentVersion()
        return undefined
      }
      const sent = parsePaymentHeader(signature)
      const known = await ledger.photoPayments.getById(computePaymentId(sent))
      const kept = keptOf(known, sent)
      if (kept !== undefined) return kept
      const payment = validatePayment(sent, { terms, publicUrl, now: now() })
      // Whoever is being read for is answered, however little time is left meanwhile.
      if (known?.state !== 'reserved') assertTimeLeft(payment, now())
      return payment
    },
    /** Clients of x402 act upon 402 alone, and say in the address that they would pay. */
    isAskedFor(request: Request): boolean {
      return terms !== undefined && queryParams(request)?.get('payment') === 'x402'
    },
    /** Tells with a refusal how the photo could be paid. */
    tell(headers: Headers, refusal: ServiceError): void {
      if (offer !== undefined && PAYABLE.has(refusal.code)) headers.set('payment-required', offer)
    },
  }
}

export function paymentRequired(): ServiceError {
  return new ServiceError(
    'PAYMENT_REQUIRED',
    'Pay for this photo by x402 as the header PAYMENT-REQUIRED says, or send an API key in X-API-Key.',
  )
}

/** From here on its payer may have paid, and is owed what came of it. */
const READ: ReadonlySet<PaymentState> = new Set(['worked', 'unknown', 'settled', 'failed'])

/** What a payment would mend. */
const PAYABLE: ReadonlySet<string> = new Set([
  'API_KEY_REQUIRED',
  'PAYMENT_REJECTED',
  'PAYMENT_REQUIRED',
  'SCAN_BALANCE_EMPTY',
])

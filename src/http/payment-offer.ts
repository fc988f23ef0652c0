import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/errors.ts'
import { readPaymentSignature, versionUnsupported } from '#rules/payment-signature.ts'
import { type PaymentPayload, paymentRequiredHeader } from '#rules/photo-payment.ts'

/** How photos are paid for over HTTP: what is offered in headers, and what comes back in them. */
export function openPaymentOffer({ config, now }: Pick<Deps, 'config' | 'now'>) {
  const { x402: terms, publicUrl } = config
  const offer = terms && paymentRequiredHeader(terms, publicUrl)

  return {
    /**
     * The payment that a request brings; undefined: none, or none are taken here.
     *
     * @throws ServiceError PAYMENT_INVALID, PAYMENT_VERSION_UNSUPPORTED or PAYMENT_REJECTED
     */
    in({ headers }: Request): PaymentPayload | undefined {
      if (terms === undefined) return undefined
      const signature = headers.get('payment-signature')
      if (signature !== null)
        return readPaymentSignature(signature, { terms, publicUrl, now: now() })
      if (headers.has('x-payment')) throw versionUnsupported()
      return undefined
    },
    /** Clients of x402 act upon 402 alone, and say in the address that they would pay. */
    isAskedFor(request: Request): boolean {
      return terms !== undefined && new URL(request.url).searchParams.get('payment') === 'x402'
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

/** What a payment would mend. */
const PAYABLE: ReadonlySet<string> = new Set([
  'API_KEY_REQUIRED',
  'PAYMENT_REJECTED',
  'PAYMENT_REQUIRED',
  'SCAN_BALANCE_EMPTY',
])

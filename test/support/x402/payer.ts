import {
  decodePaymentRequiredHeader,
  decodePaymentResponseHeader,
  encodePaymentSignatureHeader,
} from '@x402/core/http'
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Address, Hex, LocalAccount } from 'viem'
import { NETWORK, PHOTO_PRICE } from './chain.ts'

export type Payer = ReturnType<typeof createPayer>

/** Creates a buyer with the official client, who pays with one asset, and never more than a photo costs. */
export function createPayer(account: LocalAccount, asset: Address) {
  const scheme = new ExactEvmScheme(account)
  const allowed = { network: NETWORK, asset, maxAmountPerPayment: String(PHOTO_PRICE) }
  const client = new x402Client()
    .register(NETWORK, scheme)
    .setSpendControls({ allowedAssets: [allowed] })
  return {
    address: account.address,
    /** Like `fetch`, but pays if the server requires it. */
    fetch: wrapFetchWithPayment(fetch, client),
    /** Signs a payment with the official client, to be sent separately. */
    sign: (paymentRequired: PaymentRequired): Promise<PaymentPayload> =>
      client.createPaymentPayload(paymentRequired),
    /** Creates a payment that claims to accept the required terms, with a valid signature of the terms `instead`. */
    async signInstead(
      paymentRequired: PaymentRequired,
      instead: Partial<PaymentRequirements>,
    ): Promise<PaymentPayload> {
      const accepted = firstOffer(paymentRequired)
      const signed = await scheme.createPaymentPayload(2, { ...accepted, ...instead })
      return {
        x402Version: 2,
        resource: paymentRequired.resource,
        accepted,
        payload: signed.payload,
      }
    },
  }
}

/** Returns the payment terms of a response. */
export function paymentRequiredIn(response: Response): PaymentRequired {
  return decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '')
}

/** Returns the settlement of a response. */
export function paymentResponseIn(response: Response) {
  return decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
}

export function firstOffer(paymentRequired: PaymentRequired): PaymentRequirements {
  const [first] = paymentRequired.accepts
  if (first === undefined) throw new Error('nothing is accepted')
  return first
}

/** Returns the header that pays. */
export function paymentHeaders(payment: PaymentPayload): { 'payment-signature': string } {
  return { 'payment-signature': encodePaymentSignatureHeader(payment) }
}

/** The authorization in a payment of the scheme `exact`. */
export type Authorization = {
  from: Address
  to: Address
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
}

export function authorizationOf({ payload }: PaymentPayload): Authorization {
  // The official client has just created it.
  return (payload as { authorization: Authorization }).authorization
}

/** Changes the signed terms of a payment, and keeps the signature. */
export function tamperWith(
  payment: PaymentPayload,
  change: Partial<Authorization>,
): PaymentPayload {
  const authorization = { ...authorizationOf(payment), ...change }
  return { ...payment, payload: { ...payment.payload, authorization } }
}

import { createHash } from 'node:crypto'
import type { PriceChoice } from '../pricing/price-view.ts'
import { PHOTO_PRICE_ATOMIC } from './photo-price.ts'

// Payment of single photos over HTTP 402 (x402, version 2): offers, payments and their ids.

export const X402_VERSION = 2

/** Seconds for which clients are asked to make a payment valid. */
const VALID_FOR_SECONDS = 120

/** Path of photo identification, with a payment or an API key. */
export const PAID_PATH = '/v1/identify'

/** Payee and token: the operator's settings. */
export type PaymentTerms = {
  payTo: string
  network: string
  asset: string
  assetName: string
  assetVersion: string
}

/** Terms of a payment, with the member names of the protocol. */
export type PaymentRequirement = {
  scheme: 'exact'
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}

/** Permission to transfer a sum once (EIP-3009). Times are epoch seconds, as strings. */
export type Authorization = {
  from: string
  to: string
  value: string
  validAfter: string
  validBefore: string
  nonce: string
}

/** A payment, as a facilitator expects it. */
export type PaymentPayload = {
  x402Version: typeof X402_VERSION
  resource: PaidResource
  accepted: PaymentRequirement
  payload: { signature: string; authorization: Authorization }
}

type PaidResource = { url: string; description: string; mimeType: string }

/** Settlement details for the payer. */
export type Settlement = {
  success: true
  transaction: string
  network: string
  payer: string
  amount: string
}

export function paymentRequirement(terms: PaymentTerms): PaymentRequirement {
  return {
    scheme: 'exact',
    network: terms.network,
    amount: PHOTO_PRICE_ATOMIC,
    asset: terms.asset,
    payTo: terms.payTo,
    maxTimeoutSeconds: VALID_FOR_SECONDS,
    extra: { name: terms.assetName, version: terms.assetVersion },
  }
}

export function paidResource(publicUrl: string): PaidResource {
  return {
    url: `${publicUrl}${PAID_PATH}`,
    description: 'Identifies one trading card from one photo.',
    mimeType: 'application/json',
  }
}

/** Formats the header `PAYMENT-REQUIRED`: the offer for one photo. */
export function paymentRequiredHeader(terms: PaymentTerms, publicUrl: string): string {
  return encodeHeader({
    x402Version: X402_VERSION,
    resource: paidResource(publicUrl),
    accepts: [paymentRequirement(terms)],
  })
}

/** Encodes a JSON value for a header of the protocol. */
export function encodeHeader(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

export function createSettlement(payment: PaymentPayload, transaction: string): Settlement {
  const { network, amount } = payment.accepted
  const payer = payment.payload.authorization.from
  return { success: true, transaction, network, payer, amount }
}

/** Computes the id of a payment, because a token accepts each nonce of a payer only once. */
export function computePaymentId({
  accepted,
  payload,
}: {
  accepted: { network?: unknown; asset?: unknown }
  payload: PaymentPayload['payload']
}): string {
  const { from, nonce } = payload.authorization
  return sha256([accepted.network, accepted.asset, from, nonce].join('|').toLowerCase())
}

type PhotoOptions = {
  game: string | undefined
  prices: boolean
  confidence?: boolean
  choice?: PriceChoice
}

/** Computes the identity of the request: another photo or other options are another request. */
export function computeRequestFingerprint(
  photo: Uint8Array,
  { game, prices, confidence = false, choice }: PhotoOptions,
): string {
  // Without a choice of prices or their confidence, the text is the same as before these options existed.
  const options = { game: game ?? null, prices, ...(confidence && { confidence }), ...choice }
  return sha256(JSON.stringify(options), '\n', photo)
}

function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

import { createHash } from 'node:crypto'

// A photo paid by itself over HTTP 402 (x402, protocol version 2): what is asked for, what is sent, and
// by what a payment is known again.

/** What one photo costs (specification, Photo identification), and the same in a token of 6 decimals. */
export const PHOTO_PRICE_DOLLARS = 0.02
export const PHOTO_PRICE_ATOMIC = '20000'
export const TOKEN_DECIMALS = 6

export const X402_VERSION = 2

/** Seconds that a client is told to make its payment valid for. */
export const VALID_FOR_SECONDS = 120

/** Where photos are sent, with a payment as with a key. */
export const PAID_PATH = '/v1/identify'

/** Who is paid, and in which token: the operator's settings. */
export type PaymentTerms = {
  payTo: string
  network: string
  asset: string
  assetName: string
  assetVersion: string
}

/** What a payment must meet, in the words of the protocol, which writes them so. */
export type PaymentRequirement = {
  scheme: 'exact'
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}

/** Leave to move a sum once (EIP-3009); addresses and numbers as texts, times as epoch seconds. */
export type Authorization = {
  from: string
  to: string
  value: string
  validAfter: string
  validBefore: string
  nonce: string
}

/** A payment as a facilitator takes it. */
export type PaymentPayload = {
  x402Version: typeof X402_VERSION
  resource: PaidResource
  accepted: PaymentRequirement
  payload: { signature: string; authorization: Authorization }
}

type PaidResource = { url: string; description: string; mimeType: string }

/** What a payer is told of a payment that was settled. */
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

/** What the header `PAYMENT-REQUIRED` says: how one photo can be paid. */
export function paymentRequiredHeader(terms: PaymentTerms, publicUrl: string): string {
  return encodeHeader({
    x402Version: X402_VERSION,
    resource: paidResource(publicUrl),
    accepts: [paymentRequirement(terms)],
  })
}

/** A JSON value as the protocol writes it into headers. */
export function encodeHeader(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64')
}

export function createSettlement(payment: PaymentPayload, transaction: string): Settlement {
  const { network, amount } = payment.accepted
  const payer = payment.payload.authorization.from
  return { success: true, transaction, network, payer, amount }
}

/**
 * By what a payment is known again: a token takes one payer's nonce once, whatever else is signed with
 * it, so that the same payment has the same id.
 */
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

/** Of what is paid for: another photo, or other options, is another request. */
export function computeRequestFingerprint(
  photo: Uint8Array,
  { game, prices }: { game: string | undefined; prices: boolean },
): string {
  return sha256(JSON.stringify({ game: game ?? null, prices }), '\n', photo)
}

function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

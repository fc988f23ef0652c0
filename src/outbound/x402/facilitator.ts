import { isRecord } from '#rules/primitives/json-record.ts'
import type { PaymentPayload } from '#rules/x402/x402-protocol.ts'
import { type PostResult, postJson } from '../net/json-post.ts'

/** Result of a verification. `reason` is the unchanged code of the facilitator. */
export type VerifyResult =
  | { kind: 'valid' }
  | { kind: 'invalid'; reason: string }
  | { kind: 'unclear'; why: string }

/** Result of a settlement. Only `settled` is reliable (docs/decisions/0016). */
export type SettleResult =
  | { kind: 'settled'; transaction: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'unclear'; why: string }

/** Service that verifies payments and settles them on the chain (x402, version 2). */
export type Facilitator = {
  verify(payment: PaymentPayload): Promise<VerifyResult>
  settle(payment: PaymentPayload): Promise<SettleResult>
}

/** @param url root URL without a trailing slash */
export function openFacilitator(
  url: string,
  { verifyMs = VERIFY_MS, settleMs = SETTLE_MS } = {},
): Facilitator {
  function post(path: string, paymentPayload: PaymentPayload, timeoutMs: number) {
    const { x402Version, accepted } = paymentPayload
    const body = { x402Version, paymentPayload, paymentRequirements: accepted }
    const limits = { server: 'the facilitator', timeoutMs, bytesMax: BYTES_MAX }
    return postJson(`${url}/${path}`, body, limits)
  }

  return {
    verify: async (payment) => parseVerification(await post('verify', payment, verifyMs), payment),
    settle: async (payment) => parseSettlement(await post('settle', payment, settleMs), payment),
  }
}

const VERIFY_MS = 10_000
/** The facilitator waits for a block. */
const SETTLE_MS = 30_000
const BYTES_MAX = 64 * 1024

function parseVerification(result: PostResult, payment: PaymentPayload): VerifyResult {
  if (result.kind === 'unclear') return result
  const { status, value } = result
  if (!isRecord(value)) return unexpected(status)
  const { isValid, payer } = value
  if (isValid === true && status === 200 && isPayer(payer, payment)) return { kind: 'valid' }
  // Some facilitators reject with a 4xx status. A server error does not mean that the payment is invalid.
  if (isValid === false && isDefinite(status)) {
    return { kind: 'invalid', reason: parseReason(value.invalidReason) }
  }
  return unexpected(status)
}

function parseSettlement(result: PostResult, payment: PaymentPayload): SettleResult {
  if (result.kind === 'unclear') return result
  const { status, value } = result
  if (!isRecord(value)) return unexpected(status)
  const { success, transaction } = value
  if (success === true && status === 200 && isPayer(value.payer, payment) && isHash(transaction)) {
    return { kind: 'settled', transaction }
  }
  if (success === false) return { kind: 'refused', reason: parseReason(value.errorReason) }
  return unexpected(status)
}

function isDefinite(status: number): boolean {
  return status === 200 || (status >= 400 && status < 500 && status !== 408 && status !== 429)
}

function isPayer(payer: unknown, { payload }: PaymentPayload): boolean {
  if (payer === undefined || payer === null || payer === '') return true
  return typeof payer === 'string' && payer.toLowerCase() === payload.authorization.from
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}

/** Accepts only plain codes, because the reason appears in messages and the log. */
function parseReason(value: unknown): string {
  return typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value) ? value : 'no_reason_given'
}

function unexpected(status: number): { kind: 'unclear'; why: string } {
  return { kind: 'unclear', why: `the facilitator responded with ${status}, which is not expected` }
}

import { ServiceError } from '../primitives/errors.ts'
import { isRecord } from '../primitives/json-record.ts'
import {
  type Authorization,
  type PaymentPayload,
  type PaymentRequirement,
  type PaymentTerms,
  paidResource,
  paymentRequirement,
  X402_VERSION,
} from './x402-protocol.ts'

/** Official clients send about 1,100 characters; smart wallets may send several thousand. */
export const PAYMENT_HEADER_LENGTH_MAX = 8_192

/** With less time left, the payment may expire before it is settled. */
const VALID_SECONDS_MIN = 30

/** Allows for clock differences. A longer validity would have to be tracked for longer. */
const VALID_SECONDS_MAX = 600

/** Data for the validation of a payment. */
export type PaymentContext = { terms: PaymentTerms; publicUrl: string; now: Date }

/** A parsed payment, not yet validated. */
export type SentPayment = {
  accepted: Record<string, unknown>
  payload: PaymentPayload['payload']
}

/**
 * Parses the header `PAYMENT-SIGNATURE`. The result is rebuilt from the parsed fields, with
 * addresses in lower case, so nothing else in the header is passed on.
 *
 * @throws ServiceError PAYMENT_INVALID if the header is malformed, PAYMENT_VERSION_UNSUPPORTED for
 *   another version
 */
export function parsePaymentHeader(header: string): SentPayment {
  const sent = parseObject(header)
  if (sent.x402Version === 1) throw unsupportedPaymentVersion()
  if (sent.x402Version !== X402_VERSION) throw invalid('"x402Version" must be 2.')
  const { accepted, payload } = sent
  if (!isRecord(accepted))
    throw invalid('"accepted" is missing. Copy the offer from PAYMENT-REQUIRED.')
  if (!isRecord(payload)) throw invalid('"payload" is missing.')
  const { signature } = payload
  const authorization = parseAuthorization(payload.authorization)
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) {
    throw invalid('"payload.signature" must be 0x and the hexadecimal digits of at least 65 bytes.')
  }
  return { accepted, payload: { signature: signature.toLowerCase(), authorization } }
}

/**
 * Validates a payment against the current offer.
 *
 * @throws ServiceError PAYMENT_REJECTED if the terms or times differ; an expired payment may
 *   already have paid (`assertTimeLeft`)
 */
export function validatePayment(sent: SentPayment, setting: PaymentContext): PaymentPayload {
  const requirement = paymentRequirement(setting.terms)
  assertAccepted(sent.accepted, requirement)
  assertPays(sent.payload.authorization, requirement)
  assertTimes(sent.payload.authorization, setting.now)
  return {
    x402Version: X402_VERSION,
    resource: paidResource(setting.publicUrl),
    accepted: requirement,
    payload: sent.payload,
  }
}

/** Error for `X-PAYMENT`, the header of version 1. */
export function unsupportedPaymentVersion(): ServiceError {
  return new ServiceError(
    'PAYMENT_VERSION_UNSUPPORTED',
    'X-PAYMENT is not supported. Use x402 version 2: read PAYMENT-REQUIRED and send PAYMENT-SIGNATURE.',
  )
}

function parseObject(header: string): Record<string, unknown> {
  if (header.length > PAYMENT_HEADER_LENGTH_MAX) {
    throw invalid(`it must be at most ${PAYMENT_HEADER_LENGTH_MAX} characters long.`)
  }
  const value = parsed(decodeBase64(header))
  if (!isRecord(value)) throw invalid('it must be a base64-encoded JSON object.')
  return value
}

function decodeBase64(text: string): Uint8Array {
  const bytes = strictBase64(text)
  // The decoder skips blanks; then the text is longer than its bytes.
  if (bytes !== undefined && text.length === Math.ceil(bytes.length / 3) * 4) return bytes
  throw invalid('it must be padded base64 without spaces.')
}

function strictBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' })
  } catch {
    return undefined
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('it must be a base64-encoded JSON object.')
  }
}

const ADDRESS = /^0x[0-9a-f]{40}$/i
const NONCE = /^0x[0-9a-f]{64}$/i
const SIGNATURE = /^0x(?:[0-9a-f]{2}){65,}$/i
/** A 256-bit number has at most 78 digits. */
const DECIMAL = /^(?:0|[1-9]\d{0,77})$/

const FIELD_FORMATS: Record<keyof Authorization, [pattern: RegExp, expected: string]> = {
  from: [ADDRESS, '0x and 40 hexadecimal digits'],
  to: [ADDRESS, '0x and 40 hexadecimal digits'],
  value: [DECIMAL, 'a whole number as a string'],
  validAfter: [DECIMAL, 'a whole number as a string'],
  validBefore: [DECIMAL, 'a whole number as a string'],
  nonce: [NONCE, '0x and 64 hexadecimal digits'],
}

function parseAuthorization(value: unknown): Authorization {
  if (!isRecord(value)) throw invalid('"payload.authorization" is missing.')
  const field = (name: keyof Authorization): string => {
    const [pattern, expected] = FIELD_FORMATS[name]
    const text = value[name]
    if (typeof text === 'string' && pattern.test(text)) return text.toLowerCase()
    throw invalid(`"payload.authorization.${name}" must be ${expected}.`)
  }
  return {
    from: field('from'),
    to: field('to'),
    value: field('value'),
    validAfter: field('validAfter'),
    validBefore: field('validBefore'),
    nonce: field('nonce'),
  }
}

/** Requires that each accepted member equals the offered one. */
function assertAccepted(accepted: Record<string, unknown>, offered: PaymentRequirement): void {
  const { extra: _, ...core } = offered
  for (const [name, wanted] of Object.entries(core)) {
    if (!isSame(accepted[name], wanted)) throw differentOffer(name, wanted)
  }
  const extra = isRecord(accepted.extra) ? accepted.extra : {}
  for (const [name, wanted] of Object.entries(offered.extra)) {
    if (extra[name] !== wanted) throw differentOffer(`extra.${name}`, wanted)
  }
  const more = [
    ...Object.keys(accepted).filter((name) => !(name in offered)),
    ...Object.keys(extra).filter((name) => !(name in offered.extra)),
  ]
  if (more.length > 0) throw rejected('"accepted" has members that are not in the offer.')
}

function isSame(actual: unknown, wanted: string | number): boolean {
  if (typeof wanted === 'string' && typeof actual === 'string' && ADDRESS.test(wanted)) {
    return actual.toLowerCase() === wanted.toLowerCase()
  }
  return actual === wanted
}

function assertPays(authorization: Authorization, { payTo, amount }: PaymentRequirement): void {
  if (authorization.to !== payTo.toLowerCase()) throw rejected(`the payee must be ${payTo}.`)
  if (authorization.value !== amount) {
    throw rejected(`the amount is ${authorization.value}, but must be exactly ${amount}.`)
  }
}

function assertTimes({ validAfter, validBefore }: Authorization, now: Date): void {
  const seconds = epochSeconds(now)
  if (BigInt(validAfter) > seconds) throw rejected('it is not valid yet. Check your clock.')
  if (BigInt(validBefore) - seconds > VALID_SECONDS_MAX) {
    throw rejected(`it must expire within ${VALID_SECONDS_MAX} seconds.`)
  }
}

/**
 * Requires that a payment is valid for long enough to read a photo. A payment that has already paid need not be,
 * because its result is stored.
 *
 * @throws ServiceError PAYMENT_REJECTED
 */
export function assertTimeLeft({ payload }: PaymentPayload, now: Date): void {
  if (BigInt(payload.authorization.validBefore) - epochSeconds(now) >= VALID_SECONDS_MIN) return
  throw rejected(`it must be valid for at least ${VALID_SECONDS_MIN} more seconds.`)
}

function epochSeconds(time: Date): bigint {
  return BigInt(Math.floor(time.getTime() / 1_000))
}

function differentOffer(name: string, wanted: string | number): ServiceError {
  return rejected(`"accepted.${name}" must be ${wanted}, as offered.`)
}

function invalid(problem: string): ServiceError {
  return new ServiceError('PAYMENT_INVALID', `The PAYMENT-SIGNATURE header is invalid: ${problem}`)
}

function rejected(problem: string): ServiceError {
  return new ServiceError(
    'PAYMENT_REJECTED',
    `The payment was rejected: ${problem} Sign a new payment; nothing was charged.`,
  )
}

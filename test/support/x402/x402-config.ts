// Fakes of the external services for photo payments: the facilitator and the chain.

import type { PaymentTrace } from '#outbound/x402/chain.ts'
import type { SettleResult, VerifyResult } from '#outbound/x402/facilitator.ts'
import type { X402Clients } from '#outbound/x402/x402.ts'
import {
  type PaymentContext,
  parsePaymentHeader,
  validatePayment,
} from '#rules/x402/x402-payment-header.ts'
import {
  type Authorization,
  encodeHeader,
  type PaymentPayload,
  type PaymentTerms,
  paymentRequirement,
} from '#rules/x402/x402-protocol.ts'

/** The operator's settings as environment variables, and their parsed form. */
export const X402_ENV = {
  X402_PAY_TO: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  X402_FACILITATOR_URL: 'https://facilitator.example/x402',
  X402_NETWORK: 'eip155:84532',
}

export const TERMS: PaymentTerms = {
  payTo: X402_ENV.X402_PAY_TO,
  network: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  assetName: 'USDC',
  assetVersion: '2',
}

export const PAYER = `0x${'ab'.repeat(20)}`

let nonces = 0

/** Creates a payment as a client sends it, with a fake signature, which only a facilitator would check. */
export function createPayment(
  now: Date,
  { payload = {}, accepted = {}, ...rest }: PaymentChanges = {},
): Record<string, unknown> {
  const seconds = Math.floor(now.getTime() / 1_000)
  const authorization = {
    from: PAYER,
    to: TERMS.payTo,
    value: '20000',
    validAfter: '0',
    validBefore: String(seconds + 120),
    nonce: `0x${(++nonces).toString(16).padStart(64, '0')}`,
    ...payload,
  }
  return {
    x402Version: 2,
    accepted: { ...paymentRequirement(TERMS), ...accepted },
    payload: { signature: `0x${'1b'.repeat(65)}`, authorization },
    ...rest,
  }
}

type PaymentChanges = {
  payload?: Partial<Record<keyof Authorization, unknown>>
  accepted?: Record<string, unknown>
  [member: string]: unknown
}

/** Creates the header of a payment. */
export const paymentHeader = (now: Date, changes: PaymentChanges = {}): string =>
  encodeHeader(createPayment(now, changes))

export type FakeX402 = X402Clients & {
  verified: PaymentPayload[]
  settled: PaymentPayload[]
  /** Read from the chain. */
  traced: number
  /** Moved money: the transaction of each nonce. */
  moved: Map<string, string>
  /** Moves the money once per nonce, like a chain. */
  move(payment: PaymentPayload): string
  /** Overrides the services' behavior; everything else is correct. */
  script(next: Script): void
}

export type Script = {
  verify?: (payment: PaymentPayload) => VerifyResult | Promise<VerifyResult>
  settle?: (payment: PaymentPayload) => SettleResult | Promise<SettleResult>
  trace?: (nonce: string) => PaymentTrace | Promise<PaymentTrace>
}

/** @param now time of the chain's newest block */
export function fakeX402(now: () => Date): FakeX402 {
  const moved = new Map<string, string>()
  let current: Script = {}
  const nonceOf = ({ payload }: PaymentPayload) => payload.authorization.nonce

  function move(payment: PaymentPayload): string {
    const known = moved.get(nonceOf(payment))
    if (known !== undefined) throw new Error('a chain takes a nonce once')
    const transaction = `0x${(moved.size + 1).toString(16).padStart(64, '0')}`
    moved.set(nonceOf(payment), transaction)
    return transaction
  }

  const fake: FakeX402 = {
    verified: [],
    settled: [],
    traced: 0,
    moved,
    move,
    script(next) {
      current = next
    },
    facilitator: {
      async verify(payment) {
        fake.verified.push(payment)
        if (current.verify) return current.verify(payment)
        if (moved.has(nonceOf(payment))) return { kind: 'invalid', reason: 'nonce_already_used' }
        return { kind: 'valid' }
      },
      async settle(payment) {
        fake.settled.push(payment)
        if (current.settle) return current.settle(payment)
        // The real facilitator reports this for a nonce that its own earlier transaction used.
        if (moved.has(nonceOf(payment))) return { kind: 'refused', reason: 'transaction_failed' }
        return { kind: 'settled', transaction: move(payment) }
      },
    },
    chain: {
      async trace({ nonce }) {
        fake.traced++
        if (current.trace) return current.trace(nonce)
        const transaction = moved.get(nonce)
        if (transaction !== undefined) return { kind: 'paid', transaction }
        return { kind: 'unused', time: Math.floor(now().getTime() / 1_000) }
      },
    },
  }
  return fake
}

/** Parses the payment in a header, and compares it with the requirements. */
export function readPaymentSignature(header: string, setting: PaymentContext): PaymentPayload {
  return validatePayment(parsePaymentHeader(header), setting)
}

import { describe, expect, test } from 'bun:test'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { assertTimeLeft, PAYMENT_HEADER_LENGTH_MAX } from '#rules/x402/x402-payment-header.ts'
import {
  computePaymentId,
  computeRequestFingerprint,
  encodeHeader,
  paymentRequiredHeader,
} from '#rules/x402/x402-protocol.ts'
import { SEED } from '../../support/random.ts'
import { FROZEN_TIME, PUBLIC_URL } from '../../support/test-app.ts'
import {
  createPayment,
  paymentHeader,
  readPaymentSignature,
  TERMS,
} from '../../support/x402/x402-config.ts'

const NOW = new Date(FROZEN_TIME)
const SECONDS = NOW.getTime() / 1_000

const read = (header: string, now = NOW) =>
  readPaymentSignature(header, { terms: TERMS, publicUrl: PUBLIC_URL, now })

function refusalOf(header: string): [code: string, message: string] {
  try {
    assertTimeLeft(read(header), NOW)
  } catch (error) {
    if (error instanceof ServiceError) return [error.code, error.message]
    throw error
  }
  return ['taken', '']
}

describe('a payment', () => {
  test('created by the official client is parsed', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const client = registerExactEvmScheme(new x402Client(), { signer: account })
    const offer = decodePaymentRequiredHeader(paymentRequiredHeader(TERMS, PUBLIC_URL))
    expect(offer.resource?.url).toBe(`${PUBLIC_URL}/v1/identify`)
    const made = await client.createPaymentPayload(offer)
    const header = encodePaymentSignatureHeader(made)
    expect(header.length).toBeLessThan(PAYMENT_HEADER_LENGTH_MAX / 4)

    const payment = read(header, new Date())
    const { authorization } = payment.payload
    expect(authorization.from).toBe(account.address.toLowerCase())
    expect(payment.accepted as unknown).toEqual(made.accepted)
    expect(authorization).toMatchObject({ value: '20000', validAfter: '0' })
    expect(payment.payload.signature).toBe(String(made.payload.signature).toLowerCase())
  })

  test('in another letter case is the same one', () => {
    const sent = createPayment(NOW, { payload: { nonce: `0x${'0a'.repeat(32)}` } })
    const upper = JSON.parse(
      JSON.stringify(sent, (_name, value) =>
        typeof value === 'string' && /^0x[0-9a-f]{40,}$/i.test(value)
          ? `0x${value.slice(2).toUpperCase()}`
          : value,
      ),
    )
    expect(read(encodeHeader(upper))).toEqual(read(encodeHeader(sent)))
    expect(computePaymentId(read(encodeHeader(upper)))).toBe(
      computePaymentId(read(encodeHeader(sent))),
    )
  })

  test('passes on checked fields only', () => {
    const sent = createPayment(NOW, {
      extensions: { a: 1 },
      resource: { url: 'https://b.example' },
    })
    expect(Object.keys(read(encodeHeader(sent)))).toEqual([
      'x402Version',
      'resource',
      'accepted',
      'payload',
    ])
    expect(read(encodeHeader(sent)).resource.url).toBe(`${PUBLIC_URL}/v1/identify`)
  })

  test('is identified by network, token, payer and nonce only', () => {
    const nonce = `0x${'0c'.repeat(32)}`
    const idOf = (payload: Record<string, unknown>) =>
      computePaymentId(read(paymentHeader(NOW, { payload: { nonce, ...payload } })))
    const id = idOf({})
    expect(idOf({ validBefore: String(SECONDS + 60) })).toBe(id)
    expect(idOf({ nonce: `0x${'0d'.repeat(32)}` })).not.toBe(id)
    expect(idOf({ from: `0x${'cd'.repeat(20)}` })).not.toBe(id)
  })
})

describe('PAYMENT_INVALID rejects', () => {
  const payload = (members: Record<string, unknown>) => paymentHeader(NOW, { payload: members })
  const sent = createPayment(NOW) as { payload: object }

  test.each([
    ['no text', '', 'base64'],
    ['no base64', '{"x402Version":2}', 'base64'],
    ['base64 with blanks', ` ${paymentHeader(NOW)}`, 'base64'],
    ['base64 that is not padded', Buffer.from('{"a":1}').toString('base64url'), 'base64'],
    ['no JSON', Buffer.from('payment').toString('base64'), 'JSON'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('base64'), 'JSON'],
    ['no object', encodeHeader([1]), 'JSON'],
    ['null', Buffer.from('null').toString('base64'), 'JSON'],
    ['too long', paymentHeader(NOW, { more: 'x'.repeat(8_000) }), '8192'],
    ['of no version', encodeHeader({ ...sent, x402Version: '2' }), 'x402Version'],
    ['without what it accepts', encodeHeader({ ...sent, accepted: 'all' }), 'accepted'],
    ['without a payload', encodeHeader({ ...sent, payload: null }), 'payload'],
    [
      'without an authorization',
      encodeHeader({ ...sent, payload: { signature: '0x' } }),
      'authorization',
    ],
    [
      'without a signature',
      encodeHeader({ ...sent, payload: { ...sent.payload, signature: '0x12' } }),
      'signature',
    ],
    [
      'of half a byte',
      encodeHeader({ ...sent, payload: { ...sent.payload, signature: `0x${'1'.repeat(131)}` } }),
      'signature',
    ],
    ['from nobody', payload({ from: `0x${'a'.repeat(39)}` }), 'from'],
    ['to a name', payload({ to: 'vitalik.eth' }), 'to'],
    ['of a number', payload({ value: 20000 }), 'value'],
    ['below 0', payload({ value: '-20000' }), 'value'],
    ['of a fraction', payload({ value: '20000.0' }), 'value'],
    ['hexadecimal', payload({ value: '0x4e20' }), 'value'],
    ['with zeros before', payload({ value: '020000' }), 'value'],
    ['with a long number', payload({ validAfter: '9'.repeat(79) }), 'validAfter'],
    ['without an end', payload({ validBefore: null }), 'validBefore'],
    ['with a short nonce', payload({ nonce: `0x${'1'.repeat(63)}` }), 'nonce'],
  ])('a header: %s', (_what, header, names) => {
    const [code, message] = refusalOf(header)
    expect([code, message]).toEqual(['PAYMENT_INVALID', expect.stringContaining(names)])
  })
})

describe('PAYMENT_REJECTED rejects', () => {
  const at = (seconds: number) => String(SECONDS + seconds)

  test.each([
    ['less', { payload: { value: '19999' } }, 'must be exactly 20000'],
    ['more', { payload: { value: '20001' } }, 'must be exactly 20000'],
    ['to somebody else', { payload: { to: `0x${'99'.repeat(20)}` } }, 'payee must be'],
    ['not valid yet', { payload: { validAfter: at(1) } }, 'not valid yet'],
    ['over', { payload: { validBefore: at(-1) } }, 'at least 30 more seconds'],
    ['over soon', { payload: { validBefore: at(29) } }, 'at least 30 more seconds'],
    ['valid for long', { payload: { validBefore: at(601) } }, 'within 600 seconds'],
    ['valid for ever', { payload: { validBefore: '9'.repeat(78) } }, 'within 600 seconds'],
    ['of another scheme', { accepted: { scheme: 'upto' } }, 'scheme'],
    ['of another network', { accepted: { network: 'eip155:8453' } }, 'network'],
    ['for another amount', { accepted: { amount: '1' } }, 'amount'],
    ['for a number', { accepted: { amount: 20000 } }, 'amount'],
    ['of another token', { accepted: { asset: `0x${'77'.repeat(20)}` } }, 'asset'],
    ['for another payee', { accepted: { payTo: `0x${'77'.repeat(20)}` } }, 'payTo'],
    ['for longer', { accepted: { maxTimeoutSeconds: 121 } }, 'maxTimeoutSeconds'],
    [
      'of another domain',
      { accepted: { extra: { name: 'USD Coin', version: '2' } } },
      'extra.name',
    ],
    [
      'of another version of it',
      { accepted: { extra: { name: 'USDC', version: '1' } } },
      'extra.version',
    ],
    ['of none', { accepted: { extra: null } }, 'extra.name'],
    [
      'with more',
      { accepted: { extra: { name: 'USDC', version: '2', more: 1 } } },
      'not in the offer',
    ],
    ['with more of it', { accepted: { outputSchema: {} } }, 'not in the offer'],
  ])('a payment: %s', (_what, changes, reason) => {
    const [code, message] = refusalOf(paymentHeader(NOW, changes))
    expect([code, message]).toEqual(['PAYMENT_REJECTED', expect.stringContaining(reason)])
  })

  test('no payment at the exact limits', () => {
    for (const payload of [
      { validAfter: at(0) },
      { validBefore: at(30) },
      { validBefore: at(600) },
    ]) {
      expect(refusalOf(paymentHeader(NOW, { payload }))).toEqual(['taken', ''])
    }
  })
})

test('version 1 is rejected in favor of version 2', () => {
  expect(refusalOf(encodeHeader({ x402Version: 1, scheme: 'exact' }))).toEqual([
    'PAYMENT_VERSION_UNSUPPORTED',
    expect.stringContaining('version 2'),
  ])
})

describe('any header', () => {
  test('is parsed or rejected, never an internal error', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.base64String())
    const json = fc.json({ maxDepth: 6 }).map((value) => Buffer.from(value).toString('base64'))
    fc.assert(
      fc.property(fc.oneof(text, json), (header) => {
        expect(refusalOf(header)[0]).toMatch(/^PAYMENT_/)
      }),
      { seed: SEED, numRuns: 1_000 },
    )
  })

  test('a payment with any changed member is rejected', () => {
    const paths = pathsOf(createPayment(NOW)).filter(
      // Members that may differ: the payer, and the signature, which is not verified here.
      (path) =>
        !['from', 'nonce', 'signature', 'validAfter', 'validBefore'].includes(path.at(-1) ?? ''),
    )
    expect(paths).toHaveLength(11)
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
        const sent = createPayment(NOW)
        const before = JSON.stringify(sent)
        put(sent, path, value)
        if (JSON.stringify(sent) === before) return
        expect(refusalOf(encodeHeader(sent))[0]).toMatch(/^PAYMENT_(INVALID|REJECTED|VERSION)/)
      }),
      { seed: SEED, numRuns: 1_000 },
    )
  })
})

test('the fingerprint covers the photo and its options', () => {
  const photo = new Uint8Array([1, 2, 3])
  const plain = computeRequestFingerprint(photo, { game: undefined, prices: false })
  const others = [
    computeRequestFingerprint(new Uint8Array([1, 2, 4]), { game: undefined, prices: false }),
    computeRequestFingerprint(photo, { game: 'wickerwild', prices: false }),
    computeRequestFingerprint(photo, { game: undefined, prices: true }),
  ]
  expect(new Set([plain, ...others]).size).toBe(4)
  expect(computeRequestFingerprint(photo.slice(), { game: undefined, prices: false })).toBe(plain)
})

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))
}

function put(
  object: Record<string, unknown>,
  [name = '', ...rest]: string[],
  value: unknown,
): void {
  if (rest.length === 0) object[name] = value
  else put(object[name] as Record<string, unknown>, rest, value)
}

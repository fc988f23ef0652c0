// Slow, broken and lying facilitators and nodes, as real servers on their own sockets.
import { describe, expect, test } from 'bun:test'
import { pad, toHex } from 'viem'
import { openChainClient } from '#outbound/x402/chain.ts'
import { openFacilitator } from '#outbound/x402/facilitator.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED, TRANSFER } from '#rules/x402/eip3009.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'
import { FROZEN_TIME, PUBLIC_URL } from '../../support/test-app.ts'
import {
  PAYER,
  paymentHeader,
  readPaymentSignature,
  TERMS,
} from '../../support/x402/x402-config.ts'

const NOW = new Date(FROZEN_TIME)
const payment = readPaymentSignature(paymentHeader(NOW), {
  terms: TERMS,
  publicUrl: PUBLIC_URL,
  now: NOW,
})
const TRANSACTION = `0x${'7a'.repeat(32)}`

function serve(
  answer: (body: Record<string, unknown>, path: string) => Response | Promise<Response>,
) {
  const server = Bun.serve({
    port: 0,
    fetch: async (request) =>
      answer((await request.json()) as Record<string, unknown>, new URL(request.url).pathname),
  })
  closeAfterUse(() => server.stop(true))
  return server.url.origin
}

const DEAD = 'http://127.0.0.1:1'
const late = () => new Promise<Response>(() => {})
const huge = () => new Response(`{"isValid":true,"success":true,"x":"${'x'.repeat(70_000)}"}`)

describe('a facilitator', () => {
  test('receives the payment and its requirements', async () => {
    const seen: unknown[] = []
    const url = serve((body, path) => {
      seen.push([path, body])
      return Response.json({ isValid: true, success: true, transaction: TRANSACTION, payer: PAYER })
    })
    const facilitator = openFacilitator(`${url}/x402`)
    expect(await facilitator.verify(payment)).toEqual({ kind: 'valid' })
    expect(await facilitator.settle(payment)).toEqual({ kind: 'settled', transaction: TRANSACTION })
    const body = { x402Version: 2, paymentPayload: payment, paymentRequirements: payment.accepted }
    expect(seen).toEqual([
      ['/x402/verify', body],
      ['/x402/settle', body],
    ])
  })

  test.each([
    ['no', 200, { isValid: false, invalidReason: 'insufficient_funds' }, 'invalid'],
    ['no, with a status', 402, { isValid: false, invalidReason: 'insufficient_funds' }, 'invalid'],
    ['no, and is broken', 502, { isValid: false }, 'unclear'],
    ['no, because it is busy', 429, { isValid: false }, 'unclear'],
    ['yes, and is broken', 500, { isValid: true }, 'unclear'],
    ['yes, of somebody else', 200, { isValid: true, payer: `0x${'99'.repeat(20)}` }, 'unclear'],
    ['something', 200, { isValid: 'true' }, 'unclear'],
    ['a list', 200, [true], 'unclear'],
    ['nothing', 200, null, 'unclear'],
  ])('that responds with %s is understood', async (_what, status, body, kind) => {
    const url = serve(() => Response.json(body, { status }))
    expect((await openFacilitator(url).verify(payment)).kind as string).toBe(kind)
  })

  test.each([
    ['that it failed', 200, { success: false, errorReason: 'x' }, 'refused'],
    ['that it failed, with a status', 402, { success: false, transaction: '' }, 'refused'],
    ['that it settled, and not how', 200, { success: true, transaction: '' }, 'unclear'],
    ['that it settled, and is broken', 502, { success: true, transaction: TRANSACTION }, 'unclear'],
    [
      'that it settled for another',
      200,
      { success: true, transaction: TRANSACTION, payer: '0x' },
      'unclear',
    ],
    ['nothing', 502, {}, 'unclear'],
  ])('that responds with %s is understood', async (_what, status, body, kind) => {
    const url = serve(() => Response.json(body, { status }))
    expect((await openFacilitator(url).settle(payment)).kind as string).toBe(kind)
  })

  test('passes on plain reason codes only', async () => {
    const reason = async (text: unknown) => {
      const url = serve(() => Response.json({ isValid: false, invalidReason: text }))
      return openFacilitator(url).verify(payment)
    }
    expect(await reason('a.b_c:d-1')).toEqual({ kind: 'invalid', reason: 'a.b_c:d-1' })
    for (const text of ['<script>', 'a b', '', 7, 'x'.repeat(101)]) {
      expect(await reason(text)).toEqual({ kind: 'invalid', reason: 'no_reason_given' })
    }
  })

  test.each([
    ['is away', () => DEAD],
    ['is late', () => serve(late)],
    ['answers too much', () => serve(huge)],
    ['answers no JSON', () => serve(() => new Response('<html>'))],
    ['sends us elsewhere', () => serve(() => Response.redirect('https://elsewhere.example/'))],
  ])('that %s is unclear', async (_what, start) => {
    const facilitator = openFacilitator(start(), { verifyMs: 200, settleMs: 200 })
    expect((await facilitator.verify(payment)).kind).toBe('unclear')
    expect((await facilitator.settle(payment)).kind).toBe('unclear')
  })
})

const { asset } = TERMS
const paidAuthorization = { ...payment.payload.authorization, asset }
const from = pad(PAYER as `0x${string}`)
const nonce = paidAuthorization.nonce
const used = { address: asset, topics: [AUTHORIZATION_USED, from, nonce], data: '0x' }
const moved = {
  address: asset,
  topics: [TRANSFER, from, pad(TERMS.payTo as `0x${string}`)],
  data: pad(toHex(20_000)),
}

/** A node with 5,000 blocks, one every two seconds. */
function node(answers: Record<string, (params: unknown[]) => unknown> = {}) {
  const calls: string[] = []
  const newest = 5_000
  const own: Record<string, (params: unknown[]) => unknown> = {
    eth_chainId: () => toHex(84_532),
    eth_getBlockByNumber: ([tag]) => {
      const number = tag === 'latest' ? newest : Number(tag)
      return { number: toHex(number), timestamp: toHex(1_800_000_000 + 2 * (number - newest)) }
    },
    eth_call: () => pad('0x1'),
    eth_getLogs: () => [{ ...used, transactionHash: TRANSACTION }],
    eth_getTransactionReceipt: () => ({ logs: [used, moved] }),
    ...answers,
  }
  const url = serve(({ id, method, params }) => {
    calls.push(String(method))
    const result = own[String(method)]?.(params as unknown[])
    if (result instanceof Response) return result
    return Response.json({ jsonrpc: '2.0', id, result })
  })
  return { chain: openChainClient(url, TERMS.network), calls }
}

const SINCE = 1_800_000_000 - 180

describe('a chain', () => {
  test('returns the transaction that paid, in six calls', async () => {
    const { chain, calls } = node()
    expect(await chain.trace(paidAuthorization, SINCE)).toEqual({
      kind: 'paid',
      transaction: TRANSACTION,
    })
    expect(calls).toHaveLength(6)
    await chain.trace(paidAuthorization, SINCE)
    expect(calls).toHaveLength(11)
  })

  test('reports an unused authorization with the block time', async () => {
    const { chain } = node({ eth_call: () => pad('0x0') })
    expect(await chain.trace(paidAuthorization, SINCE)).toEqual({
      kind: 'unused',
      time: 1_800_000_000,
    })
  })

  test.each([
    [
      'was canceled',
      {
        eth_getLogs: () => [
          { ...used, topics: [AUTHORIZATION_CANCELED, from, nonce], transactionHash: TRANSACTION },
        ],
      },
      'lost',
    ],
    [
      'paid somebody else',
      {
        eth_getTransactionReceipt: () => ({
          logs: [used, { ...moved, topics: [TRANSFER, from, from] }],
        }),
      },
      'lost',
    ],
    ['left no log', { eth_getLogs: () => [] }, 'untraced'],
    ['has no receipt yet', { eth_getTransactionReceipt: () => null }, 'untraced'],
  ])('reports an authorization that %s', async (_what, answers, kind) => {
    expect((await node(answers).chain.trace(paidAuthorization, SINCE)).kind as string).toBe(kind)
  })

  test.each([
    ['is another one', { eth_chainId: () => toHex(8_453) }],
    ['has no blocks', { eth_getBlockByNumber: () => null }],
    ['has no such token', { eth_call: () => '0x' }],
    ['answers words that are no truth', { eth_call: () => pad('0x2') }],
    ['refuses to look for logs', { eth_getLogs: () => Response.json({ error: { code: -32005 } }) }],
    ['is broken', { eth_call: () => new Response('<html>', { status: 502 }) }],
  ])('whose node %s is unknown, not unpaid', async (_what, answers) => {
    expect((await node(answers).chain.trace(paidAuthorization, SINCE)).kind).toBe('unknown')
  })

  test('whose node is late is unknown, not unpaid', async () => {
    const chain = openChainClient(serve(late), TERMS.network, { timeoutMs: 200 })
    expect((await chain.trace(paidAuthorization, SINCE)).kind).toBe('unknown')
  })

  test('whose node is unreachable is unknown, not unpaid', async () => {
    const trace = await openChainClient(DEAD, TERMS.network).trace(paidAuthorization, SINCE)
    expect(trace).toEqual({
      kind: 'unknown',
      why: expect.stringContaining('the connection failed'),
    })
  })
})

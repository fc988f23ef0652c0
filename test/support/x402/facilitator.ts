import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { x402Facilitator } from '@x402/core/facilitator'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { createWalletClient, http, publicActions } from 'viem'
import { anvil } from 'viem/chains'
import { type Chain, NETWORK } from './chain.ts'

/** A single failure: no response, an error, or a wrong response. */
export type VerifyFault = 'bad gateway' | 'closed'
export type SettleFault =
  /** Fails before it has done anything. */
  | 'bad gateway'
  /** Moves the money, but the response is lost. */
  | 'lost'
  /** Moves the money, but the gateway responds that it is down. */
  | 'lost behind a gateway'
  /** Moves the money, but responds that it did not. */
  | 'denied'

/** Decides whether a request fails; undefined if it works. */
export type FacilitatorScript = {
  verify?: (payment: PaymentPayload) => VerifyFault | undefined
  settle?: (payment: PaymentPayload) => SettleFault | undefined
  /** Called between verification and response, without waiting. */
  afterVerify?: (payment: PaymentPayload) => unknown
  /** Called and awaited before settling, like the response to the next request. */
  beforeSettle?: (payment: PaymentPayload) => unknown
  /** Called after the payment, before anybody knows about it. */
  afterSettle?: (payment: PaymentPayload) => unknown
}

export type Facilitator = Awaited<ReturnType<typeof startFacilitator>>

/**
 * The official facilitator on a chain, behind its own socket, with realistic faults on demand. It
 * uses Node's server, because Bun's cannot close a connection without a response.
 */
export async function startFacilitator(chain: Chain) {
  const wallet = createWalletClient({
    account: await chain.openWallet(),
    chain: anvil,
    transport: http(chain.rpcUrl),
    pollingInterval: 5,
    cacheTime: 0,
  }).extend(publicActions)
  const signer = toFacilitatorEvmSigner({
    address: wallet.account.address,
    // The official type declares less than viem's type requires.
    ...(wallet as unknown as Omit<Parameters<typeof toFacilitatorEvmSigner>[0], 'address'>),
  })
  const official = new x402Facilitator().register(NETWORK, new ExactEvmScheme(signer))

  const counts = { verified: 0, settlements: 0, settled: 0, lost: 0, failed_verify: 0 }
  let script: FacilitatorScript = {}

  async function verify({
    paymentPayload,
    paymentRequirements,
  }: FacilitatorRequest): Promise<FacilitatorAnswer> {
    const fault = script.verify?.(paymentPayload)
    if (fault !== undefined) counts.failed_verify++
    if (fault === 'bad gateway') return BAD_GATEWAY
    if (fault === 'closed') return undefined
    counts.verified++
    const body = await official.verify(paymentPayload, paymentRequirements)
    script.afterVerify?.(paymentPayload)
    return { status: 200, body }
  }

  async function settle({
    paymentPayload,
    paymentRequirements,
  }: FacilitatorRequest): Promise<FacilitatorAnswer> {
    counts.settlements++
    await script.beforeSettle?.(paymentPayload)
    const fault = script.settle?.(paymentPayload)
    if (fault === 'bad gateway') return BAD_GATEWAY
    const body = await official.settle(paymentPayload, paymentRequirements)
    // A refused payment moves no money.
    if (!body.success) return { status: 200, body }
    counts.settled++
    await script.afterSettle?.(paymentPayload)
    if (fault === undefined) return { status: 200, body }
    counts.lost++
    if (fault === 'lost') return undefined
    if (fault === 'lost behind a gateway') return BAD_GATEWAY
    const { network, payer } = body
    const errorReason = 'invalid_exact_evm_transaction_failed'
    return { status: 200, body: { success: false, errorReason, transaction: '', network, payer } }
  }

  async function answer(request: IncomingMessage, path: string): Promise<FacilitatorAnswer> {
    if (path === '/supported') return { status: 200, body: official.getSupported() }
    const sent = JSON.parse(await textOf(request))
    if (path === '/verify') return verify(sent)
    if (path === '/settle') return settle(sent)
    return { status: 404, body: {} }
  }

  const server = createServer((request, response) => {
    answer(request, request.url ?? '').then(
      (found) => send(response, found),
      (error) => send(response, { status: 500, body: { error: String(error) } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens on no port')

  return {
    url: `http://127.0.0.1:${address.port}`,
    counts,
    /** Sets its faults; without a script it works normally. */
    script(next: FacilitatorScript = {}): void {
      script = next
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type FacilitatorRequest = {
  paymentPayload: PaymentPayload
  paymentRequirements: PaymentRequirements
}

/** Undefined if the connection is closed without a response. */
type FacilitatorAnswer = { status: number; body: unknown } | undefined

const BAD_GATEWAY: FacilitatorAnswer = { status: 502, body: { error: 'bad gateway' } }

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

function send(response: ServerResponse, facilitatorAnswer: FacilitatorAnswer): void {
  if (facilitatorAnswer === undefined) return void response.socket?.destroy()
  response.writeHead(facilitatorAnswer.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(facilitatorAnswer.body))
}

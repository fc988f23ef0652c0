import { isRecord } from '#rules/primitives/json-record.ts'
import {
  AUTHORIZATION_USED,
  authorizationStateCall,
  blockRanges,
  type ChainBlock,
  PACE_BLOCKS,
  provesPayment,
  type TokenPayment,
  usedUpTopics,
} from '#rules/x402/eip3009.ts'
import { postJson } from '../net/json-post.ts'

/** State of a payment on the chain. `unknown` if it cannot be determined, which never means "not paid". */
export type PaymentTrace =
  | { kind: 'paid'; transaction: string }
  /** The authorization was canceled or used for something else. */
  | { kind: 'lost' }
  /** The authorization was used, but no log was found, because nodes may differ by some blocks. */
  | { kind: 'untraced' }
  /** Not used before a block with this time, in epoch seconds. */
  | { kind: 'unused'; time: number }
  | { kind: 'unknown'; why: string }

/** Client of a node of the network, over JSON-RPC. */
export type ChainClient = {
  /** Traces a payment that cannot have been settled before `since`, in epoch seconds. */
  trace(payment: TokenPayment, since: number): Promise<PaymentTrace>
}

/** @param network CAIP-2 name; a node of another network is rejected */
export function openChainClient(
  rpcUrl: string,
  network: string,
  { timeoutMs = TIMEOUT_MS } = {},
): ChainClient {
  let isRightChain = false
  let id = 0

  async function call(method: string, params: unknown[]): Promise<unknown> {
    const request = { jsonrpc: '2.0', id: ++id, method, params }
    const limits = { server: 'the node', timeoutMs, bytesMax: BYTES_MAX }
    const posted = await postJson(rpcUrl, request, limits)
    if (posted.kind === 'unclear') throw new NodeError(posted.why)
    const { value, status } = posted
    if (isRecord(value) && 'result' in value && value.error === undefined) return value.result
    throw new NodeError(`the node responded to ${method} with ${status} and no result`)
  }

  async function assertRightChain(): Promise<void> {
    if (isRightChain) return
    const number = parseNumber(await call('eth_chainId', []))
    if (`eip155:${number}` !== network) throw new NodeError(`the node is of eip155:${number}`)
    isRightChain = true
  }

  async function block(tag: string): Promise<ChainBlock> {
    const found = await call('eth_getBlockByNumber', [tag, false])
    if (!isRecord(found)) throw new NodeError(`the node has no block ${tag}`)
    return { number: parseNumber(found.number), time: parseNumber(found.timestamp) }
  }

  async function isUsed(payment: TokenPayment, at: ChainBlock): Promise<boolean> {
    const request = { to: payment.asset, data: authorizationStateCall(payment) }
    const word = await call('eth_call', [request, hex(at.number)])
    if (typeof word !== 'string' || !/^0x0{63}[01]$/.test(word)) {
      throw new NodeError('the token does not report the state of authorizations')
    }
    return word.endsWith('1')
  }

  /** Returns the transaction that used or canceled the authorization. */
  async function findUse(
    payment: TokenPayment,
    latest: ChainBlock,
    since: number,
  ): Promise<{ transaction: string; isUse: boolean } | undefined> {
    const earlier = await block(hex(Math.max(0, latest.number - PACE_BLOCKS)))
    for (const [from, to] of blockRanges({ latest, earlier }, since)) {
      const range = { fromBlock: hex(from), toBlock: hex(to) }
      const filter = { address: payment.asset, topics: usedUpTopics(payment), ...range }
      const logs = await call('eth_getLogs', [filter])
      const [log] = Array.isArray(logs) ? logs : []
      if (!isRecord(log) || typeof log.transactionHash !== 'string') continue
      const [topic] = Array.isArray(log.topics) ? log.topics : []
      const isUse = String(topic).toLowerCase() === AUTHORIZATION_USED
      return { transaction: log.transactionHash, isUse }
    }
    return undefined
  }

  async function tracePayment(payment: TokenPayment, since: number): Promise<PaymentTrace> {
    await assertRightChain()
    const latest = await block('latest')
    if (!(await isUsed(payment, latest))) return { kind: 'unused', time: latest.time }
    const found = await findUse(payment, latest, since)
    if (found === undefined) return { kind: 'untraced' }
    if (!found.isUse) return { kind: 'lost' }
    const receipt = await call('eth_getTransactionReceipt', [found.transaction])
    if (!isRecord(receipt) || !Array.isArray(receipt.logs)) return { kind: 'untraced' }
    return provesPayment(receipt.logs, payment)
      ? { kind: 'paid', transaction: found.transaction }
      : { kind: 'lost' }
  }

  return {
    async trace(payment, since) {
      try {
        return await tracePayment(payment, since)
      } catch (cause) {
        if (cause instanceof NodeError) return { kind: 'unknown', why: cause.message }
        throw cause
      }
    },
  }
}

const TIMEOUT_MS = 5_000
/** A facilitator's batch may have many logs. */
const BYTES_MAX = 1024 * 1024

class NodeError extends Error {
  override readonly name = 'NodeError'
}

function parseNumber(value: unknown): number {
  const number = typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : -1
  if (number < 0) throw new NodeError('the node did not return a number')
  return number
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}

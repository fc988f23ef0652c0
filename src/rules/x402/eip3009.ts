import { isRecord } from '../primitives/json-record.ts'

// EIP-3009 authorizations as a node reports them: calls and logs in hexadecimal. The constants are
// the Keccak-256 hashes of the signatures beside them (EIP-3009, ERC-20); a test recomputes them
// with viem.

/** `authorizationState(address,bytes32)`, first four bytes. */
const AUTHORIZATION_STATE = '0xe94a0102'

/** `AuthorizationUsed(address,bytes32)` */
export const AUTHORIZATION_USED =
  '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'

/** `AuthorizationCanceled(address,bytes32)` */
export const AUTHORIZATION_CANCELED =
  '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'

/** `Transfer(address,address,uint256)` */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Identifies an authorization. */
export type AuthorizationKey = { asset: string; from: string; nonce: string }

/** A payment that the authorization should have made. */
export type TokenPayment = AuthorizationKey & { to: string; value: string }

/** Encodes the call that returns whether an authorization is used. */
export function authorizationStateCall({ from, nonce }: AuthorizationKey): string {
  return `${AUTHORIZATION_STATE}${encodeWord(from)}${nonce.slice(2).toLowerCase()}`
}

/** Returns the log topics of events that use up an authorization: a use or a cancellation. */
export function usedUpTopics({ from, nonce }: AuthorizationKey): (string | string[])[] {
  return [
    [AUTHORIZATION_USED, AUTHORIZATION_CANCELED],
    `0x${encodeWord(from)}`,
    nonce.toLowerCase(),
  ]
}

/**
 * Returns true if the logs of a transaction prove that the authorization paid the sum to the payee. Tokens log the
 * transfer immediately after the use. The use alone is not enough, because the owner can use the same nonce to pay
 * anyone. Nor are both anywhere in the transaction, because only one of many uses may pay.
 */
export function provesPayment(logs: readonly unknown[], payment: TokenPayment): boolean {
  const payer = `0x${encodeWord(payment.from)}`
  const used = [AUTHORIZATION_USED, payer, payment.nonce.toLowerCase()]
  const moved = [TRANSFER, payer, `0x${encodeWord(payment.to)}`]
  return logs.some((log, at) => {
    const next = logs[at + 1]
    return (
      isLog(log, payment.asset, used) &&
      isLog(next, payment.asset, moved) &&
      parseValue(next) === BigInt(payment.value)
    )
  })
}

function isLog(log: unknown, asset: string, topics: readonly string[]): boolean {
  if (!isRecord(log) || log.removed === true || !Array.isArray(log.topics)) return false
  const actual = log.topics.map((topic) => String(topic).toLowerCase())
  return (
    String(log.address).toLowerCase() === asset.toLowerCase() &&
    actual.length === topics.length &&
    topics.every((topic, at) => actual[at] === topic)
  )
}

function parseValue(log: unknown): bigint | undefined {
  const data = isRecord(log) ? log.data : undefined
  return typeof data === 'string' && /^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : undefined
}

/** Encodes an address as a 32-byte word. */
function encodeWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}

/** Number and time (epoch seconds) of a block. */
export type ChainBlock = { number: number; time: number }

/**
 * Returns the ranges of blocks since a time (epoch seconds), oldest first, each small enough for public nodes. The
 * block time is computed from two blocks; some blocks before the estimate are included. After a very long time, the
 * last ranges are omitted, because a payment is valid for minutes.
 */
export function blockRanges(
  { latest, earlier }: { latest: ChainBlock; earlier: ChainBlock },
  since: number,
): [from: number, to: number][] {
  const blocks = Math.max(1, latest.number - earlier.number)
  const pace = Math.max(SECONDS_A_BLOCK_MIN, (latest.time - earlier.time) / blocks)
  const ago = Math.max(0, Math.ceil((latest.time - since) / pace))
  const first = Math.max(0, latest.number - ago - BLOCKS_BEFORE)
  const ranges: [number, number][] = []
  for (let from = first; from <= latest.number; from += BLOCKS_A_RANGE) {
    if (ranges.length === RANGES_MAX) break
    ranges.push([from, Math.min(latest.number, from + BLOCKS_A_RANGE - 1)])
  }
  return ranges
}

/** Distance between the two blocks from which the block time is computed. */
export const PACE_BLOCKS = 1_000

const SECONDS_A_BLOCK_MIN = 0.1
const BLOCKS_BEFORE = 500
/** Public nodes return the logs of at least 2,000 blocks. */
const BLOCKS_A_RANGE = 1_000
const RANGES_MAX = 20

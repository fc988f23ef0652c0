import { isRecord } from '../primitives/json-record.ts'

// What a token with EIP-3009 says of an authorization, as a node tells it: calls and logs in
// hexadecimal. The constants are Keccak-256 of the signatures beside them (EIP-3009, ERC-20); a test
// works them out with viem.

/** `authorizationState(address,bytes32)`: its first four bytes. */
const AUTHORIZATION_STATE = '0xe94a0102'

/** `AuthorizationUsed(address,bytes32)` */
export const AUTHORIZATION_USED =
  '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5'

/** `AuthorizationCanceled(address,bytes32)` */
export const AUTHORIZATION_CANCELED =
  '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'

/** `Transfer(address,address,uint256)` */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Whose authorization it is. */
export type AuthorizationKey = { asset: string; from: string; nonce: string }

/** What it should have moved, and to whom. */
export type TokenPayment = AuthorizationKey & { to: string; value: string }

/** The call that asks whether an authorization is used up. */
export function authorizationStateCall({ from, nonce }: AuthorizationKey): string {
  return `${AUTHORIZATION_STATE}${wordOf(from)}${nonce.slice(2).toLowerCase()}`
}

/**
 * The topics of the logs that tell what used it up. One that its owner cancels is used up as well, and
 * nothing was paid with it.
 */
export function usedUpTopics({ from, nonce }: AuthorizationKey): (string | string[])[] {
  return [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], `0x${wordOf(from)}`, nonce.toLowerCase()]
}

/**
 * Whether the logs of one transaction show that this authorization was used, and that this use brought
 * the sum to the payee: tokens tell of the transfer right after the use that asked for it. The first
 * alone would not do: its owner can use the same nonce to pay anybody. Nor would both anywhere in the
 * transaction: it can hold many uses, of which one alone pays.
 */
export function provesPayment(logs: readonly unknown[], tokenPayment: TokenPayment): boolean {
  const payer = `0x${wordOf(tokenPayment.from)}`
  const used = [AUTHORIZATION_USED, payer, tokenPayment.nonce.toLowerCase()]
  const moved = [TRANSFER, payer, `0x${wordOf(tokenPayment.to)}`]
  return logs.some((log, at) => {
    const next = logs[at + 1]
    return (
      isLogOf(log, tokenPayment.asset, used) &&
      isLogOf(next, tokenPayment.asset, moved) &&
      valueIn(next) === BigInt(tokenPayment.value)
    )
  })
}

function isLogOf(log: unknown, asset: string, topics: readonly string[]): boolean {
  if (!isRecord(log) || log.removed === true || !Array.isArray(log.topics)) return false
  const given = log.topics.map((topic) => String(topic).toLowerCase())
  return (
    String(log.address).toLowerCase() === asset.toLowerCase() &&
    given.length === topics.length &&
    topics.every((topic, at) => given[at] === topic)
  )
}

function valueIn(log: unknown): bigint | undefined {
  const data = isRecord(log) ? log.data : undefined
  return typeof data === 'string' && /^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : undefined
}

/** An address as a word of 32 bytes. */
function wordOf(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0')
}

/** A block: its number, and its time in epoch seconds. */
export type ChainBlock = { number: number; time: number }

/**
 * The blocks since a time (epoch seconds), oldest first, in ranges that public nodes still answer. How
 * fast a chain goes is told by two of its blocks, and some more are taken before. After a very long time
 * the last ones are left out: a payment holds for minutes.
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

/** How far back the second block lies by which the pace is told. */
export const PACE_BLOCKS = 1_000

const SECONDS_A_BLOCK_MIN = 0.1
const BLOCKS_BEFORE = 500
/** Public nodes answer the logs of 2,000 blocks and more. */
const BLOCKS_A_RANGE = 1_000
const RANGES_MAX = 20

// Generic cell rate algorithm (GCRA, ITU-T I.371). The state is one number: the time at which the
// limit is fully replenished. Each attempt moves that time by window / limit. An attempt that would
// move it more than one window ahead is refused.

/**
 * Allows a burst of `limit` attempts, and the same number per window in the long run. At least 1.
 */
export type RateLimit = { limit: number; windowMs: number }

/**
 * Consumes one attempt.
 *
 * @returns the new state, or the time to wait
 */
export function consume(
  replenishedAt: number,
  { limit, windowMs }: RateLimit,
  now: number,
): { isAllowed: true; replenishedAt: number } | { isAllowed: false; waitMs: number } {
  const step = windowMs / limit
  const waitMs = Math.ceil(Math.max(now, replenishedAt) + step) - (now + windowMs)
  if (waitMs <= 0) return { isAllowed: true, replenishedAt: now + windowMs + waitMs }
  // No wait exceeds one window. A longer one means that the clock was set back: start over.
  if (waitMs > windowMs) return { isAllowed: true, replenishedAt: Math.ceil(now + step) }
  return { isAllowed: false, waitMs }
}

/** Returns the state after an attempt that turned out not to count. */
export function refund(replenishedAt: number, { limit, windowMs }: RateLimit): number {
  return Math.floor(replenishedAt - windowMs / limit)
}

const MINUTE_MS = 60_000

/**
 * Limits of login and registration. Logins count failures only, so a correct password is never
 * refused. Every registration counts.
 */
export type AttemptLimits = {
  /** Wrong passwords per e-mail address and client network, in 15 minutes. */
  loginEmailIp: number
  /** Wrong passwords per e-mail address, in an hour. */
  loginEmail: number
  /** Wrong passwords per client network, in 15 minutes. */
  loginIp: number
  /** Registrations per client network, in an hour. */
  registerIp: number
}

export const ATTEMPT_WINDOW_MS: Record<keyof AttemptLimits, number> = {
  loginEmailIp: 15 * MINUTE_MS,
  loginEmail: 60 * MINUTE_MS,
  loginIp: 15 * MINUTE_MS,
  registerIp: 60 * MINUTE_MS,
}

/**
 * Returns the network that a client address is counted by: an IPv4 address itself, or the first 64
 * bits of an IPv6 address, which one household or machine is assigned. Any other text is returned
 * as it is.
 */
export function clientNetwork(address: string): string {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address
  const groups = groupsOf(bare.split('%', 1)[0] ?? '')
  // Some proxies append the port.
  if (groups === undefined) return bare.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const [high = 0, low = 0] = groups.slice(6)
  // An IPv4 address in IPv6 (RFC 4291, 2.5.5.2).
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535'
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** The eight groups of an IPv6 address in any spelling (RFC 4291, 2.2); undefined when it is none. */
function groupsOf(address: string): number[] | undefined {
  const sides = address.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const [head = [], tail] = sides.map((side) => side.flatMap(hexOf))
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (sides.length > 2 || (tail === undefined ? missing !== 0 : missing < 1)) return undefined
  const texts = [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])]
  if (!texts.every((text) => /^[\da-f]{1,4}$/i.test(text))) return undefined
  return texts.map((text) => Number.parseInt(text, 16))
}

/** A group; two where it is written as IPv4. */
function hexOf(text: string): string[] {
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  if (bytes?.every((byte) => byte <= 255) !== true) return [text]
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  return [a * 256 + b, c * 256 + d].map((group) => group.toString(16))
}

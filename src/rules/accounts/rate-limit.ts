// How often something may be tried, as one number: the time at which the allowance is whole again.
// Each try moves it on by window / limit; a try that would move it further than a window ahead is
// one too many (the generic cell rate algorithm, ITU-T I.371).

/** At most `limit` tries at once, and in the long run as many in each window; at least 1. */
export type RateLimit = { limit: number; windowMs: number }

/** @returns the new time, or how long to wait */
export function consume(
  replenishedAt: number,
  { limit, windowMs }: RateLimit,
  now: number,
): { isAllowed: true; replenishedAt: number } | { isAllowed: false; waitMs: number } {
  const step = windowMs / limit
  const waitMs = Math.ceil(Math.max(now, replenishedAt) + step) - (now + windowMs)
  if (waitMs <= 0) return { isAllowed: true, replenishedAt: now + windowMs + waitMs }
  // Nobody waits for longer than a window: the clock was set back, and it begins anew.
  if (waitMs > windowMs) return { isAllowed: true, replenishedAt: Math.ceil(now + step) }
  return { isAllowed: false, waitMs }
}

/** The time after a try was taken back: it was no failure. */
export function refund(replenishedAt: number, { limit, windowMs }: RateLimit): number {
  return Math.floor(replenishedAt - windowMs / limit)
}

const MINUTE_MS = 60_000

/**
 * The limits of logging in and registering. Each counts what fails, so that whoever logs in rightly
 * is never stopped; registrations are all counted.
 */
export type AttemptLimits = {
  /** Wrong passwords for one address from one place, in 15 minutes. */
  loginEmailIp: number
  /** Wrong passwords for one address from anywhere, in an hour. */
  loginEmail: number
  /** Wrong passwords from one place, in 15 minutes. */
  loginIp: number
  /** Registrations from one place, in an hour. */
  registerIp: number
}

export const ATTEMPT_WINDOW_MS: Record<keyof AttemptLimits, number> = {
  loginEmailIp: 15 * MINUTE_MS,
  loginEmail: 60 * MINUTE_MS,
  loginIp: 15 * MINUTE_MS,
  registerIp: 60 * MINUTE_MS,
}

/**
 * The place that an address stands for: an IPv4 address itself, of an IPv6 address the first 64 bits,
 * which is what one household or machine is given. What is no address is itself.
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

import ipaddr from 'ipaddr.js'

// Generic cell rate algorithm (GCRA, ITU-T I.371). The state is one number: the time at which the limit is fully
// replenished. Each attempt moves that time by window / limit. An attempt that would move it more than one window
// ahead is refused. Limits per UTC day count from midnight instead.

/** Allows a burst of `limit` attempts, and the same number per window on average; at least 1. */
export type RateLimit = { limit: number; windowMs: number }

/**
 * Returns a limit with steps of whole milliseconds, because rests of steps would add up and refuse the last attempt of a
 * burst. The window is longer by less than a millisecond for each attempt.
 */
export function withWholeSteps({ limit, windowMs }: RateLimit): RateLimit {
  return { limit, windowMs: limit * Math.ceil(windowMs / limit) }
}

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
  // No wait exceeds one window. A longer one means that the clock was set back, so the limit starts over.
  if (waitMs > windowMs) return { isAllowed: true, replenishedAt: Math.ceil(now + step) }
  return { isAllowed: false, waitMs }
}

/** Returns the state after an attempt that did not count after all. */
export function refund(replenishedAt: number, { limit, windowMs }: RateLimit): number {
  return Math.floor(replenishedAt - windowMs / limit)
}

/** Returns the attempts that are not replenished yet, rounded up. */
export function countSpent(
  replenishedAt: number,
  { limit, windowMs }: RateLimit,
  now: number,
): number {
  const spent = Math.ceil(((replenishedAt - now) * limit) / windowMs)
  return Math.min(Math.max(spent, 0), limit)
}

/** Returns the limit that spaces attempts evenly, and lets them wait for at most `patienceMs`. */
export function evenPace(intervalMs: number, patienceMs: number): RateLimit {
  const limit = Math.floor(patienceMs / intervalMs) + 1
  return { limit, windowMs: limit * intervalMs }
}

/** Maximum count per UTC day under a name; Infinity for no limit. */
export type DailyLimit = { name: string; max: number }

/** Counts of a UTC day by name. */
export type DayCounts = Map<string, number>

/** Returns the amount that remains under every limit. */
export function countLeft(counts: DayCounts, limits: readonly DailyLimit[]): number {
  return Math.min(...limits.map(({ name, max }) => max - (counts.get(name) ?? 0)))
}

/** Adds an amount to the count of each limit. Names without a limit are not counted. */
export function addToCounts(
  counts: DayCounts,
  limits: readonly DailyLimit[],
  amount: number,
): void {
  for (const { name, max } of limits) {
    if (amount !== 0 && max !== Number.POSITIVE_INFINITY) {
      counts.set(name, (counts.get(name) ?? 0) + amount)
    }
  }
}

const MINUTE_MS = 60_000

/** Limits of login, which count failures only, and of registration, which count every attempt. */
export type AttemptLimits = {
  /** Wrong passwords per e-mail address and client network, in 15 minutes. */
  loginEmailIp: number
  /** Wrong passwords per e-mail address from all unknown networks, in an hour and evenly spaced. */
  loginEmail: number
  /** Wrong passwords per client network, in 15 minutes. */
  loginIp: number
  /** Registrations per client network, in an hour. */
  registerIp: number
  /** Trials of new accounts per client network, in a day. */
  trialIp: number
}

export const ATTEMPT_WINDOW_MS: Record<keyof AttemptLimits, number> = {
  loginEmailIp: 15 * MINUTE_MS,
  loginEmail: 60 * MINUTE_MS,
  loginIp: 15 * MINUTE_MS,
  registerIp: 60 * MINUTE_MS,
  trialIp: 24 * 60 * MINUTE_MS,
}

/**
 * Returns the network by which a client address is counted: an IPv4 address itself, or the first 64 bits of an IPv6
 * address, which are assigned to one household or machine. Any other text is returned unchanged.
 */
export function clientNetwork(address: string): string {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? address
  const [ip = ''] = bare.split('%', 1)
  // Some proxies append the port.
  if (!ipaddr.IPv6.isValid(ip)) return bare.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const parsed = ipaddr.IPv6.parse(ip)
  // The library also treats the deprecated ::192.0.2.7 as a mapped address.
  if (parsed.isIPv4MappedAddress() && !/^::\d+\./.test(ip)) return parsed.toIPv4Address().toString()
  const prefix = parsed.parts.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/** Returns the beginning of the names of all login limits of an e-mail address, which contain only its hash. */
export function loginNamePrefix(email: string): string {
  return `login ${hashAddress(email)} `
}

/** Returns the hash of an e-mail address in the names of its limits. */
export function hashAddress(email: string): string {
  return new Bun.CryptoHasher('sha256').update(email.toLowerCase()).digest('hex')
}

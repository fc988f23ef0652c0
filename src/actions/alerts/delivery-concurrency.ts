/** Maximum numbers of concurrent delivery attempts. */
export type ConcurrencyOptions = {
  /** Per host and per account. Each webhook has one attempt at a time. */
  perHost: number
  perAccount: number
  /** In total, of attempts that have not become slow. */
  quick: number
  /** In total, of slow attempts. More than that count as quick ones again. */
  slow: number
}

/**
 * Bun runs at most 256 requests per process; further ones wait. These limits stay below that, so a
 * receiver that hangs never delays payments or syncs.
 */
export const DELIVERY_CONCURRENCY: ConcurrencyOptions = {
  perHost: 4,
  perAccount: 8,
  quick: 64,
  slow: 128,
}

/** Maximum numbers of concurrent test deliveries, which are counted separately. */
export const TEST_CONCURRENCY = { perAccount: 2, total: 16 }

/** A due delivery, with the keys that limit its concurrency. */
export type QueuedDelivery = { id: string; receiver_id: string; host: string; account_id: number }

/** Counts the attempts in progress against the limits. */
export type ConcurrencyLimits = {
  /** Returns true if no attempt at all may start now. */
  isFull(): boolean
  /** Returns true if an attempt at this host may start, for some account and webhook. */
  hasRoom(host: string): boolean
  /** Counts an attempt until its release; returns false if it may not start. */
  acquire(delivery: QueuedDelivery): boolean
  /** Marks an attempt as slow, which frees its quick slot. */
  markSlow(id: string): void
  /** Ends an attempt; unknown ids are ignored. */
  release(id: string): void
}

/** Creates limits under which a receiver that hangs delays neither other hosts nor their accounts. */
export function createConcurrencyLimits(
  limits: ConcurrencyOptions = DELIVERY_CONCURRENCY,
): ConcurrencyLimits {
  const attempts = new Map<string, QueuedDelivery & { isSlow: boolean }>()
  const receivers = new Set<string>()
  const hosts = new Map<string, number>()
  const accounts = new Map<number, number>()
  let slow = 0

  const isFull = () => attempts.size - Math.min(slow, limits.slow) >= limits.quick

  const hasRoom = (host: string) => !isFull() && (hosts.get(host) ?? 0) < limits.perHost

  return {
    isFull,
    hasRoom,
    acquire(delivery) {
      const { id, receiver_id, host, account_id } = delivery
      if (!hasRoom(host) || receivers.has(receiver_id)) return false
      if ((accounts.get(account_id) ?? 0) >= limits.perAccount) return false
      receivers.add(receiver_id)
      attempts.set(id, { ...delivery, isSlow: false })
      add(hosts, host, 1)
      add(accounts, account_id, 1)
      return true
    },
    markSlow(id) {
      const attempt = attempts.get(id)
      if (attempt === undefined || attempt.isSlow) return
      attempt.isSlow = true
      slow++
    },
    release(id) {
      const attempt = attempts.get(id)
      if (attempt === undefined) return
      attempts.delete(id)
      receivers.delete(attempt.receiver_id)
      add(hosts, attempt.host, -1)
      add(accounts, attempt.account_id, -1)
      if (attempt.isSlow) slow--
    },
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

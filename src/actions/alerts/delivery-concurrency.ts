/** How many attempts may be under way at once. */
export type ConcurrencyOptions = {
  /** Of one host, and of one account; of one watch it is always one. */
  perHost: number
  perAccount: number
  /** Altogether, of those that have not taken long. */
  quick: number
  /** Of those that have; more of them count among the quick ones again. */
  slow: number
}

/**
 * Bun has at most 256 requests of a process under way: what is more waits, whoever it is for. So many
 * less are alerts that payments and syncs never wait for a receiver that hangs.
 */
export const DELIVERY_CONCURRENCY: ConcurrencyOptions = {
  perHost: 4,
  perAccount: 8,
  quick: 64,
  slow: 128,
}

/** Tests that may be under way at once, beside these: of one account, and altogether. */
export const TEST_CONCURRENCY = { perAccount: 2, total: 16 }

/** What is sent to where, for whom. */
export type QueuedDelivery = { id: string; webhook_id: string; host: string; account_id: number }

export type ConcurrencyLimits = ReturnType<typeof createConcurrencyLimits>

/**
 * Counts attempts under way, so that a receiver that hangs delays neither others nor their accounts:
 * what takes long makes room for what does not.
 */
export function createConcurrencyLimits(limits: ConcurrencyOptions = DELIVERY_CONCURRENCY) {
  const taken = new Map<string, QueuedDelivery & { isSlow: boolean }>()
  const watches = new Set<string>()
  const hosts = new Map<string, number>()
  const accounts = new Map<number, number>()
  let slow = 0

  const isFull = () => taken.size - Math.min(slow, limits.slow) >= limits.quick

  const hasRoom = (host: string) => !isFull() && (hosts.get(host) ?? 0) < limits.perHost

  return {
    /** Whether nothing at all may begin now. */
    isFull,
    /** Whether something may begin there, for some account and watch. */
    hasRoom,
    /** @returns whether it may begin; then it counts until it is given back */
    acquire(delivery: QueuedDelivery): boolean {
      if (!hasRoom(delivery.host) || watches.has(delivery.webhook_id)) return false
      if ((accounts.get(delivery.account_id) ?? 0) >= limits.perAccount) return false
      watches.add(delivery.webhook_id)
      taken.set(delivery.id, { ...delivery, isSlow: false })
      add(hosts, delivery.host, 1)
      add(accounts, delivery.account_id, 1)
      return true
    },
    /** It takes long. */
    markSlow(id: string): void {
      const sent = taken.get(id)
      if (sent === undefined || sent.isSlow) return
      sent.isSlow = true
      slow++
    },
    release(id: string): void {
      const sent = taken.get(id)
      if (sent === undefined) return
      taken.delete(id)
      watches.delete(sent.webhook_id)
      add(hosts, sent.host, -1)
      add(accounts, sent.account_id, -1)
      if (sent.isSlow) slow--
    },
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, more: number): void {
  const count = (counts.get(key) ?? 0) + more
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

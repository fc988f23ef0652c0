import { createFairQueue } from '#concurrency/fair-queue.ts'

/** Maximum numbers of concurrent delivery attempts. */
export type ConcurrencyOptions = {
  /** Per host and per account. Each webhook has only one attempt at a time. */
  perHost: number
  perAccount: number
  /** Total of attempts that are not slow yet. */
  quick: number
  /** Total of slow attempts. Attempts beyond that count as quick again. */
  slow: number
}

/**
 * Bun runs at most 256 requests per process; further ones wait. These limits are lower, so that a hanging receiver
 * never delays payments or syncs.
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

/** Queue of due deliveries. Hosts take turns, and so do the accounts of a host: none delays the others. */
export type AttemptQueue = {
  /** Adds deliveries; a webhook has at most one in the queue. */
  add(deliveries: readonly QueuedDelivery[]): void
  /** Removes and returns the deliveries that may start now. They count as attempts until their release. */
  takeAll(): QueuedDelivery[]
  /** Marks an attempt as slow, which frees its quick slot. */
  markSlow(id: string): void
  /** Ends an attempt; unknown ids are ignored. */
  release(id: string): void
}

/** Creates a queue in which a hanging receiver delays neither other hosts nor their accounts. */
export function createDeliveryQueue(
  limits: ConcurrencyOptions = DELIVERY_CONCURRENCY,
): AttemptQueue {
  const receivers = new Set<string>()
  const attempts = new Map<string, QueuedDelivery>()
  const slow = new Set<string>()
  const hostOf = ({ host }: QueuedDelivery) => `host ${host}`
  const accountOf = ({ account_id }: QueuedDelivery) => `account ${account_id}`
  const queue = createFairQueue<QueuedDelivery>({
    turns: (delivery) => [hostOf(delivery), accountOf(delivery)],
    atOnce: () => limits.quick + Math.min(slow.size, limits.slow),
    limits: (delivery) => [
      [hostOf(delivery), limits.perHost],
      [accountOf(delivery), limits.perAccount],
      [`receiver ${delivery.receiver_id}`, 1],
    ],
  })

  return {
    add(deliveries) {
      for (const delivery of deliveries) {
        if (receivers.has(delivery.receiver_id)) continue
        receivers.add(delivery.receiver_id)
        queue.add(delivery)
      }
    },
    takeAll() {
      const taken: QueuedDelivery[] = []
      for (let next = queue.take(); next !== undefined; next = queue.take()) {
        receivers.delete(next.receiver_id)
        attempts.set(next.id, next)
        taken.push(next)
      }
      return taken
    },
    markSlow(id) {
      if (attempts.has(id)) slow.add(id)
    },
    release(id) {
      const attempt = attempts.get(id)
      if (attempt === undefined) return
      attempts.delete(id)
      slow.delete(id)
      queue.end(attempt)
    },
  }
}

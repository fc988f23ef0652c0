import type { ConcurrencyLimits, QueuedDelivery } from './delivery-concurrency.ts'

/** Queue of due deliveries with one line per host. Hosts take turns, so none delays the others. */
export type FairQueue = {
  /** Appends deliveries to the lines of their hosts; a webhook has at most one in the queue. */
  add(deliveries: readonly QueuedDelivery[]): void
  /** Removes and returns the deliveries that may start now, which the limits then count. */
  dequeue(limits: ConcurrencyLimits): QueuedDelivery[]
}

/** Creates an empty queue. */
export function createFairQueue(): FairQueue {
  const lines = new Map<string, QueuedDelivery[]>()
  const receivers = new Set<string>()

  /** Removes and returns the deliveries of one host that may start now, in their order. */
  function dequeueHost(host: string, line: QueuedDelivery[], limits: ConcurrencyLimits) {
    const started: QueuedDelivery[] = []
    let index = 0
    while (limits.hasRoom(host)) {
      const delivery = line[index]
      if (delivery === undefined) break
      if (limits.acquire(delivery)) {
        line.splice(index, 1)
        started.push(delivery)
      } else {
        // The account or the webhook is at its limit: a later delivery may go first.
        index++
      }
    }
    return started
  }

  return {
    add(deliveries) {
      for (const delivery of deliveries) {
        if (receivers.has(delivery.receiver_id)) continue
        receivers.add(delivery.receiver_id)
        const line = lines.get(delivery.host)
        if (line === undefined) lines.set(delivery.host, [delivery])
        else line.push(delivery)
      }
    },
    dequeue(limits) {
      const started: QueuedDelivery[] = []
      const served: [string, QueuedDelivery[]][] = []
      for (const [host, line] of lines) {
        if (limits.isFull()) break
        const deliveries = dequeueHost(host, line, limits)
        if (deliveries.length === 0) continue
        started.push(...deliveries)
        served.push([host, line])
      }
      // Hosts without a turn come first next time.
      for (const [host, line] of served) {
        lines.delete(host)
        if (line.length > 0) lines.set(host, line)
      }
      for (const { receiver_id } of started) receivers.delete(receiver_id)
      return started
    },
  }
}

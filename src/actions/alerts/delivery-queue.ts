import type { ConcurrencyLimits, QueuedDelivery } from './delivery-concurrency.ts'

/**
 * Messages that are due, in a line of each host: hosts have their turns, and whoever waits in one line
 * does not wait for those in another. A watch stands in it once.
 */
export function createFairQueue() {
  const lines = new Map<string, QueuedDelivery[]>()
  const watches = new Set<string>()

  /** Those of a line that may begin now, in their order. */
  function nextOf(
    host: string,
    line: QueuedDelivery[],
    limits: ConcurrencyLimits,
  ): QueuedDelivery[] {
    const taken: QueuedDelivery[] = []
    let at = 0
    while (limits.hasRoom(host)) {
      const delivery = line[at]
      if (delivery === undefined) break
      if (limits.acquire(delivery)) {
        line.splice(at, 1)
        taken.push(delivery)
      } else {
        // Its account has enough, or its watch: whoever stands behind it may go first.
        at++
      }
    }
    return taken
  }

  return {
    /** Lets messages stand behind the others of their hosts; not those of watches that stand there. */
    add(messages: readonly QueuedDelivery[]): void {
      for (const queuedDelivery of messages) {
        if (watches.has(queuedDelivery.webhook_id)) continue
        watches.add(queuedDelivery.webhook_id)
        const line = lines.get(queuedDelivery.host)
        if (line === undefined) lines.set(queuedDelivery.host, [queuedDelivery])
        else line.push(queuedDelivery)
      }
    },
    /** Takes out those that may begin now; their slots are taken. */
    dequeue(concurrencyLimits: ConcurrencyLimits): QueuedDelivery[] {
      const taken: QueuedDelivery[] = []
      const served: [string, QueuedDelivery[]][] = []
      for (const [host, line] of lines) {
        if (concurrencyLimits.isFull()) break
        const found = nextOf(host, line, concurrencyLimits)
        if (found.length === 0) continue
        taken.push(...found)
        served.push([host, line])
      }
      // Those who had no turn come first the next time.
      for (const [host, line] of served) {
        lines.delete(host)
        if (line.length > 0) lines.set(host, line)
      }
      for (const { webhook_id } of taken) watches.delete(webhook_id)
      return taken
    },
  }
}

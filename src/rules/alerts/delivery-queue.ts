import type { Sent, Slots } from './delivery-concurrency.ts'

/**
 * Messages that are due, in a line of each host: hosts have their turns, and whoever waits in one line
 * does not wait for those in another. A watch stands in it once.
 */
export function openLine() {
  const lines = new Map<string, Sent[]>()
  const watches = new Set<string>()

  /** Those of a line that may begin now, in their order. */
  function nextOf(host: string, line: Sent[], slots: Slots): Sent[] {
    const taken: Sent[] = []
    let at = 0
    while (slots.hasRoom(host)) {
      const sent = line[at]
      if (sent === undefined) break
      if (slots.take(sent)) {
        line.splice(at, 1)
        taken.push(sent)
      } else {
        // Its account has enough, or its watch: whoever stands behind it may go first.
        at++
      }
    }
    return taken
  }

  return {
    /** Lets messages stand behind the others of their hosts; not those of watches that stand there. */
    add(messages: readonly Sent[]): void {
      for (const sent of messages) {
        if (watches.has(sent.webhook_id)) continue
        watches.add(sent.webhook_id)
        const line = lines.get(sent.host)
        if (line === undefined) lines.set(sent.host, [sent])
        else line.push(sent)
      }
    },
    /** Takes out those that may begin now; their slots are taken. */
    next(slots: Slots): Sent[] {
      const taken: Sent[] = []
      const served: [string, Sent[]][] = []
      for (const [host, line] of lines) {
        if (slots.isFull()) break
        const found = nextOf(host, line, slots)
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

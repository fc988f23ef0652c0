/** Client that waits for an image, and the host of the image. */
export type ImageJob = { client: string; host: string }

/** Queue of image fetches that is fair to clients. */
export type ImageQueue = {
  /** Returns true if another job of the client may wait. */
  hasRoom(client: string): boolean
  /** Waits for a turn and returns the function that ends it. */
  acquire(job: ImageJob): Promise<() => void>
}

type Waiting = { host: string; start: () => void }

/**
 * Creates a queue in which clients take turns, so that nobody delays others by more than one fetch each.
 * A slow host cannot take all places.
 *
 * @param limits fetches at once, of them for one host; waiting jobs, of them of one client
 */
export function createImageQueue(limits: {
  total: number
  perHost: number
  waiting: number
  waitingPerClient: number
}): ImageQueue {
  /** Clients in the order of their next turn. */
  const waiting = new Map<string, Waiting[]>()
  const running = new Map<string, number>()
  let free = limits.total
  let waitingCount = 0

  const hasPlace = (host: string) => (running.get(host) ?? 0) < limits.perHost

  function begin(host: string): void {
    free--
    running.set(host, (running.get(host) ?? 0) + 1)
  }

  function end(host: string): void {
    free++
    const left = (running.get(host) ?? 1) - 1
    if (left === 0) running.delete(host)
    else running.set(host, left)
    startNext()
  }

  function startNext(): void {
    for (const [client, jobs] of waiting) {
      const index = jobs.findIndex(({ host }) => hasPlace(host))
      const [next] = index < 0 ? [] : jobs.splice(index, 1)
      if (next === undefined) continue
      waitingCount--
      waiting.delete(client)
      if (jobs.length > 0) waiting.set(client, jobs)
      begin(next.host)
      next.start()
      return
    }
  }

  return {
    hasRoom(client) {
      const own = waiting.get(client)?.length ?? 0
      return waitingCount < limits.waiting && own < limits.waitingPerClient
    },
    async acquire({ client, host }) {
      if (free > 0 && hasPlace(host)) begin(host)
      else {
        waitingCount++
        await new Promise<void>((start) => {
          const jobs = waiting.get(client)
          if (jobs === undefined) waiting.set(client, [{ host, start }])
          else jobs.push({ host, start })
        })
      }
      return () => end(host)
    },
  }
}

/** Client that waits for an image, and the host of the image. */
export type ImageJob = { client: string; host: string }

/** Queue of image fetches that is fair to clients. */
export type ImageQueue = {
  /**
   * Waits for a turn and returns the function that ends it. Returns undefined if too many wait: the oldest
   * job of the client makes room for its newest.
   */
  acquire(job: ImageJob): Promise<(() => void) | undefined>
}

type Waiting = { host: string; settle: (isStarted: boolean) => void }

/**
 * Creates a queue in which clients take turns, so that nobody delays others by more than one fetch each.
 * A slow host cannot take all places. The newest job of a client is first: its older ones may be for a page
 * that it has left.
 *
 * @param limits fetches at once, of them for one host; waiting jobs, of them of one client
 */
export function createImageQueue(limits: {
  total: number
  perHost: number
  waiting: number
  waitingPerClient: number
}): ImageQueue {
  /** Clients in the order of their next turn, each with its newest job first. */
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
      next.settle(true)
      return
    }
  }

  /** Returns false if no job of the client can make room. */
  function makeRoom(jobs: Waiting[]): boolean {
    if (waitingCount < limits.waiting && jobs.length < limits.waitingPerClient) return true
    const oldest = jobs.pop()
    if (oldest === undefined) return false
    waitingCount--
    oldest.settle(false)
    return true
  }

  return {
    async acquire({ client, host }) {
      const release = () => end(host)
      if (free > 0 && hasPlace(host)) {
        begin(host)
        return release
      }
      const jobs = waiting.get(client) ?? []
      if (!makeRoom(jobs)) return undefined
      waitingCount++
      const isStarted = await new Promise<boolean>((settle) => {
        jobs.unshift({ host, settle })
        waiting.set(client, jobs)
      })
      return isStarted ? release : undefined
    },
  }
}

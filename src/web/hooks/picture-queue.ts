/** Response to a request for a picture. */
export type PictureResponse =
  | { state: 'ready'; picture: Blob }
  /** The server fetches it in the background. */
  | { state: 'pending' }
  | { state: 'missing' }

/** Loads pictures so that requests for data never wait for them. */
export type PictureQueue = {
  /**
   * Loads a picture when its turn comes.
   *
   * @param onResponse called once with `pending` if the picture is fetched later, and then with another response
   * @returns a function that cancels the load
   */
  load(url: string, onResponse: (response: PictureResponse) => void): () => void
  /** Starts no load until this was not called for a while. */
  postpone(): void
}

type Job = {
  url: string
  onResponse: (response: PictureResponse) => void
  controller: AbortController
  /** Time until the next request for a pending picture, in milliseconds. */
  retryMs: number
  retry?: ReturnType<typeof setTimeout>
}

/** Creates a queue. A request that fails counts as `missing`. */
export function createPictureQueue(
  request: (url: string, signal: AbortSignal) => Promise<PictureResponse>,
): PictureQueue {
  const waiting = new Set<Job>()
  let running = 0
  let pause: ReturnType<typeof setTimeout> | undefined

  function startNext(): void {
    if (pause !== undefined) return
    for (const job of waiting) {
      if (running === AT_ONCE_MAX) return
      waiting.delete(job)
      void run(job)
    }
  }

  async function run(job: Job): Promise<void> {
    const { signal } = job.controller
    running++
    const response = await request(job.url, signal).catch(
      (): PictureResponse => ({ state: 'missing' }),
    )
    running--
    if (!signal.aborted) {
      const isKnown = response.state === 'pending' && job.retry !== undefined
      if (response.state === 'pending') retryLater(job)
      if (!isKnown) job.onResponse(response)
    }
    startNext()
  }

  function retryLater(job: Job): void {
    job.retry = setTimeout(() => {
      waiting.add(job)
      startNext()
    }, job.retryMs)
    job.retryMs = Math.min(2 * job.retryMs, RETRY_MS_MAX)
  }

  return {
    load(url, onResponse) {
      const job: Job = { url, onResponse, controller: new AbortController(), retryMs: RETRY_MS }
      waiting.add(job)
      startNext()
      return () => {
        waiting.delete(job)
        clearTimeout(job.retry)
        job.controller.abort()
      }
    },
    postpone() {
      clearTimeout(pause)
      pause = setTimeout(() => {
        pause = undefined
        startNext()
      }, PAUSE_MS)
    },
  }
}

/** Browsers open six connections to a server under HTTP/1.1: two stay free for data. */
const AT_ONCE_MAX = 4

/** Images of a fast host are there at the first retry. Those of a slow one cost few requests. */
const RETRY_MS = 400
const RETRY_MS_MAX = 3_200

/** Longer than between two keystrokes, in milliseconds. */
const PAUSE_MS = 300

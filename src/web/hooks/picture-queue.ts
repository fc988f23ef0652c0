import { createFairQueue } from '#concurrency/fair-queue.ts'

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
  /** Delays loads until it was not called for a while. */
  postpone(): void
}

/** Creates a queue. A request that fails counts as `missing`. */
export function createPictureQueue(
  request: (url: string, signal: AbortSignal) => Promise<PictureResponse>,
): PictureQueue {
  let pause: ReturnType<typeof setTimeout> | undefined
  const queue = createFairQueue<AbortSignal>({
    atOnce: () => (pause === undefined ? AT_ONCE_MAX : 0),
  })

  return {
    load(url, onResponse) {
      const controller = new AbortController()
      const { signal } = controller
      let retry: ReturnType<typeof setTimeout> | undefined

      /** @param retryMs time until the next request for a pending picture, in milliseconds */
      async function run(retryMs: number): Promise<void> {
        const response = await queue
          .run(signal, () => request(url, signal), signal)
          .catch((): PictureResponse => ({ state: 'missing' }))
        if (signal.aborted) return
        const isKnown = response.state === 'pending' && retry !== undefined
        if (response.state === 'pending') {
          retry = setTimeout(() => void run(Math.min(2 * retryMs, RETRY_MS_MAX)), retryMs)
        }
        if (!isKnown) onResponse(response)
      }

      void run(RETRY_MS)
      return () => {
        clearTimeout(retry)
        controller.abort()
      }
    },
    postpone() {
      clearTimeout(pause)
      pause = setTimeout(() => {
        pause = undefined
        queue.resume()
      }, PAUSE_MS)
    },
  }
}

/** Browsers open six connections to a server under HTTP/1.1: two of them stay free for data. */
const AT_ONCE_MAX = 4

/** Images of a fast host arrive before the first retry, and images of a slow host cost few requests. */
const RETRY_MS = 400
const RETRY_MS_MAX = 3_200

/** Longer than between two keystrokes, in milliseconds. */
const PAUSE_MS = 300

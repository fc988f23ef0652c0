/** Requests under way, shared by all views that want the same data. */
export type SharedRequests = {
  /**
   * Joins the request of a key, or starts it. It is aborted once every view that wants it has left.
   *
   * @param fetcher starts the request; its signal aborts it
   * @param signal aborts when this view does not want the data any more
   */
  join<T>(
    key: string,
    fetcher: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>
  /** Lets later views start new requests. Those under way continue for the views that wait. */
  clear(): void
}

export function createSharedRequests(): SharedRequests {
  const requests = new Map<string, SharedRequest>()

  function start(key: string, fetcher: (signal: AbortSignal) => Promise<unknown>): SharedRequest {
    const controller = new AbortController()
    const request: SharedRequest = { response: fetcher(controller.signal), views: 0, controller }
    const forget = () => {
      // Another request of the key may have begun after this one was aborted or cleared.
      if (requests.get(key) === request) requests.delete(key)
    }
    request.response.then(forget, forget)
    controller.signal.addEventListener('abort', forget)
    requests.set(key, request)
    return request
  }

  return {
    join<T>(
      key: string,
      fetcher: (signal: AbortSignal) => Promise<T>,
      signal: AbortSignal,
    ): Promise<T> {
      const request = requests.get(key) ?? start(key, fetcher)
      request.views++
      signal.addEventListener('abort', () => {
        request.views--
        if (request.views === 0) request.controller.abort()
      })
      // Each key has one response type.
      return request.response as Promise<T>
    },
    clear: () => requests.clear(),
  }
}

type SharedRequest = {
  response: Promise<unknown>
  /** Number of views that wait for it. */
  views: number
  controller: AbortController
}

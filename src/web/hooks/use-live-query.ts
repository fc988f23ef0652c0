import { useCallback, useEffect, useState } from 'react'
import type { ApiError } from '../api.ts'
import { toApiError } from '../api-error.ts'

/** Last data of a polled query. Data is kept while requests fail. */
export type LiveQuery<T> = {
  data: T | undefined
  /** Error of the last request; undefined if it succeeded. */
  error: ApiError | undefined
  /** Time of the last response, in epoch milliseconds. */
  updatedAt: number | undefined
  refetch: () => void
}

type LiveState<T> = Omit<LiveQuery<T>, 'refetch'> & { key: string | undefined }

/**
 * Polls the API while the page is visible.
 *
 * @param key identifies the query; undefined disables it.
 * @param fetcher gets a signal that aborts after an unmount or a new key.
 * @param everyMs interval between requests; undefined for a single request.
 */
export function useLiveQuery<T>(
  key: string | undefined,
  fetcher: (signal: AbortSignal) => Promise<T>,
  everyMs: number | undefined,
): LiveQuery<T> {
  const [live, setLive] = useState<LiveState<T>>(() => emptyState(key))
  const [round, setRound] = useState(0)
  const refetch = useCallback(() => setRound((last) => last + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the query, not the function
  useEffect(() => {
    if (key === undefined) return
    const controller = new AbortController()
    fetcher(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted)
          setLive({ key, data, error: undefined, updatedAt: Date.now() })
      },
      (cause) => {
        if (controller.signal.aborted) return
        const failed = { key, error: toApiError(cause), updatedAt: Date.now() }
        setLive((before) => ({ ...failed, data: before.key === key ? before.data : undefined }))
      },
    )
    return () => controller.abort()
  }, [key, round])

  useEffect(() => {
    if (everyMs === undefined || live.updatedAt === undefined) return
    let isDue = false
    const fetchIfDue = () => {
      if (!isDue || document.visibilityState !== 'visible') return
      isDue = false
      refetch()
    }
    // Respect Retry-After.
    const waitMs = Math.max(everyMs, (live.error?.retryAfter ?? 0) * 1000)
    const timer = setTimeout(() => {
      isDue = true
      fetchIfDue()
    }, waitMs)
    document.addEventListener('visibilitychange', fetchIfDue)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', fetchIfDue)
    }
  }, [live, everyMs, refetch])

  const { data, error, updatedAt } = live.key === key ? live : emptyState<T>(key)
  return { data, error, updatedAt, refetch }
}

function emptyState<T>(key: string | undefined): LiveState<T> {
  return { key, data: undefined, error: undefined, updatedAt: undefined }
}

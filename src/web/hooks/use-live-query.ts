import { useCallback, useEffect, useState } from 'react'
import type { ApiError } from '../api.ts'
import { toApiError } from './use-query.ts'

/** What is known of something that changes by itself. What was told last stays while it cannot be asked. */
export type LiveQuery<T> = {
  data: T | undefined
  /** Why the newest attempt failed; undefined: it did not. */
  error: ApiError | undefined
  /** When an attempt last ended, epoch milliseconds. */
  updatedAt: number | undefined
  /** Asks at once. */
  refetch: () => void
}

type LiveState<T> = Omit<LiveQuery<T>, 'refetch'> & { key: string | undefined }

/**
 * Asks the API for something again and again, while the page is seen.
 *
 * @param key names the question; undefined asks nothing
 * @param fetcher does it; it is given a signal that ends it when nobody waits any more
 * @param everyMs how long to rest between two answers; undefined: one answer will do
 */
export function useLiveQuery<T>(
  key: string | undefined,
  fetcher: (signal: AbortSignal) => Promise<T>,
  everyMs: number | undefined,
): LiveQuery<T> {
  const [told, setTold] = useState<LiveState<T>>(() => emptyState(key))
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound((last) => last + 1), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the question, not the function
  useEffect(() => {
    if (key === undefined) return
    const ending = new AbortController()
    fetcher(ending.signal).then(
      (data) => {
        if (!ending.signal.aborted) setTold({ key, data, error: undefined, updatedAt: Date.now() })
      },
      (cause) => {
        if (ending.signal.aborted) return
        const failed = { key, error: toApiError(cause), updatedAt: Date.now() }
        setTold((before) => ({ ...failed, data: before.key === key ? before.data : undefined }))
      },
    )
    return () => ending.abort()
  }, [key, round])

  useEffect(() => {
    if (everyMs === undefined || told.updatedAt === undefined) return
    let isDue = false
    const look = () => {
      if (!isDue || document.visibilityState !== 'visible') return
      isDue = false
      again()
    }
    // Whoever turned us away says for how long.
    const rest = Math.max(everyMs, (told.error?.retryAfter ?? 0) * 1000)
    const timer = setTimeout(() => {
      isDue = true
      look()
    }, rest)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [told, everyMs, again])

  const { data, error, updatedAt } = told.key === key ? told : emptyState<T>(key)
  return { data, error, updatedAt, refetch: again }
}

function emptyState<T>(key: string | undefined): LiveState<T> {
  return { key, data: undefined, error: undefined, updatedAt: undefined }
}

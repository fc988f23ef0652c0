import { useCallback, useEffect, useState } from 'react'
import type { ApiError } from '../api.ts'
import { toApiError } from '../api-error.ts'
import { isHistoryNavigation } from './navigation.ts'
import { createSharedRequests } from './shared-requests.ts'

/** State of a query. Stale data may be shown while new data loads. */
export type QueryResult<T> =
  | { state: 'loading'; data: T | undefined }
  | { state: 'ready'; data: T }
  | { state: 'failed'; error: ApiError; data: undefined }

/** Responses of the last minute. Back and forward navigation also uses staleData ones. */
const cache = new Map<string, { at: number; data: unknown }>()
const CACHE_MS = 60_000
const CACHE_MAX = 200

/** Two views with the same key cost one request. */
const requests = createSharedRequests()

/** Clears the cache after a login, a logout or a change. */
export function clearQueryCache(): void {
  cache.clear()
  requests.clear()
}

/**
 * Fetches data for a view.
 *
 * @param key identifies the query; undefined disables it.
 * @param fetcher gets a signal that aborts after an unmount or a new key.
 */
export function useQuery<T>(
  key: string | undefined,
  fetcher: (signal: AbortSignal) => Promise<T>,
): QueryResult<T> & { refetch: () => void } {
  const [result, setResult] = useState<QueryResult<T> & { key: string | undefined }>(() =>
    initialState(key),
  )
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the query, not the function
  useEffect(() => {
    if (key === undefined) return
    const cached = initialState<T>(key)
    if (cached.state === 'ready') {
      setResult(cached)
      return
    }
    setResult((before) => ({ key, state: 'loading', data: before.data }))
    const controller = new AbortController()
    requests.join(key, fetcher, controller.signal).then(
      (data) => {
        if (controller.signal.aborted) return
        cacheAnswer(key, data)
        setResult({ key, state: 'ready', data })
      },
      (error) => {
        if (controller.signal.aborted) return
        setResult({ key, state: 'failed', error: toApiError(error), data: undefined })
      },
    )
    return () => controller.abort()
  }, [key, round])

  const refetch = useCallback(() => {
    if (key !== undefined) cache.delete(key)
    setRound((last) => last + 1)
  }, [key])
  const { key: _, ...answer } = result.key === key ? result : { ...stateForKey(key, result.data) }
  return { ...answer, refetch }
}

/** Returns the cached state of a new key, or the stale data of the old one. */
function stateForKey<T>(key: string | undefined, staleData: T | undefined) {
  const cached = initialState<T>(key)
  return cached.state === 'loading' ? { ...cached, data: staleData } : cached
}

function initialState<T>(key: string | undefined): QueryResult<T> & { key: string | undefined } {
  const cached = key === undefined ? undefined : cache.get(key)
  if (cached === undefined || (Date.now() - cached.at > CACHE_MS && !isHistoryNavigation())) {
    return { key, state: 'loading', data: undefined }
  }
  // Each key has one response type.
  return { key, state: 'ready', data: cached.data as T }
}

function cacheAnswer(key: string, data: unknown): void {
  cache.delete(key)
  cache.set(key, { at: Date.now(), data })
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHE_MAX) break
    cache.delete(oldest)
  }
}

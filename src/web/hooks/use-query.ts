import { useCallback, useEffect, useState } from 'react'
import { ApiError } from '../api.ts'
import { isHistoryNavigation } from './navigation.ts'

/** What a view knows of an answer. While a newer one is asked for, the older one may still be shown. */
export type QueryResult<T> =
  | { state: 'loading'; data: T | undefined }
  | { state: 'ready'; data: T }
  | { state: 'failed'; error: ApiError; data: undefined }

/** Answers of the last minute, and older ones for who goes back, to a page as they left it. */
const cache = new Map<string, { at: number; data: unknown }>()
const CACHE_MS = 60_000
const CACHE_MAX = 200

/** Forgets what was asked: who asks has changed, or what is told. */
export function clearQueryCache(): void {
  cache.clear()
}

/**
 * Asks the API for what a view shows.
 *
 * @param key names the question: another key asks anew; undefined asks nothing
 * @param fetcher does it; it is given a signal that ends it when nobody waits any more
 * @returns the answer so far, and what asks once more
 */
export function useQuery<T>(
  key: string | undefined,
  fetcher: (signal: AbortSignal) => Promise<T>,
): QueryResult<T> & { again: () => void } {
  const [asked, setAsked] = useState<QueryResult<T> & { key: string | undefined }>(() => first(key))
  const [round, setRound] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the question, not the function
  useEffect(() => {
    if (key === undefined) return
    const known = first<T>(key)
    if (known.state === 'ready') {
      setAsked(known)
      return
    }
    setAsked((before) => ({ key, state: 'loading', data: before.data }))
    const ending = new AbortController()
    fetcher(ending.signal).then(
      (data) => {
        if (ending.signal.aborted) return
        cacheAnswer(key, data)
        setAsked({ key, state: 'ready', data })
      },
      (error) => {
        if (ending.signal.aborted) return
        setAsked({ key, state: 'failed', error: toApiError(error), data: undefined })
      },
    )
    return () => ending.abort()
  }, [key, round])

  const refetch = useCallback(() => {
    if (key !== undefined) cache.delete(key)
    setRound((last) => last + 1)
  }, [key])
  const { key: _, ...told } = asked.key === key ? asked : { ...next(key, asked.data) }
  return { ...told, again: refetch }
}

/** What is known of another question before it is asked: its own answer, or the older one's. */
function next<T>(key: string | undefined, older: T | undefined) {
  const known = first<T>(key)
  return known.state === 'loading' ? { ...known, data: older } : known
}

function first<T>(key: string | undefined): QueryResult<T> & { key: string | undefined } {
  const known = key === undefined ? undefined : cache.get(key)
  if (known === undefined || (Date.now() - known.at > CACHE_MS && !isHistoryNavigation())) {
    return { key, state: 'loading', data: undefined }
  }
  // A key is asked for one kind of answer alone.
  return { key, state: 'ready', data: known.data as T }
}

function cacheAnswer(key: string, data: unknown): void {
  cache.delete(key)
  cache.set(key, { at: Date.now(), data })
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHE_MAX) break
    cache.delete(oldest)
  }
}

/** What a failed deed is told as: what is no answer of the API is a fault of the page itself. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError('PAGE', 'The page itself failed. Load it again.')
}

import { useCallback, useRef, useState } from 'react'
import type { ApiError } from '../api.ts'
import { toApiError } from './use-query.ts'

/** Something that a reader does, as a view knows of it. */
export type AsyncAction<Given extends unknown[]> = {
  /** Does it, unless it is being done: a second click sends nothing. */
  start(...given: Given): Promise<void>
  isRunning: boolean
  /** Why it failed the last time; undefined: it did not. */
  error: ApiError | undefined
  /** Forgets why it failed. */
  clearError(): void
}

/**
 * Follows something that a reader does, such as sending a form.
 *
 * @param perform rejects with what the reader is to be told
 */
export function useAction<Given extends unknown[]>(
  perform: (...given: Given) => Promise<unknown>,
): AsyncAction<Given> {
  const [error, setError] = useState<ApiError>()
  const [isRunning, setRunning] = useState(false)
  // Known at once, also to a second click before the next picture is drawn.
  const runs = useRef(false)

  async function start(...given: Given): Promise<void> {
    if (runs.current) return
    runs.current = true
    setRunning(true)
    setError(undefined)
    try {
      await perform(...given)
    } catch (cause) {
      setError(toApiError(cause))
    } finally {
      runs.current = false
      setRunning(false)
    }
  }

  const forget = useCallback(() => setError(undefined), [])
  return { start, isRunning, error, clearError: forget }
}

import { type FormEvent, useCallback, useRef, useState } from 'react'
import type { ApiError } from '../api.ts'
import { toApiError } from '../api-error.ts'

/** State of an asynchronous user action. */
export type AsyncAction<Args extends unknown[]> = {
  /** Runs the action unless it is already running, so a second click does nothing. */
  start(...args: Args): Promise<void>
  isRunning: boolean
  /** Error of the last run; undefined if it succeeded. */
  error: ApiError | undefined
  clearError(): void
}

/**
 * Tracks an asynchronous user action, such as sending a form.
 *
 * @param perform rejects with the error to show
 */
export function useAction<Args extends unknown[]>(
  perform: (...args: Args) => Promise<unknown>,
): AsyncAction<Args> {
  const [error, setError] = useState<ApiError>()
  const [isRunning, setRunning] = useState(false)
  // A ref, because a second click can come before the next render.
  const runs = useRef(false)

  async function start(...args: Args): Promise<void> {
    if (runs.current) return
    runs.current = true
    setRunning(true)
    setError(undefined)
    try {
      await perform(...args)
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

/** Returns a form handler that starts an action. */
export function submitTo(action: AsyncAction<[]>): (event: FormEvent) => void {
  return (event) => {
    event.preventDefault()
    void action.start()
  }
}

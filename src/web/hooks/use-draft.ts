import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * Holds the text being typed, besides its committed value (mostly in the URL). The draft follows external changes,
 * such as back navigation, and keeps trailing spaces.
 */
export function useDraft(value: string): [draft: string, setDraft: (draft: string) => void] {
  const [draft, setDraft] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    if (draft.trim() !== value) setDraft(value)
  }
  return [draft, setDraft]
}

/** Delay after the last keystroke, in milliseconds. */
const DEBOUNCE_MS = 120

/**
 * Returns a function that runs an action after the user stops typing.
 * Only the last action runs, and none after unmount. Call it without an action to cancel.
 */
export function useDebounce(): (action?: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((action) => {
    clearTimeout(timer.current)
    if (action !== undefined) timer.current = setTimeout(action, DEBOUNCE_MS)
  }, [])
}

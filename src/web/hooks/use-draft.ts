import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * What is being typed, beside what it stands for elsewhere (in the address, mostly). It follows when
 * that changes by itself, as by going back, and leaves spaces alone that are still being typed.
 */
export function useDraft(value: string): [draft: string, setDraft: (draft: string) => void] {
  const [draft, setDraft] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    if (draft.trim() !== value) setDraft(value)
  }
  return [draft, setDraft]
}

/** How long a hand must rest before what it typed is asked for, in milliseconds. */
const REST_MS = 120

/**
 * Does what somebody types asks for, once they rest: the last deed counts, and none after the view is
 * gone. Without a deed, what was waiting is dropped.
 */
export function useDebounce(): (deed?: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((deed) => {
    clearTimeout(timer.current)
    if (deed !== undefined) timer.current = setTimeout(deed, REST_MS)
  }, [])
}

import { useEffect, useState } from 'react'

/**
 * Reads a value from the fragment of the URL, which browsers never send, and removes it from the URL, so that it
 * appears neither in the history nor in bookmarks. Returns an empty text without a value.
 */
export function useFragment(name: 'token' | 'invitation'): string {
  const [value] = useState(() => new URLSearchParams(location.hash.slice(1)).get(name) ?? '')
  useEffect(() => {
    if (location.hash.startsWith(`#${name}=`)) {
      history.replaceState(history.state, '', location.pathname + location.search)
    }
  }, [name])
  return value
}

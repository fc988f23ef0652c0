import { useEffect, useState } from 'react'

/**
 * Takes a value from the fragment of the URL, which the browser sends to nobody, and removes it there, so that it is in
 * no history or bookmark. Returns an empty text without one.
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

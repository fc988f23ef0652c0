import { useEffect, useState } from 'react'

/**
 * Takes the token of a mail from the fragment of the URL, which the browser sends to nobody, and removes it there, so
 * that it is in no history or bookmark.
 */
export function useMailedToken(): string | undefined {
  const [token] = useState(
    () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined,
  )
  useEffect(() => {
    if (location.hash.startsWith('#token=')) {
      history.replaceState(history.state, '', location.pathname + location.search)
    }
  }, [])
  return token
}

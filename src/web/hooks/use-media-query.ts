import { useSyncExternalStore } from 'react'

/** Returns true while a media query matches. */
export function useMediaQuery(text: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(text)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => matchMedia(text).matches,
  )
}

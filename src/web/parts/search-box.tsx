import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { SearchField } from './search-field.tsx'

/**
 * The search in the bar, to which `/` leads from anywhere. The page of results has a field of its own:
 * there it stands back, and keeps its place.
 */
export function SearchBox() {
  const [path] = useLocation()
  const input = useRef<HTMLInputElement>(null)
  const isStanding = path !== '/search'

  useEffect(() => {
    if (!isStanding) return
    const onKey = (event: KeyboardEvent) => {
      if (!isSlash(event)) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isStanding])

  if (!isStanding) return <div className="bar-search" />
  return (
    <search className="bar-search">
      <SearchField key={path} size="bar" input={input} shortcut="/" />
    </search>
  )
}

/** Whether a key asks for the search, and is not a slash that somebody types. */
export function isSlash({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (key !== '/' || ctrlKey || metaKey || altKey) return false
  return !(target instanceof Element && target.closest('input, textarea, select') !== null)
}

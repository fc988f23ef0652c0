import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { SearchIcon } from './icons.tsx'

/** The search in the bar: what is typed is searched for as it is typed. `/` leads to it from anywhere. */
export function SearchBox() {
  const [path, go] = useLocation()
  const typed = new URLSearchParams(useSearch()).get('q') ?? ''
  const input = useRef<HTMLInputElement>(null)
  const isSearch = path === '/search'

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const inField =
        event.target instanceof Element && event.target.closest('input, textarea, select')
      if (event.key !== '/' || inField || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  return (
    <search className="bar-search">
      <form
        className="search-form"
        onSubmit={(event) => {
          event.preventDefault()
          go(`/search?q=${encodeURIComponent(input.current?.value ?? '')}`)
        }}
      >
        <SearchIcon />
        <input
          ref={input}
          key={isSearch ? 'search' : path}
          type="search"
          className="input"
          aria-label="Search cards"
          aria-keyshortcuts="/"
          placeholder="Search cards, sets, numbers"
          defaultValue={isSearch ? typed : ''}
        />
        <span className="shortcut" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  )
}

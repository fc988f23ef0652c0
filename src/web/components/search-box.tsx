import { useLocation } from 'wouter'
import { SearchField } from './search-field.tsx'

/** Header search. Empty on pages that have their own search field. */
export function SearchBox() {
  const [path] = useLocation()
  if (path === '/' || path === '/search') return <div className="bar-search" />
  return (
    <search className="bar-search">
      <SearchField key={path} size="bar" />
    </search>
  )
}

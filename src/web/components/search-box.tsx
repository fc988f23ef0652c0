import { useLocation } from 'wouter'
import { SearchField } from './search-field.tsx'

/**
 * The search in the bar. Where a page has a field of its own, this one stands back and keeps its place.
 */
export function SearchBox() {
  const [path] = useLocation()
  if (path === '/' || path === '/search') return <div className="bar-search" />
  return (
    <search className="bar-search">
      <SearchField key={path} size="bar" />
    </search>
  )
}

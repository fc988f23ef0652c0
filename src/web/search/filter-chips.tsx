import { CrossIcon } from '../components/icons.tsx'
import type { FilterName } from './query.ts'

type FilterChipsProps = {
  filters: readonly { name: FilterName; text: string }[]
  onClear: (names: readonly FilterName[]) => void
}

export function FilterChips({ filters, onClear }: FilterChipsProps) {
  if (filters.length === 0) return null
  return (
    <ul className="chips" aria-label="Active filters">
      {filters.map(({ name, text }) => (
        <li key={name}>
          <button type="button" className="chip" onClick={() => onClear([name])}>
            <span className="visually-hidden">Remove filter: </span>
            {text}
            <CrossIcon />
          </button>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <button
            type="button"
            className="chip all"
            onClick={() => onClear(filters.map(({ name }) => name))}
          >
            Clear all filters
          </button>
        </li>
      )}
    </ul>
  )
}

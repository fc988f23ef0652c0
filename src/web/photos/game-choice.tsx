import { useId } from 'react'
import type { Game } from '#client/endpoints.ts'

type GameChoiceProps = {
  games: readonly Game[]
  /** Slug; undefined for all games. */
  value: string | undefined
  onChange: (slug: string | undefined) => void
}

/** Limits the next photo to a game. */
export function GameChoice({ games, value, onChange }: GameChoiceProps) {
  const id = useId()
  // The URL can name an unknown game, or the games are still loading.
  const isUnknown = value !== undefined && !games.some(({ slug }) => slug === value)
  return (
    <div className="field">
      <label htmlFor={id}>Search in</label>
      <select
        id={id}
        className="input"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      >
        <option value="">Any game</option>
        {isUnknown && <option value={value}>{value}</option>}
        {games.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

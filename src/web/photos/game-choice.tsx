import { useId } from 'react'
import type { Game } from '#client/endpoints.ts'

type GameChoiceProps = {
  games: readonly Game[]
  /** Slug; undefined: any. */
  value: string | undefined
  onChange: (slug: string | undefined) => void
}

/** The game that the next photo is searched in. */
export function GameChoice({ games, value, onChange }: GameChoiceProps) {
  const id = useId()
  // An address can name any, and the games may still be on their way.
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

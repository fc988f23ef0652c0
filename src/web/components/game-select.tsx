import { useId } from 'react'
import type { Game } from '#client/endpoints.ts'
import { Select } from './select.tsx'

type GameSelectProps = {
  label: string
  /** Label of the empty option. */
  all: string
  games: readonly Game[]
  /** Slug; empty or undefined for all games. */
  value: string | undefined
  onChange: (slug: string) => void
}

export function GameSelect({ label, games, ...props }: GameSelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Select {...props} id={id} options={games.map(({ slug, name }) => [slug, name])} />
    </div>
  )
}

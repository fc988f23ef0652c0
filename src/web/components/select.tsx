import { type ComponentProps, useId } from 'react'
import type { Game } from '#client/endpoints.ts'

type SelectProps = Omit<ComponentProps<'select'>, 'onChange'> & {
  /** Label of the empty option; undefined for none. */
  all?: string
  options: readonly (readonly [value: string, name: string])[]
  value: string | undefined
  onChange: (value: string) => void
}

/** List of options. A value of the URL is also listed if it is not, or not yet, an option. */
export function Select({
  all,
  options,
  value = '',
  onChange,
  className = '',
  ...props
}: SelectProps) {
  const isListed = value === '' || options.some(([one]) => one === value)
  return (
    <select
      {...props}
      className={`input ${className}`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {!isListed && <option value={value}>{value}</option>}
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  )
}

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

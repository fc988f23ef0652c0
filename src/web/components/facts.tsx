import type { ReactNode } from 'react'

export type FactRow = readonly [name: string, value: ReactNode, className?: string | undefined]

type FactsProps = { rows: readonly FactRow[]; className?: string }

/** Table of names and values. */
export function Facts({ rows, className = 'fact-list' }: FactsProps) {
  return (
    <dl className={className}>
      {rows.map(([name, value, valueClass]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={valueClass}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

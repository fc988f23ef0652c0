import type { ReactNode } from 'react'

/**
 * Name of a column, its cells and their class: `number`, `soft` or `wide-only`. A hidden name is only for screen
 * readers.
 */
export type Column<Row> = readonly [
  name: string,
  cell: (row: Row, at: number) => ReactNode,
  className?: string,
  isNameHidden?: boolean,
]

type TableProps<Row> = {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row, at: number) => string | number
  /** Tag of the first cell: `th` if it names its row. */
  first?: 'th' | 'td'
}

/** Table of rows. It needs a frame that scrolls. */
export function Table<Row>({ columns, rows, keyOf, first = 'th' }: TableProps<Row>) {
  return (
    <table className="table">
      <thead>
        <tr>
          {columns.map(([name, , className, isNameHidden = false]) => (
            <th
              key={`${name} ${className}`}
              scope="col"
              className={isNameHidden ? undefined : className}
            >
              {isNameHidden ? <span className="visually-hidden">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={keyOf(row, at)}>
            {columns.map(([name, cell, className], index) => {
              const Cell = index === 0 ? first : 'td'
              return (
                <Cell
                  key={`${name} ${className}`}
                  scope={Cell === 'th' ? 'row' : undefined}
                  className={className}
                >
                  {cell(row, at)}
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

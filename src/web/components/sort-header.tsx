type SortHeaderProps<Sort extends string> = {
  name: string
  className: string
  /** Orders of the column: the first click, and the next ones. Without any, it is only a name. */
  sorts: readonly Sort[]
  /** Order of the table. */
  sort: Sort
  /** True if the order of the table is ascending. */
  isUp: boolean
  onSort: (sort: Sort) => void
}

/** Head of a column, which sorts its table. */
export function SortHeader<Sort extends string>(props: SortHeaderProps<Sort>) {
  const { name, className, sorts, sort, isUp, onSort } = props
  const at = sorts.indexOf(sort)
  const order = at < 0 ? undefined : isUp ? 'ascending' : 'descending'
  const next = sorts[(at + 1) % sorts.length]
  return (
    <th scope="col" className={className} aria-sort={order}>
      {next === undefined ? (
        name
      ) : (
        <button type="button" className="sort-by" onClick={() => onSort(next)}>
          {name}
          <span aria-hidden="true">{order && (isUp ? ' ↑' : ' ↓')}</span>
        </button>
      )}
    </th>
  )
}

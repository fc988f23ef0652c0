import { normalizeName } from '../catalog/trigrams.ts'
import { findColumns } from './collection-headers.ts'
import { findCountColumns, parseQuantity, splitCopies } from './quantity-columns.ts'

/**
 * Creates a function that takes some of the copies out of the cells of a row, by their places among the rows that it
 * becomes. Undefined if no column counts the copies of a printing, so that a row never becomes several.
 */
export function createCopyRemover(header: readonly string[]) {
  const keys = header.map(normalizeName)
  const totals = findColumns(keys, 'quantity')
  const columns = findCountColumns(keys, totals)
  if (columns.counts.length === 0) return undefined
  return (cells: readonly string[], places: ReadonlySet<number>): string[] => {
    const rest = [...cells]
    const total = totals.find((index) => (cells[index]?.trim() ?? '') !== '')
    const all = total === undefined ? null : (cells[total]?.trim() ?? null)
    for (const [place, { index, quantity }] of splitCopies(columns, cells, all).entries()) {
      if (!places.has(place)) continue
      if (index !== undefined) rest[index] = '0'
      if (total === undefined || (index !== undefined && !columns.areIncluded)) continue
      rest[total] = String(copiesOf(rest[total]) - copiesOf(quantity))
    }
    return rest
  }
}

function copiesOf(cell: string | undefined): number {
  return parseQuantity(cell ?? null) ?? 0
}

/** One cell: text is guarded, numbers stay numbers, unknown is empty. */
export type CsvCell = string | number | null | undefined

/**
 * One record of RFC 4180, with its line end. Text that a spreadsheet would run as a formula gets an
 * apostrophe before it (OWASP, CSV injection); a number cannot be one, so -1 stays -1.
 */
export function formatCsvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  const inert = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

const FORMULA = /^[=+\-@\t\r\0]/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

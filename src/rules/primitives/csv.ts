/** A cell. Text is guarded, numbers and booleans are written as they are, unknown values are empty. */
export type CsvCell = string | number | boolean | null | undefined

/**
 * Formats one record (RFC 4180) with its line end. Text that a spreadsheet would run as a formula
 * gets a leading apostrophe (OWASP, CSV injection). A number cannot be a formula, so -1 stays -1.
 */
export function formatCsvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

function formatCell(cell: CsvCell): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell !== 'string') return String(cell)
  const inert = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

const FORMULA = /^[=+\-@\t\r\0]/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

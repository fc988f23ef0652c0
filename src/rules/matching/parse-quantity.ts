/** Maximum quantity of a row: a larger number belongs to another column. */
const COPIES_MAX = 1_000_000

/**
 * Parses a quantity; an empty cell is 1. Spreadsheets write 2.0, people 2x.
 *
 * @returns undefined unless it is a whole number from 1 to a million
 */
export function parseQuantity(cell: string | null): number | undefined {
  if (cell === null) return 1
  const [, digits] = /^(\d{1,7})(?:\.0)?\s*x?$/i.exec(cell) ?? []
  const copies = Number(digits ?? 0)
  return copies >= 1 && copies <= COPIES_MAX ? copies : undefined
}

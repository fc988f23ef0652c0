/** The most copies that a row may count: more is a number of another column. */
const COPIES_MAX = 1_000_000

/**
 * How many copies a cell counts; one where it is empty. Spreadsheets write 2.0, people 2x.
 *
 * @returns undefined for what is no whole number from 1 to a million
 */
export function parseQuantity(cell: string | null): number | undefined {
  if (cell === null) return 1
  const [, digits] = /^(\d{1,7})(?:\.0)?\s*x?$/i.exec(cell) ?? []
  const copies = Number(digits ?? 0)
  return copies >= 1 && copies <= COPIES_MAX ? copies : undefined
}

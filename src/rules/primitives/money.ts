/** Cents as the wire tells them: a JSON number of dollars with at most two decimals. */
export function toDollars(cents: number): number
export function toDollars(cents: number | null): number | null
export function toDollars(cents: number | null): number | null {
  return cents === null ? null : cents / 100
}

/** Dollars as cents; undefined for fractions of one, and for what is no number of them. */
export function toCents(dollars: number): number | undefined {
  // By its digits: 19.99 times 100 is not 1999.
  return /^\d+(\.\d{1,2})?$/.test(String(dollars)) ? Math.round(dollars * 100) : undefined
}

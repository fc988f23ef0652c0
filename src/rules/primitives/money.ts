/** Converts cents to dollars: a JSON number with at most two decimals. */
export function toDollars(cents: number): number
export function toDollars(cents: number | null): number | null
export function toDollars(cents: number | null): number | null {
  return cents === null ? null : cents / 100
}

/** Converts dollars to cents; undefined for fractions of a cent, negative or non-finite numbers. */
export function toCents(dollars: number): number | undefined {
  // Tests the decimal digits, because 19.99 * 100 is not exactly 1999.
  return /^\d+(\.\d{1,2})?$/.test(String(dollars)) ? Math.round(dollars * 100) : undefined
}

/** Returns true if one amount is more than `factor` times the other. */
export function isApart(amount: number, other: number, factor: number): boolean {
  return Math.max(amount, other) > Math.min(amount, other) * factor
}

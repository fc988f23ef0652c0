/** Cents as the wire tells them: a JSON number of dollars with at most two decimals. */
export function dollars(cents: number): number
export function dollars(cents: number | null): number | null
export function dollars(cents: number | null): number | null {
  return cents === null ? null : cents / 100
}

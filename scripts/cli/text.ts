// Texts for people: numbers with their nouns, times, sizes, prices and tables.

/** Formats a number with its noun, such as `1 game` or `1,200 cards`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`
}

/** Formats the time since a `performance.now()`, such as `1.4 s`. */
export function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}

/** Formats a size, such as `45.1 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}

/** Formats an amount in dollars, such as `-$2.50`. */
export function formatPrice(amount: number, currency = 'USD'): string {
  if (currency !== 'USD') return `${amount.toFixed(2)} ${currency}`
  return `${amount < 0 ? '-' : ''}$${Math.abs(amount).toFixed(2)}`
}

/** Formats the lowest and the highest price, such as `$0.53–1.36`; undefined without any. */
export function formatPriceRange(amounts: readonly (number | null)[]): string | undefined {
  const known = amounts.filter((amount) => amount !== null)
  if (known.length === 0) return undefined
  const [low, high] = [Math.min(...known), Math.max(...known)]
  return low === high ? formatPrice(low) : `${formatPrice(low)}–${high.toFixed(2)}`
}

/** Formats rows below a header. Numbers and prices are aligned right. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const texts = [head, ...rows].map((row) => row.map(String))
  const isNumber = head.map((_, column) =>
    rows.every((row) => /^(?:-?\$?[\d,.]+)?$/.test(String(row[column]))),
  )
  const widths = head.map((_, column) =>
    Math.max(...texts.map((row) => Bun.stringWidth(row[column] ?? ''))),
  )
  return texts
    .map((row) =>
      row
        .map((cell, column) => {
          const space = ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell))
          return isNumber[column] ? space + cell : cell + space
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

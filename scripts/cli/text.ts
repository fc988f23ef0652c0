// Texts for people: numbers with their nouns, times, sizes, prices and tables.

/** Formats a number with its noun, such as `1 game` or `1,200 cards`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`
}

/** Formats the time since a `performance.now()`, such as `1.4 s`. */
export function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}

/** Formats a time in UTC, such as `2026-08-05 20:05:50`; '' for none. */
export function formatTime(time: string | number | null): string {
  return time === null ? '' : new Date(time).toISOString().slice(0, 19).replace('T', ' ')
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

/** Width of the texts, in columns. */
const WIDTH = 96

/** Breaks a text into lines. An indented line is a label with a text, and continues below the text. */
export function wrap(text: string, width = WIDTH): string {
  const result: string[] = []
  for (const line of text.split('\n')) {
    const [, label, about = ''] = /^( +\S+ +)(.*)$/.exec(line) ?? []
    if (label !== undefined) {
      const lines = wrap(about, width - label.length).replaceAll(
        '\n',
        `\n${' '.repeat(label.length)}`,
      )
      result.push(label + lines)
      continue
    }
    let current = ''
    for (const word of line.split(' ')) {
      if (current !== '' && current.length + 1 + word.length > width) {
        result.push(current)
        current = word
      } else current = current === '' ? word : `${current} ${word}`
    }
    result.push(current)
  }
  return result.join('\n')
}

/** Formats labels with their texts beside them, indented and broken into lines. */
export function formatRows(rows: readonly (readonly [label: string, about: string])[]): string {
  const width = Math.max(0, ...rows.map(([label]) => label.length))
  const indent = ' '.repeat(width + 4)
  return rows
    .map(([label, about]) => {
      const [first = '', ...more] = wrap(about, WIDTH - width - 4).split('\n')
      return [`  ${label.padEnd(width)}  ${first}`, ...more.map((line) => indent + line)].join('\n')
    })
    .join('\n')
}

/** Maximum number of errors that are shown; further ones are counted. */
const ERRORS_SHOWN = 20

/** Formats the first errors of a file's rows, a line each, and how many more there are. @param option that lists all */
export function formatRowErrors(
  errors: readonly { line: number; reason: string }[],
  option: string,
): string[] {
  const shown = errors.slice(0, ERRORS_SHOWN).map(({ line, reason }) => `Line ${line}: ${reason}`)
  const more = errors.length - shown.length
  if (more === 0) return shown
  return [...shown, `… and ${more.toLocaleString('en')} more. ${option} lists all of them.`]
}

/** A row of the result. */
export type Row = {
  figure: string
  ours: string
  /** Measurement in the same run without Cardstock's work, and the ratio to it. */
  limit?: string
  toLimit?: string
  peer?: string
  toPeer?: string
  target?: string
  /** True if the target is met; undefined without a target. */
  met?: boolean
}

/** Formats the result as a Markdown table. */
export function formatTable(rows: readonly Row[]): string {
  const head = ['figure', 'ours', 'limit', 'ours / limit', 'peer', 'ours / peer', 'target', '']
  const cells = rows.map((row) => [
    row.figure,
    row.ours,
    row.limit ?? '',
    row.toLimit ?? '',
    row.peer ?? '',
    row.toPeer ?? '',
    row.target ?? '',
    row.met === undefined ? '' : row.met ? 'met' : '**missed**',
  ])
  const widths = head.map((text, column) =>
    Math.max(text.length, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n')
}

/** Formats a number with three significant digits. */
export function formatShort(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}

export const times = (value: number) => `${formatShort(value)}x`
export const percent = (value: number) => `${formatShort(value * 100)} %`
export const perSecond = (sample: { rps: number; cpu: number }) =>
  `${formatShort(sample.rps)}/s, ${formatShort(sample.cpu)} µs CPU`

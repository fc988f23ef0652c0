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

/** Formats the result as a Markdown table in the form of docs/reference/benchmarks.md. */
export function formatTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.figure,
    row.ours,
    withRatio(row.limit, row.toLimit),
    withRatio(row.peer, row.toPeer),
    withVerdict(row),
  ])
  return formatCells(
    ['measurement', 'Cardstock', 'limit in the same run', 'peer in the same run', 'target'],
    cells,
  )
}

/** Formats rows as a Markdown table; the keys of the first row are the head. */
export function formatRows(rows: readonly Readonly<Record<string, string>>[]): string {
  return formatCells(Object.keys(rows[0] ?? {}), rows.map(Object.values))
}

function formatCells(head: readonly string[], cells: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function withRatio(measured: string | undefined, ratio: string | undefined): string {
  if (measured === undefined || ratio === undefined) return measured ?? ratio ?? ''
  return `${measured} (${ratio})`
}

function withVerdict({ target = '', met }: Row): string {
  if (met === undefined) return target
  return `${target}: ${met ? 'met' : '**missed**'}`
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

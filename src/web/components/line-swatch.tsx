/** Dash patterns of chart lines, in pixels, so that color is not the only difference. */
const DASHES = [[], [8, 4], [2, 4], [10, 4, 2, 4], [5, 3]] as const

/** Dash pattern of the part of a line that is carried back. */
export const CARRIED_DASH = [6, 4] as const

/** Returns the CSS variable of a line's color. */
export function seriesColor(at: number): string {
  return `--series-${(at % DASHES.length) + 1}`
}

type LineStyle = { color: string; dash: readonly number[] }

/** Returns the CSS variable of a line's color, and its dash pattern. A reference line is dotted and has no color. */
export function lineStyle(line: { isReference?: boolean } | undefined, at: number): LineStyle {
  if (line?.isReference === true) return { color: '--ink-soft', dash: [2, 4] }
  return { color: seriesColor(at), dash: DASHES[at % DASHES.length] ?? [] }
}

/** Shows the color and dash pattern of a chart line. */
export function LineSwatch({ color, dash }: LineStyle) {
  return (
    <svg className="swatch" aria-hidden="true" viewBox="0 0 24 4" width="24" height="4">
      <line
        x1="0"
        y1="2"
        x2="24"
        y2="2"
        stroke={`var(${color})`}
        strokeWidth="3"
        strokeDasharray={dash.join(' ')}
      />
    </svg>
  )
}

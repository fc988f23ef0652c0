/** Dash patterns of chart lines, in pixels, so that color is not the only difference. */
export const DASHES = [[], [8, 4], [2, 4], [10, 4, 2, 4], [5, 3]] as const

/** Returns the CSS variable of a line's color. */
export function seriesColor(at: number): string {
  return `--series-${(at % DASHES.length) + 1}`
}

/** Shows the color and dash pattern of a chart line. */
export function LineSwatch({ at: index }: { at: number }) {
  return (
    <svg className="swatch" aria-hidden="true" viewBox="0 0 24 4" width="24" height="4">
      <line
        x1="0"
        y1="2"
        x2="24"
        y2="2"
        stroke={`var(${seriesColor(index)})`}
        strokeWidth="3"
        strokeDasharray={DASHES[index % DASHES.length]?.join(' ')}
      />
    </svg>
  )
}

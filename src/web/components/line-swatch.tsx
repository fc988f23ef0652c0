/** Dashes of the lines of a chart, in pixels: none alike, so that they are not told apart by colour alone. */
export const DASHES = [[], [8, 4], [2, 4], [10, 4, 2, 4], [5, 3]] as const

/** The name of a line's colour in tokens.css. */
export function seriesColour(at: number): string {
  return `--series-${(at % DASHES.length) + 1}`
}

/** A piece of a chart's line, beside its name. */
export function LineSwatch({ at: index }: { at: number }) {
  return (
    <svg className="swatch" aria-hidden="true" viewBox="0 0 24 4" width="24" height="4">
      <line
        x1="0"
        y1="2"
        x2="24"
        y2="2"
        stroke={`var(${seriesColour(index)})`}
        strokeWidth="3"
        strokeDasharray={DASHES[index % DASHES.length]?.join(' ')}
      />
    </svg>
  )
}

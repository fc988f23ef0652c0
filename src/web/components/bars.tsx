import { type PointerEvent, useState } from 'react'
import { count, dayText } from '../format.ts'
import { listText } from '../texts/list-text.ts'
import { seriesColor } from './line-swatch.tsx'

/** Values of one day, one per series, none negative. */
export type BarDay = { date: string; values: readonly number[] }

type BarsProps = {
  /** Accessible name, such as "Requests by day". */
  label: string
  /** Words for a sum, such as "3 requests". */
  sumText: (sum: number) => string
  /** Names of the stacked series, lowest first. A single series has no legend. */
  series: readonly string[]
  days: readonly BarDay[]
}

const HEIGHT = 100
/** Share of a day's width that its bar fills. */
const BAR = 0.72

/** Bar chart by day. The pointer and the arrow keys select a day. */
export function Bars({ label, sumText, series, days }: BarsProps) {
  const [chosen, setChosen] = useState<number>()
  const top = axisMaximum(Math.max(...days.map(sumOf)))
  const at = Math.min(chosen ?? days.length - 1, days.length - 1)
  const day = days[at]
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * days.length)
    setChosen(Math.min(days.length - 1, Math.max(0, index)))
  }
  if (day === undefined) return null
  return (
    <figure className="stack tight">
      <figcaption className="bars-readout">
        <strong>{dayText(day.date)}</strong>
        <span>{sumText(sumOf(day))}</span>
        {series.length > 1 && <Legend series={series} day={day} />}
      </figcaption>
      <div className="bars-frame">
        <span className="bars-top small soft" aria-hidden="true">
          {count(top)}
        </span>
        <div className="bars-field" onPointerMove={point} onPointerDown={point}>
          <svg
            viewBox={`0 0 ${days.length} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect className="bars-selected" x={at} y={0} width={1} height={HEIGHT} />
            {days.map((one, index) => (
              <g key={one.date}>
                {segments(one, top).map(({ y, height, seriesIndex }) => (
                  <rect
                    key={series[seriesIndex]}
                    fill={`var(${seriesColor(seriesIndex)})`}
                    x={index + (1 - BAR) / 2}
                    y={y}
                    width={BAR}
                    height={height}
                  />
                ))}
              </g>
            ))}
          </svg>
          <input
            type="range"
            className="bars-range"
            aria-label={label}
            min={0}
            max={days.length - 1}
            value={at}
            aria-valuetext={`${dayText(day.date)}: ${valuesText(day, series, sumText)}`}
            onChange={({ target }) => setChosen(Number(target.value))}
          />
        </div>
        <p className="bars-ends small soft" aria-hidden="true">
          <span>{dayText(days[0]?.date ?? day.date)}</span>
          <span>{dayText(days.at(-1)?.date ?? day.date)}</span>
        </p>
      </div>
    </figure>
  )
}

function Legend({ series, day }: { series: readonly string[]; day: BarDay }) {
  return (
    <ul className="bars-legend small soft">
      {series.map((name, index) => (
        <li key={name}>
          <span
            className="legend-swatch"
            style={{ color: `var(${seriesColor(index)})` }}
            aria-hidden="true"
          />
          {name} <b>{count(day.values[index] ?? 0)}</b>
        </li>
      ))}
    </ul>
  )
}

/** Stacks the non-zero values of a day from the bottom up. */
function segments({ values }: BarDay, top: number) {
  let bottom = HEIGHT
  return values.flatMap((value, seriesIndex) => {
    if (value === 0) return []
    const height = (value / top) * HEIGHT
    bottom -= height
    return [{ y: bottom, height, seriesIndex }]
  })
}

function sumOf({ values }: BarDay): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function valuesText(day: BarDay, series: readonly string[], sumText: BarsProps['sumText']): string {
  const sum = sumText(sumOf(day))
  if (series.length === 1) return sum
  const parts = series.map((name, index) => `${name} ${count(day.values[index] ?? 0)}`)
  return `${sum}: ${listText(parts)}`
}

/** Returns the smallest of 1, 2, 5, 10, 20, 50 … that covers the values; at least 5. */
function axisMaximum(maximum: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(maximum, 5)))
  return (
    [1, 2, 5, 10].map((times) => times * size).find((top) => top >= Math.max(maximum, 5)) ?? maximum
  )
}

import { type KeyboardEvent, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { dayText, moneyText } from '../format.ts'
import { type PlottedHistory, plotHistory, priceAxis, timeAxis } from '../pricing/chart-data.ts'
import { dayOnAxis, moneyOnAxis } from '../pricing/chart-text.ts'
import type { HistoryLine, PriceHistory } from '../pricing/history-ranges.ts'
import { onThemeChange } from '../theme.ts'
import { CARRIED_DASH, lineStyle } from './line-swatch.tsx'

type ChartProps = {
  label: string
  history: PriceHistory
  /** Printings without a line. */
  hidden: ReadonlySet<string>
  /** Index of the selected day; undefined if none is selected. */
  at: number | undefined
  /** Called with the selected day. Must be a stable function. */
  onMove: (at: number | undefined) => void
}

/**
 * Line chart of prices by day. Mouse, touch and arrow keys select a day.
 * For screen readers this is a slider whose value is the day with its prices.
 */
export function Chart({ label, history, hidden, at, onMove }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const last = history.days.length - 1
  const read = Math.min(at ?? last, last)

  useEffect(() => {
    if (frame.current === null) return
    const drawing = draw(frame.current, history, onMove)
    plot.current = drawing.plot
    return drawing.destroy
  }, [history, onMove])

  useEffect(() => {
    for (const [index, { printing }] of history.lines.entries()) {
      plot.current?.setSeries(index + 1, { show: !hidden.has(printing) })
    }
    // The last series continues the first one.
    const [first] = history.lines
    if (first !== undefined && plot.current?.series.length === history.lines.length + 2) {
      plot.current.setSeries(history.lines.length + 1, { show: !hidden.has(first.printing) })
    }
  }, [history, hidden])

  function moveTo(day: number) {
    const time = Date.parse(history.days[day] ?? '') / 1000
    if (plot.current === null || Number.isNaN(time)) return
    plot.current.setCursor({ left: plot.current.valToPos(time, 'x'), top: 0 })
  }

  function onKey(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    moveTo(Math.max(0, Math.min(last, read + step)))
  }

  return (
    <div
      ref={frame}
      className="chart"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={read}
      aria-valuetext={textOf(history, hidden, read)}
      onKeyDown={onKey}
    />
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

function textOf(
  { days, lines, currency }: PriceHistory,
  hidden: ReadonlySet<string>,
  at: number,
): string {
  const textAt = ({ prices }: HistoryLine) =>
    prices[at] == null ? 'unknown' : moneyText(prices[at], currency)
  const prices = lines
    .filter(({ printing }) => !hidden.has(printing))
    .map((line) => `${line.printing} ${textAt(line)}`)
  return `${dayText(days[at] ?? '')}: ${prices.join(', ')}`
}

/** Draws the chart and redraws it when its size or the color scheme changes. */
function draw(box: HTMLElement, history: PriceHistory, onMove: ChartProps['onMove']) {
  const plotted = plotHistory(history)
  const carried = plotted.carried === undefined ? [] : [plotted.carried]
  const data: uPlot.AlignedData = [plotted.seconds, ...plotted.lines, ...carried]
  let isFinger = false
  const options = optionsFor({ box, history, plotted, onMove, isSticky: () => isFinger })
  const plot = new uPlot(options, data, box)
  // uPlot only follows the mouse.
  const point = ({ pointerType, clientX }: PointerEvent) => {
    isFinger = pointerType !== 'mouse'
    if (isFinger) {
      plot.setCursor({ left: clientX - plot.over.getBoundingClientRect().left, top: 0 })
    }
  }
  const sizes = new ResizeObserver(() => plot.setSize(sizeOf(box)))
  sizes.observe(box)
  plot.over.addEventListener('pointerdown', point)
  plot.over.addEventListener('pointermove', point)
  const stopRepainting = onThemeChange(() => plot.redraw(false, true))
  return {
    plot,
    destroy() {
      sizes.disconnect()
      stopRepainting()
      plot.destroy()
    },
  }
}

function sizeOf(box: HTMLElement) {
  return { width: box.clientWidth, height: box.clientHeight }
}

type DrawOptions = Pick<ChartProps, 'history' | 'onMove'> & {
  box: HTMLElement
  plotted: PlottedHistory
  /** True if the selected day stays selected when the pointer leaves. */
  isSticky: () => boolean
}

function optionsFor({ box, history, plotted, onMove, isSticky }: DrawOptions): uPlot.Options {
  // Reads the color at each redraw: the scheme may have changed.
  const color = (name: string) => () => getComputedStyle(box).getPropertyValue(name)
  const { fontSize, fontFamily } = getComputedStyle(box)
  const axis = {
    stroke: color('--ink-soft'),
    font: `${fontSize} ${fontFamily}`,
    ticks: { show: false },
    border: { show: false },
  }
  return {
    ...sizeOf(box),
    // Room for the last label, which is centered on its tick.
    padding: [8, 28, 0, 0],
    legend: { show: false },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'UTC'),
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 9 },
      // After touch events, browsers send simulated mouse events.
      bind: { mouseleave: (_, __, leave) => (event) => (isSticky() ? null : leave(event)) },
    },
    hooks: { setCursor: [({ cursor }) => onMove(plotted.dayAt[cursor.idx ?? -1])] },
    scales: {
      // Replaces uPlot's proposal, which for a single day spans years.
      x: { range: () => timeAxis(plotted.seconds[0] ?? 0, plotted.seconds.at(-1) ?? 0) },
      // Without a price there is no scale.
      y: { range: (_, low, high) => priceAxis(low ?? 0, high ?? 1) },
    },
    series: [
      {},
      ...history.lines.map((line, at) => {
        const { color: name, dash } = lineStyle(line, at)
        return { label: line.printing, stroke: color(name), width: 2, dash: [...dash] }
      }),
      ...(plotted.carried === undefined
        ? []
        : [{ stroke: color(lineStyle(undefined, 0).color), width: 2, dash: [...CARRIED_DASH] }]),
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 36,
        gap: 10,
        space: 72,
        incrs: [1, 2, 3, 7, 14, 30, 60, 90, 180, 365].map((days) => days * DAY_SECONDS),
        values: (_, times, __, ___, step) =>
          times.map((at) => dayOnAxis(new Date(at * 1000), step / DAY_SECONDS)),
      },
      {
        ...axis,
        grid: { stroke: color('--line'), width: 1 },
        values: (_, prices, __, ___, step) =>
          prices.map((price) => moneyOnAxis(price, step, history.currency)),
        // Fits the longest label.
        size: (_, labels) =>
          16 + Math.max(0, ...(labels ?? []).map(({ length }) => length)) * GLYPH_PIXELS,
      },
    ],
  }
}

const DAY_SECONDS = 86_400
const GLYPH_PIXELS = 8

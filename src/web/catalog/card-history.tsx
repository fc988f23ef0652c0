import { Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { LineSwatch, seriesColour } from '../components/line-swatch.tsx'
import { PlansLink } from '../components/plans-link.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { type Column, Table } from '../components/table.tsx'
import { dayText, plural, usd } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { lazyView } from '../lazy-view.ts'
import { equalLines } from '../pricing/chart-data.ts'
import { drawChartPicture, historyCsv } from '../pricing/chart-files.ts'
import {
  existingRanges,
  type HistoryLine,
  type HistoryRange,
  type PriceHistory,
  sliceHistory,
} from '../pricing/history-ranges.ts'
import { fetchHistory } from '../pricing/price-history.ts'
import { fileNameOf, saveFile } from '../save-file.ts'
import { useSession } from '../session.tsx'

// The chart library is larger than the rest of the view.
const Chart = lazyView(async () => (await import('../components/chart.tsx')).Chart)

const RANGES = [
  ['month', '1M'],
  ['quarter', '3M'],
  ['year', '1Y'],
  ['all', 'All'],
] as const satisfies readonly (readonly [HistoryRange, string])[]

/** Maximum number of lines. Each line costs a request. */
const LINES_MAX = 5

type CardHistoryProps = {
  id: number
  /** Name of the card, for files. */
  name: string
  /** Most important first; undefined until loaded. */
  printings: readonly string[] | undefined
}

/** Charts the price history: one line per printing, with a readout and a table. */
export function CardHistory({ id, name, printings }: CardHistoryProps) {
  const [query, setQuery] = useSearchParams()
  const wanted = RANGES.find(([value]) => value === query.get('range'))?.[0] ?? 'month'
  const result = useQuery(printings && `history of ${id}`, (signal) =>
    fetchHistory(id, printings?.slice(0, LINES_MAX) ?? [], signal),
  )
  const existing = result.data && existingRanges(result.data)
  const range = chooseRange(wanted, existing)
  const options = RANGES.filter(([value]) => existing?.includes(value) ?? true)
  const shown = useMemo(() => result.data && sliceHistory(result.data, range), [result.data, range])
  const choose = (next: HistoryRange) =>
    setQuery((before) => ({ ...Object.fromEntries(before), range: next }), { replace: true })
  return (
    <section className="panel history" aria-labelledby="history">
      <div className="history-head">
        <h2 id="history">Price history</h2>
        {options.length > 1 && (
          <SegmentedControl label="Period" options={options} value={range} onChange={choose} />
        )}
      </div>
      <QueryError query={result} />
      {result.state === 'loading' && <HistorySkeleton lines={printings?.length ?? 2} />}
      {result.state === 'ready' && shown !== undefined && (
        <>
          <HistoryChart key={`${id} ${range}`} name={name} history={shown} />
          <Limits history={shown} printings={printings?.length ?? 0} />
        </>
      )}
    </section>
  )
}

/** Returns the wanted range, or the longest one that exists. */
function chooseRange(wanted: HistoryRange, existing: readonly HistoryRange[] | undefined) {
  if (existing === undefined || existing.includes(wanted)) return wanted
  return existing.at(-1) ?? wanted
}

function HistorySkeleton({ lines }: { lines: number }) {
  return (
    <div className="stack tight" role="status" aria-label="Loading">
      <Skeleton width="6rem" />
      <div className="chart-legend">
        {Array.from({ length: Math.min(lines, LINES_MAX) }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical
          <span key={at} className="skeleton legend-line" />
        ))}
      </div>
      <div className="chart skeleton" />
      <Skeleton width="6rem" />
    </div>
  )
}

/** The chart, the prices of the selected day and the table. */
function HistoryChart({ name, history }: { name: string; history: PriceHistory }) {
  const { days, lines } = history
  const frame = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const move = useCallback((next: number | undefined) => setAt(next), [])
  if (!lines.some(({ prices }) => prices.some((price) => price != null))) return <Empty />

  const read = at ?? days.length - 1
  const equal = equalLines(history)
  function toggle(printing: string) {
    const next = new Set(hidden)
    if (!next.delete(printing)) next.add(printing)
    // At least one line stays visible.
    if (next.size < lines.length) setHidden(next)
  }
  return (
    <>
      <p className="history-day soft small">{dayText(days[read] ?? '')}</p>
      <ul className="chart-legend">
        {lines.map(({ printing, prices }, index) => (
          <li key={printing}>
            <button
              type="button"
              className="legend-line"
              aria-pressed={!hidden.has(printing)}
              onClick={() => toggle(printing)}
            >
              <LineSwatch at={index} />
              <span className="legend-name">{printing}</span>
              <strong>{usd(prices[read])}</strong>
              <LineChange prices={prices} read={read} />
              {equal[index] !== undefined && <span className="soft">same as {equal[index]}</span>}
            </button>
          </li>
        ))}
      </ul>
      <div ref={frame}>
        <Suspense fallback={<div className="chart skeleton" />}>
          <Chart
            label="Market price by day"
            history={history}
            hidden={hidden}
            at={at}
            onMove={move}
          />
        </Suspense>
      </div>
      <div className="row">
        <Button
          className="small"
          onClick={() => savePicture(frame.current, { title: name, history, hidden })}
        >
          Save as PNG
        </Button>
        <Button className="small" onClick={() => saveTable(name, history)}>
          Save as CSV
        </Button>
      </div>
      <HistoryTable history={history} />
    </>
  )
}

/** Change since the first price of the period. */
function LineChange({ prices, read }: { prices: HistoryLine['prices']; read: number }) {
  const begin = prices.findIndex((price) => typeof price === 'number')
  const [first, last] = [prices[begin], prices[read]]
  if (begin === read || typeof last !== 'number' || !first) return null
  return <PriceChange points={(last / first - 1) * 100} />
}

function saveTable(name: string, history: PriceHistory): void {
  const content = new Blob([historyCsv(history)], { type: 'text/csv;charset=utf-8' })
  saveFile(`${fileNameOf(name)}.csv`, content)
}

function savePicture(
  frame: HTMLElement | null,
  { title, history, hidden }: { title: string; history: PriceHistory; hidden: ReadonlySet<string> },
): void {
  const canvas = frame?.querySelector('canvas')
  if (canvas == null) return
  const style = getComputedStyle(canvas)
  const colour = (name: string) => style.getPropertyValue(name)
  const colours = {
    ...{ ink: colour('--ink'), soft: colour('--ink-soft'), surface: colour('--surface') },
    line: (at: number) => colour(seriesColour(at)),
  }
  drawChartPicture({ canvas, title, history, hidden, colours }).toBlob((content) => {
    if (content !== null) saveFile(`${fileNameOf(title)}.png`, content)
  })
}

function Empty() {
  return (
    <div className="chart history-empty">
      <div>
        <h3>No prices in this period</h3>
        <p className="soft">History is recorded for cards worth $1 or more. Try a longer period.</p>
      </div>
    </div>
  )
}

/** Explains which part of the history is not shown. */
function Limits({ history: { depthDays }, printings }: LimitsProps) {
  const { me } = useSession()
  return (
    <>
      {depthDays !== undefined && (
        <p className="small soft">
          {me ? 'Your plan shows' : 'Visitors see'} {plural(depthDays, 'day')} of history.{' '}
          <PlansLink />
        </p>
      )}
      {printings > LINES_MAX && (
        <p className="small soft">
          Only {LINES_MAX} of {printings} printings are shown.
        </p>
      )}
    </>
  )
}

type LimitsProps = { history: PriceHistory; printings: number }

function HistoryTable({ history: { days, lines } }: { history: PriceHistory }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
        <section className="table-frame history-table" aria-label="Prices by day" tabIndex={0}>
          <Table
            columns={[
              ['Day', (at) => dayText(days[at] ?? '')],
              ...lines.map(
                ({ printing, prices }): Column<number> => [
                  printing,
                  (at) => usd(prices[at]),
                  'number',
                ],
              ),
            ]}
            rows={[...days.keys()].reverse()}
            keyOf={(at) => at}
          />
        </section>
      )}
    </details>
  )
}

import { Suspense, useCallback, useRef, useState } from 'react'
import * as texts from '#texts/pricing/history.ts'
import { Button } from '../components/button.tsx'
import { LineSwatch, lineStyle } from '../components/line-swatch.tsx'
import { PriceChange } from '../components/price-change.tsx'
import { type Column, Table } from '../components/table.tsx'
import { count, dayText, moneyText } from '../format.ts'
import { lazyView } from '../lazy-view.ts'
import { fileNameOf, saveFile } from '../save-file.ts'
import { equalLines } from './chart-data.ts'
import { drawChartPicture, historyCsv } from './chart-files.ts'
import { recentDayText } from './chart-text.ts'
import { type HistoryLine, listPricedDays, type PriceHistory } from './history-ranges.ts'
import { OlderPrices } from './older-prices.tsx'

// The chart library is larger than the rest of the view.
const Chart = lazyView(async () => (await import('../components/chart.tsx')).Chart)

type HistoryChartProps = {
  name: string
  history: PriceHistory
  /** True if a longer period can be chosen. */
  hasLonger: boolean
  noun: HistoryNoun
}

/** The chart, the prices of the selected day and the table. */
export function HistoryChart({ name, history, hasLonger, noun }: HistoryChartProps) {
  const { days, lines, cards, carried, currency } = history
  const frame = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const move = useCallback((next: number | undefined) => setAt(next), [])
  const [first, second] = listPricedDays(history)
  if (first === undefined) return <Empty hasLonger={hasLonger} />
  if (second === undefined) {
    const isFirst = first === 0 && !hasLonger
    return <OnlyDay history={history} at={first} title={(isFirst ? FIRST : ONLY)[noun]} />
  }

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
      <p className="history-day soft small">
        <time>{dayText(days[read] ?? '')}</time>
        {read > first && ` · ${texts.changeSince(dayText(days[first] ?? ''))}`}
        {cards && ` · ${texts.cardCount(cards[read] ?? 0)}`}
        {(carried?.[read] ?? 0) > 0 &&
          ` · ${texts.atFirstKnownPrices(moneyText(carried?.[read], currency))}`}
      </p>
      <ul className="chart-legend">
        {lines.map(({ printing, prices, isConverted, ...line }, index) => (
          <li key={printing}>
            <button
              type="button"
              className="legend-line"
              aria-pressed={!hidden.has(printing)}
              onClick={() => toggle(printing)}
            >
              <LineSwatch {...lineStyle(lines[index], index)} />
              <span className="legend-name">{printing}</span>
              <strong>
                {isConverted && <span className="converted">≈</span>}
                {moneyText(prices[read], currency)}
              </strong>
              {line.isReference !== true && line.hasPurchases !== true && (
                <LineChange prices={prices} read={read} />
              )}
              {equal[index] !== undefined && (
                <span className="soft">{texts.sameAs(equal[index])}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <div ref={frame}>
        <Suspense fallback={<div className="chart skeleton" />}>
          <Chart
            label={texts.marketPriceByDay}
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
          {texts.saveAsPng}
        </Button>
        <Button className="small" onClick={() => saveTable(name, history)}>
          {texts.saveAsCsv}
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
  const color = (name: string) => style.getPropertyValue(name)
  const colors = {
    ink: color('--ink'),
    soft: color('--ink-soft'),
    surface: color('--surface'),
    named: color,
  }
  drawChartPicture({ canvas, title, history, hidden, colors }).toBlob((content) => {
    if (content !== null) saveFile(`${fileNameOf(title)}.png`, content)
  })
}

const FIRST = { price: texts.firstPrice, value: texts.firstValue }
const ONLY = { price: texts.onlyPrice, value: texts.onlyValue }

function Empty({ hasLonger }: Pick<HistoryChartProps, 'hasLonger'>) {
  return (
    <div className="chart history-empty">
      <div>
        <h3>{texts.noPricesInThisPeriod}</h3>
        <p className="soft">{hasLonger ? texts.tryALongerPeriod : texts.historyIsRecorded}</p>
      </div>
    </div>
  )
}

/** Contents of a history. */
export type HistoryNoun = 'price' | 'value'

type OnlyDayProps = { history: PriceHistory; at: number; title: string }

/** Shows the prices of the only day that has any: one point makes no line. */
function OnlyDay({ history: { days, lines, currency, today }, at, title }: OnlyDayProps) {
  const day = days[at] ?? ''
  const known = lines.filter(({ prices }) => typeof prices[at] === 'number')
  return (
    <div className="chart history-empty">
      <div className="stack tight">
        <h3>
          {title}: {recentDayText(day, today)}
        </h3>
        <ul className="only-prices">
          {known.map(({ printing, prices, isConverted }) => (
            <li key={printing}>
              <strong>
                {isConverted && <span className="converted">≈</span>}
                {moneyText(prices[at], currency)}
              </strong>{' '}
              <span className="soft">{printing}</span>
            </li>
          ))}
        </ul>
        <p className="soft small">{texts.chartBegins}</p>
        {/* Older prices make no collection older. */}
        {!lines.some(({ hasPurchases }) => hasPurchases === true) && <OlderPrices />}
      </div>
    </div>
  )
}

function HistoryTable({ history }: { history: PriceHistory }) {
  const { days, lines, cards, carried, currency } = history
  const [isOpen, setOpen] = useState(false)
  const counts: Column<number>[] =
    cards === undefined ? [] : [[texts.cards, (at) => count(cards[at] ?? 0), 'number']]
  const carriedBack: Column<number>[] =
    carried === undefined
      ? []
      : [[texts.carriedBack, (at) => moneyText(carried[at], currency), 'number']]
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.showAsTable}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
        <section className="table-frame history-table" aria-label={texts.pricesByDay} tabIndex={0}>
          <Table
            columns={[
              [texts.day, (at) => dayText(days[at] ?? '')],
              ...lines.map(
                ({ printing, prices }): Column<number> => [
                  printing,
                  (at) => moneyText(prices[at], currency),
                  'number',
                ],
              ),
              ...counts,
              ...carriedBack,
            ]}
            rows={[...days.keys()].reverse()}
            keyOf={(at) => at}
          />
        </section>
      )}
    </details>
  )
}

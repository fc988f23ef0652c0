import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import * as texts from '#texts/pricing/history.ts'
import { QueryError } from '../components/error-message.tsx'
import { PlansLink } from '../components/plans-link.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { useSession } from '../session.ts'
import { HistoryChart, type HistoryNoun } from './history-chart.tsx'
import {
  existingRanges,
  type HistoryRange,
  type PriceHistory,
  sliceHistory,
} from './history-ranges.ts'

const RANGES = [
  ['month', '1M'],
  ['quarter', '3M'],
  ['year', '1Y'],
  ['all', texts.all],
] as const satisfies readonly (readonly [HistoryRange, string])[]

type HistoryPanelProps = {
  title: string
  /** Name of the card or set, for files. */
  name: string
  result: UseQueryResult<PriceHistory>
  /** Lines to expect while loading. */
  lines: number
  noun: HistoryNoun
  /** Notes below the chart. */
  children?: ReactNode
}

/** Charts a history in one of the available ranges. The URL holds the range. */
export function HistoryPanel({ title, name, result, lines, noun, children }: HistoryPanelProps) {
  const [query, setQuery] = useSearchParams()
  const wanted = RANGES.find(([value]) => value === query.get('range'))?.[0] ?? 'month'
  const existing = result.data && existingRanges(result.data)
  const range = chooseRange(wanted, existing)
  const options = RANGES.filter(([value]) => existing?.includes(value) ?? true)
  const shown = useMemo(() => result.data && sliceHistory(result.data, range), [result.data, range])
  const isLoading = result.isPending || result.isPlaceholderData
  const choose = (next: HistoryRange) =>
    setQuery(
      (before) => {
        const params = new URLSearchParams(before)
        params.set('range', next)
        return params
      },
      { replace: true },
    )
  return (
    <section className="panel history" aria-labelledby="history">
      <div className="history-head">
        <h2 id="history">{title}</h2>
        {options.length > 1 && (
          <SegmentedControl
            label={texts.period}
            options={options}
            value={range}
            onChange={choose}
          />
        )}
      </div>
      <QueryError query={result} />
      {isLoading && <HistorySkeleton lines={lines} />}
      {!isLoading && shown !== undefined && (
        <>
          <HistoryChart
            key={`${name} ${range} ${shown.currency}`}
            name={name}
            history={shown}
            noun={noun}
            hasLonger={range !== options.at(-1)?.[0]}
          />
          {shown.lines.some(({ isConverted }) => isConverted) && (
            <p className="small soft">{texts.convertedFromUsDollars}</p>
          )}
          <Depth history={shown} />
          {children}
        </>
      )}
    </section>
  )
}

/** Returns the wanted range, or the longest available one. */
function chooseRange(wanted: HistoryRange, existing: readonly HistoryRange[] | undefined) {
  if (existing === undefined || existing.includes(wanted)) return wanted
  return existing.at(-1) ?? wanted
}

function HistorySkeleton({ lines }: { lines: number }) {
  return (
    <div className="stack tight" role="status" aria-label={texts.loading}>
      <Skeleton width="6rem" />
      <div className="chart-legend">
        {Array.from({ length: lines }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical
          <span key={at} className="skeleton legend-line" />
        ))}
      </div>
      <div className="chart skeleton" />
      <Skeleton width="6rem" />
    </div>
  )
}

/** Explains which part of the history the plan does not include. */
function Depth({ history: { depthDays } }: { history: PriceHistory }) {
  const { me } = useSession()
  if (depthDays === undefined) return null
  return (
    <p className="small soft">
      {me ? texts.planShows(depthDays) : texts.visitorsSee(depthDays)} <PlansLink />
    </p>
  )
}

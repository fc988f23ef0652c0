import { useState } from 'react'
import { api } from '../api.ts'
import { useQuery } from '../hooks/use-query.ts'
import { HistoryPanel } from '../pricing/history-panel.tsx'
import { daysBetween, type PriceHistory } from '../pricing/history-ranges.ts'

type SetHistoryProps = { id: number; name: string }

/** Charts the value of a set by day, once it is opened. */
export function SetHistory({ id, name }: SetHistoryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="fold set-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Value over time</summary>
      {isOpen && <SetValueChart id={id} name={name} />}
    </details>
  )
}

function SetValueChart({ id, name }: SetHistoryProps) {
  const result = useQuery(`value of set ${id}`, (signal) => fetchSetHistory(id, signal))
  return (
    <HistoryPanel title="Value of one of each card" name={name} result={result} lines={1}>
      <p className="small soft">
        Cards count from the day on which they were first worth $1; others are left out.
      </p>
    </HistoryPanel>
  )
}

/** @throws ApiError TIER_REQUIRED if the plan includes no history */
async function fetchSetHistory(id: number, signal: AbortSignal): Promise<PriceHistory> {
  const query = { range: 'all' } as const
  const { data, meta } = await api.get('/v1/sets/{id}/history', { path: { id }, query, signal })
  return {
    days: data.map(({ date }) => date),
    lines: [{ printing: 'Set value', prices: data.map(({ value }) => value) }],
    today: meta.to,
    depthDays: meta.from === null ? undefined : daysBetween(meta.from, meta.to),
  }
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as texts from '#texts/catalog/sets.ts'
import { api } from '../api.ts'
import { DOLLARS } from '../format.ts'
import { inCurrency } from '../pricing/currency.ts'
import { HistoryPanel } from '../pricing/history-panel.tsx'
import { daysBetween, type PriceHistory } from '../pricing/history-ranges.ts'
import { HowMade } from '../pricing/how-made.tsx'
import { defineQuery } from '../query-client.ts'

type SetHistoryProps = { id: number; name: string; currency: string }

/** Charts the value of a set by day, once it is opened. */
export function SetHistory(props: SetHistoryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="fold set-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.valueOverTime}</summary>
      {isOpen && <SetValueChart {...props} />}
    </details>
  )
}

function SetValueChart({ id, name, currency }: SetHistoryProps) {
  const result = useQuery(
    defineQuery(['/v1/sets/{id}/history', id, currency], (signal) =>
      inCurrency(currency, (choice) => fetchSetHistory(id, choice, signal)),
    ),
  )
  return (
    <HistoryPanel
      title={texts.valueOfOneOfEachCard}
      name={name}
      result={result}
      lines={1}
      noun="value"
    >
      <p className="small soft">{texts.valueExplained}</p>
      <HowMade of={['value-of-a-set']} />
    </HistoryPanel>
  )
}

/** @throws ApiError TIER_REQUIRED if the plan includes no history */
async function fetchSetHistory(
  id: number,
  choice: { currency?: string },
  signal: AbortSignal,
): Promise<PriceHistory> {
  const query = { range: 'all', ...choice } as const
  const { data, meta } = await api.get('/v1/sets/{id}/history', { path: { id }, query, signal })
  return {
    days: data.map(({ date }) => date),
    currency: choice.currency ?? DOLLARS,
    cards: data.map(({ cards }) => cards),
    lines: [
      {
        printing: texts.setValue,
        isConverted: data.some(({ converted }) => converted),
        prices: data.map(({ value }) => value),
      },
    ],
    today: meta.to,
    depthDays: meta.from === null ? undefined : daysBetween(meta.from, meta.to),
  }
}

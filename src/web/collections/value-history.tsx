import { useQuery } from '@tanstack/react-query'
import type { Collection } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { moneyText } from '../format.ts'
import { inCurrency } from '../pricing/currency.ts'
import { HistoryPanel } from '../pricing/history-panel.tsx'
import { daysBetween, type PriceHistory } from '../pricing/history-ranges.ts'
import { defineQuery } from '../query-client.ts'
import type { CollectionQuery } from './queries.ts'

type ValueHistoryProps = { of: CollectionQuery; collection: Collection | undefined }

/** Charts the value of a collection by day, beside the prices paid until then. Waits for the collection. */
export function ValueHistory({ of, collection }: ValueHistoryProps) {
  const { id, currency } = of
  const isWish = collection?.kind === 'wish'
  const result = useQuery({
    ...defineQuery(['/v1/collections/{id}/history', id, currency], (signal) =>
      inCurrency(currency, (choice) => fetchHistory({ id, isWish, choice }, signal)),
    ),
    enabled: collection !== undefined,
  })
  const untracked = result.data?.untracked ?? 0
  return (
    <HistoryPanel
      title="Value over time"
      name={collection?.name ?? ''}
      result={result}
      lines={isWish ? 1 : 2}
      noun="value"
    >
      {untracked > 0 && (
        <p className="small soft">
          Excludes cards that were never worth $1, because they have no history. They are worth{' '}
          {moneyText(untracked, result.data?.currency)} today.
        </p>
      )}
    </HistoryPanel>
  )
}

type HistoryRequest = { id: string; isWish: boolean; choice: { currency?: string } }

async function fetchHistory(
  { id, isWish, choice }: HistoryRequest,
  signal: AbortSignal,
): Promise<PriceHistory & { untracked: number }> {
  const { data, meta } = await api.get('/v1/collections/{id}/history', {
    path: { id },
    query: { range: 'all', ...choice },
    signal,
  })
  const isConverted = meta.rate !== undefined
  const depth = daysBetween(meta.from, meta.to)
  const value = { printing: 'Value', isConverted, prices: data.map((day) => day.value) }
  const paid = { printing: 'Price paid', isConverted, prices: data.map((day) => day.cost) }
  return {
    days: data.map(({ date }) => date),
    currency: meta.currency,
    lines: isWish ? [value] : [value, paid],
    today: meta.to,
    depthDays: depth >= UNLIMITED_DAYS ? undefined : depth,
    untracked: meta.untracked_value,
  }
}

/** Values reach back ten years. */
const UNLIMITED_DAYS = 3_650

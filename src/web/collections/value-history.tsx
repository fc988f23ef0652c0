import { useQuery } from '@tanstack/react-query'
import type { Collection } from '#client/endpoints.ts'
import * as texts from '#texts/collections/value.ts'
import { api } from '../api.ts'
import { dayText, moneyText } from '../format.ts'
import { isCarriedBack } from '../pricing/chart-data.ts'
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
  const { data } = result
  return (
    <HistoryPanel
      title={texts.valueOverTime}
      name={collection?.name ?? ''}
      result={result}
      lines={isWish ? 1 : 2}
      noun="value"
    >
      {data !== undefined && <Remarks history={data} />}
    </HistoryPanel>
  )
}

type ValueHistoryData = PriceHistory & {
  untracked: number
  /** True if items were held before the days, whose prices are of later. */
  beginsLate: boolean
}

/** Says where the line begins, and which of its values were not known at the time. */
function Remarks({ history }: { history: ValueHistoryData }) {
  const { days, untracked, beginsLate, currency } = history
  const isDashed = days.some((_, at) => isCarriedBack(history, at))
  return (
    <>
      {beginsLate && <p className="small soft">{texts.beginsOn(dayText(days[0] ?? ''))}</p>}
      {isDashed && <p className="small soft">{texts.dashedExplained}</p>}
      {untracked > 0 && (
        <p className="small soft">{texts.untrackedExplained(moneyText(untracked, currency))}</p>
      )}
    </>
  )
}

type HistoryRequest = { id: string; isWish: boolean; choice: { currency?: string } }

async function fetchHistory(
  { id, isWish, choice }: HistoryRequest,
  signal: AbortSignal,
): Promise<ValueHistoryData> {
  const { data, meta } = await api.get('/v1/collections/{id}/history', {
    path: { id },
    query: { range: 'all', ...choice },
    signal,
  })
  const isConverted = meta.rate !== undefined
  const depth = daysBetween(meta.from, meta.to)
  const begin = data[0]?.date ?? ''
  const values = data.map((day) => day.value)
  const value = { printing: texts.value, isConverted, hasPurchases: !isWish, prices: values }
  const costs = data.map((day) => day.cost)
  const paid = { printing: texts.pricePaid, isConverted, isReference: true, prices: costs }
  const carried = data.map((day) => day.carried_value)
  return {
    days: data.map(({ date }) => date),
    currency: meta.currency,
    lines: isWish ? [value] : [value, paid],
    today: meta.to,
    depthDays: depth >= UNLIMITED_DAYS ? undefined : depth,
    ...(carried.some((amount) => amount > 0) && { carried }),
    untracked: meta.untracked_value,
    // The plan and missing rates cut days off as well.
    beginsLate: !isConverted && meta.from < begin && (meta.held_since ?? begin) < begin,
  }
}

/** Values reach back ten years. */
const UNLIMITED_DAYS = 3_650

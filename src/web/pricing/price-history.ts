import { api } from '../api.ts'
import { DOLLARS } from '../format.ts'
import { daysBetween, type PriceHistory } from './history-ranges.ts'

/** A line of the chart: a printing of a card, with a unique name. */
export type WantedLine = { id: number; printing: string; name: string }

/**
 * Fetches the full history that the plan includes, one request per line. Ranges are cut locally.
 *
 * @param choice currency to request; without one, US dollars
 * @throws ApiError TIER_REQUIRED if the plan includes no history
 */
export async function fetchHistory(
  wanted: readonly WantedLine[],
  choice: { currency?: string },
  signal: AbortSignal,
): Promise<PriceHistory> {
  const replies = await Promise.all(
    wanted.map(({ id, printing }) =>
      api.get('/v1/cards/{id}/history', {
        path: { id },
        query: { range: 'all', printing, ...choice },
        signal,
      }),
    ),
  )
  const known = replies.map(({ data }) => new Map(data.map((at) => [at.date, at.market_price])))
  const days = [...new Set(known.flatMap((one) => [...one.keys()]))].sort()
  const { from, to } = replies[0]?.meta ?? { from: null, to: '' }
  return {
    days,
    lines: wanted.map(({ name }, at) => ({
      printing: name,
      isConverted: replies[at]?.data.some(({ converted }) => converted) ?? false,
      prices: days.map((day) => known[at]?.get(day)),
    })),
    currency: choice.currency ?? DOLLARS,
    today: to,
    depthDays: from === null ? undefined : daysBetween(from, to),
  }
}

import { api } from '../api.ts'

/** Price history with one line per printing over the same days. */
export type PriceHistory = {
  /** `YYYY-MM-DD`, ascending: days with a record in at least one line. */
  days: readonly string[]
  lines: readonly HistoryLine[]
  /** UTC day of the response. */
  today: string
  /** Days that the plan includes; undefined if unlimited. */
  depthDays: number | undefined
}

export type HistoryLine = {
  printing: string
  /** US dollars by day. Null if the price was unknown, undefined if nothing was recorded. */
  prices: readonly (number | null | undefined)[]
}

/** Days of each range, as defined by the API. */
export const RANGE_DAYS = { month: 30, quarter: 90, year: 365, all: undefined } as const

export type HistoryRange = keyof typeof RANGE_DAYS

/**
 * Fetches the full history that the plan includes, one request per printing. Ranges are cut locally.
 *
 * @throws ApiError TIER_REQUIRED if the plan includes no history
 */
export async function fetchHistory(
  id: number,
  printings: readonly string[],
  signal: AbortSignal,
): Promise<PriceHistory> {
  const replies = await Promise.all(
    printings.map((printing) =>
      api.get('/v1/cards/{id}/history', {
        path: { id },
        query: { range: 'all', printing },
        signal,
      }),
    ),
  )
  const known = replies.map(({ data }) => new Map(data.map((at) => [at.date, at.market_price])))
  const days = [...new Set(known.flatMap((one) => [...one.keys()]))].sort()
  const { from, to } = replies[0]?.meta ?? { from: null, to: '' }
  return {
    days,
    lines: printings.map((printing, at) => ({
      printing,
      prices: days.map((day) => known[at]?.get(day)),
    })),
    today: to,
    depthDays: from === null ? undefined : daysBetween(from, to),
  }
}

/** Returns the part within a range. */
export function sliceHistory(history: PriceHistory, historyRange: HistoryRange): PriceHistory {
  const reach = RANGE_DAYS[historyRange]
  if (reach === undefined || history.days.length === 0) return history
  const from = new Date(Date.parse(history.today) - reach * DAY_MS).toISOString().slice(0, 10)
  const first = history.days.findIndex((day) => day >= from)
  const start = first < 0 ? history.days.length : first
  return {
    ...history,
    days: history.days.slice(start),
    lines: history.lines.map((historyLine) => ({
      ...historyLine,
      prices: historyLine.prices.slice(start),
    })),
  }
}

/** Returns true if a shorter range already shows all that the plan includes. */
export function isBeyondPlan({ depthDays }: PriceHistory, historyRange: HistoryRange): boolean {
  return depthDays !== undefined && limitRange(depthDays, historyRange) !== historyRange
}

/** Returns the range, or the shortest one that shows all days that the plan includes. */
export function limitRange(depthDays: number, historyRange: HistoryRange): HistoryRange {
  const shortest = RANGES_BY_LENGTH.find((one) => daysOf(one) >= depthDays) ?? 'all'
  return daysOf(shortest) < daysOf(historyRange) ? shortest : historyRange
}

// Ascending by length.
const RANGES_BY_LENGTH = ['month', 'quarter', 'year', 'all'] as const

function daysOf(historyRange: HistoryRange): number {
  return RANGE_DAYS[historyRange] ?? Number.POSITIVE_INFINITY
}

const DAY_MS = 86_400_000

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

import { api } from '../api.ts'

/** How prices went: one line a printing, all over the same days. */
export type PriceHistory = {
  /** `YYYY-MM-DD`, ascending: those of which any line knows something. */
  days: readonly string[]
  lines: readonly HistoryLine[]
  /** The UTC day of the answer. */
  today: string
  /** How far back the reader's plan sees; undefined: all of it. */
  depthDays: number | undefined
}

export type HistoryLine = {
  printing: string
  /** US dollars, one a day. Null: not known then. Undefined: nothing was written down that day. */
  prices: readonly (number | null | undefined)[]
}

/** How far back each range goes, in days, as the API counts them. */
export const RANGE_DAYS = { month: 30, quarter: 90, year: 365, all: undefined } as const

export type HistoryRange = keyof typeof RANGE_DAYS

/**
 * Asks for everything that the reader's plan sees, once a printing: whatever range is looked at
 * afterwards costs no request.
 *
 * @throws ApiError TIER_REQUIRED where the plan sees no history
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

/** The part of it that a range shows. */
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

/** Whether a range would show more with another plan. */
export function isClipped({ depthDays }: PriceHistory, historyRange: HistoryRange): boolean {
  return (
    depthDays !== undefined && depthDays < (RANGE_DAYS[historyRange] ?? Number.POSITIVE_INFINITY)
  )
}

const DAY_MS = 86_400_000

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** Price history with one line per printing over the same days. */
export type PriceHistory = {
  /** `YYYY-MM-DD`, ascending: days with a record in at least one line. */
  days: readonly string[]
  lines: readonly HistoryLine[]
  /** Number of cards behind the values of each day; undefined for prices of cards. */
  cards?: readonly number[]
  /**
   * Part of the first line's values that is carried back from later days, because it was not known yet; undefined if
   * nothing is carried back.
   */
  carried?: readonly number[]
  /** ISO 4217 code of all prices. */
  currency: string
  /** UTC day of the response. */
  today: string
  /** Days that the plan includes; undefined if unlimited. */
  depthDays: number | undefined
}

export type HistoryLine = {
  printing: string
  /** True if the source states its prices in another currency. */
  isConverted: boolean
  /** True for amounts that are no prices, such as costs: they have no color and no change. */
  isReference?: boolean
  /** True for the value of a collection: purchases are no change of it, so none is shown. */
  hasPurchases?: boolean
  /** Prices by day. Null if the price was unknown, undefined if nothing was recorded. */
  prices: readonly (number | null | undefined)[]
}

/** Days of each range, as defined by the API. */
const RANGE_DAYS = { month: 30, quarter: 90, year: 365, all: undefined } as const

export type HistoryRange = keyof typeof RANGE_DAYS

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
    ...(history.cards && { cards: history.cards.slice(start) }),
    ...(history.carried && { carried: history.carried.slice(start) }),
    lines: history.lines.map((historyLine) => ({
      ...historyLine,
      prices: historyLine.prices.slice(start),
    })),
  }
}

/** Returns the ranges that show more than the next shorter one, and always the shortest. */
export function existingRanges({ days, today }: PriceHistory): HistoryRange[] {
  const recorded = days[0] === undefined ? 0 : daysBetween(days[0], today)
  return RANGES_BY_LENGTH.filter((_, at) => {
    const shorter = RANGES_BY_LENGTH[at - 1]
    return shorter === undefined || recorded > daysOf(shorter)
  })
}

/** Returns the indexes of the days on which any line has a price. */
export function listPricedDays({ days, lines }: PriceHistory): number[] {
  return [...days.keys()].filter((at) => lines.some(({ prices }) => prices[at] != null))
}

// Ascending by length.
const RANGES_BY_LENGTH = ['month', 'quarter', 'year', 'all'] as const

function daysOf(historyRange: HistoryRange): number {
  return RANGE_DAYS[historyRange] ?? Number.POSITIVE_INFINITY
}

const DAY_MS = 86_400_000

/** Returns the number of days from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

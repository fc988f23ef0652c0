import type { PriceHistory } from './history-ranges.ts'

/** A price history as uPlot draws it. */
export type PlottedHistory = {
  /** Times in epoch seconds, ascending. */
  seconds: number[]
  /** Prices by time: null breaks the line, undefined continues it. */
  lines: PlottedLine[]
  /** Part of the first line that is carried back, up to the first known values; undefined if nothing is. */
  carried: PlottedLine | undefined
  /** Index in `days` of each time; for a time that only breaks the lines, that of the previous day. */
  dayAt: number[]
}

type PlottedLine = (number | null | undefined)[]

/** Breaks each line at gaps that are longer than the usual delay of a mirror. */
export function plotHistory(history: PriceHistory): PlottedHistory {
  const { days, lines } = history
  const seconds: number[] = []
  const dayAt: number[] = []
  for (const [index, day] of days.entries()) {
    const second = secondsOf(day)
    const before = seconds.at(-1)
    if (before !== undefined && second - before > GAP_SECONDS) {
      seconds.push(before + DAY_SECONDS)
      dayAt.push(index - 1)
    }
    seconds.push(second)
    dayAt.push(index)
  }
  const isBreak = (at: number) => dayAt[at] === dayAt[at - 1]
  const [first = [], ...others] = lines.map(({ prices }) =>
    breakGaps(
      seconds.map((_, at) => (isBreak(at) ? undefined : prices[dayAt[at] ?? 0])),
      seconds,
    ),
  )
  const isCarried = (at: number) => isCarriedBack(history, dayAt[at] ?? -1)
  if (!first.some((_, at) => isCarried(at))) {
    return { seconds, dayAt, lines: [first, ...others], carried: undefined }
  }
  const known = first.map((price, at) => (isCarried(at) ? null : price))
  const carried = first.map((price, at) => ([at - 1, at, at + 1].some(isCarried) ? price : null))
  return { seconds, dayAt, lines: [known, ...others], carried }
}

/** Returns true if so much of a day's value is carried back that its line is dashed. */
export function isCarriedBack({ lines, carried }: PriceHistory, at: number): boolean {
  return (carried?.[at] ?? 0) > (lines[0]?.prices[at] ?? 0) * CARRIED_SHARE
}

/** In a large collection, some card always reaches $1 later. */
const CARRIED_SHARE = 0.01

/** Replaces the missing prices of long gaps by null. */
function breakGaps(prices: (number | null | undefined)[], seconds: readonly number[]) {
  let last: number | undefined
  for (const [at, price] of prices.entries()) {
    if (price === undefined) continue
    const length = (seconds[at] ?? 0) - (seconds[last ?? at] ?? 0)
    if (last !== undefined && length > GAP_SECONDS) prices.fill(null, last + 1, at)
    last = at
  }
  return prices
}

/** Returns the ends of the time axis: at least a week, and never beyond the last day. */
export function timeAxis(first: number, last: number): [from: number, to: number] {
  return [Math.min(first, last - SHORTEST_SECONDS), last]
}

/**
 * Returns the ends of the price axis: wide enough that a small change looks small, and from zero if the lowest
 * price is far below the highest.
 */
export function priceAxis(low: number, high: number): [from: number, to: number] {
  if (low < high * ZERO_SHARE) return [0, high * (1 + MARGIN)]
  const span = Math.max(high - low, high * SPAN_SHARE, SPAN_MIN) * (1 + 2 * MARGIN)
  const middle = (low + high) / 2
  const from = Math.max(0, middle - span / 2)
  return [from, from + span]
}

/**
 * Returns for each line the printing of an earlier line with the same prices; undefined if no earlier one has them.
 */
export function equalLines({ lines }: PriceHistory): (string | undefined)[] {
  const keys = lines.map(({ prices }) => JSON.stringify(prices))
  const hasPrice = lines.map(({ prices }) => prices.some((price) => typeof price === 'number'))
  return keys.map((key, at) => {
    const first = keys.indexOf(key)
    return first < at && hasPrice[at] ? lines[first]?.printing : undefined
  })
}

function secondsOf(day: string): number {
  return Date.parse(day) / 1000
}

const DAY_SECONDS = 86_400
/** Longest delay without a gap: a mirror may miss a weekend. */
const GAP_SECONDS = 3 * DAY_SECONDS
const SHORTEST_SECONDS = 7 * DAY_SECONDS
/** Minimum span of the axis as a share of the highest price: a change of 7 % fills a fifth of the height. */
const SPAN_SHARE = 0.3
/** Minimum span of the axis, in dollars. */
const SPAN_MIN = 0.1
const ZERO_SHARE = 0.4
const MARGIN = 0.05

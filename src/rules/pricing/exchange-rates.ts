/** Reference rates of one day: units of each currency per euro. The euro itself is not listed. */
export type DayRates = { day: number; perEuro: Readonly<Record<string, number>> }

/** Rate for converting prices from one currency into another on one day. */
export type ExchangeRate = {
  /** Units of the target currency per unit of the original one. */
  rate: number
  /** Day of the reference rates, at most seven days before the day of the price. */
  day: number
}

/** Days after which a rate is too old: the longest holidays of the European Central Bank take five. */
const RATE_AGE_DAYS_MAX = 7

/** Rates per euro of one currency, ascending by day. */
export type RateSeries = { days: readonly number[]; perEuro: readonly number[] }

/** Groups rates by currency. @param rates in ascending order of days */
export function toRateSeries(rates: Iterable<DayRates>): Map<string, RateSeries> {
  const series = new Map<string, { days: number[]; perEuro: number[] }>()
  for (const { day, perEuro } of rates) {
    for (const [currency, rate] of Object.entries({ ...perEuro, EUR: 1 })) {
      const known = series.get(currency) ?? { days: [], perEuro: [] }
      known.days.push(day)
      known.perEuro.push(rate)
      series.set(currency, known)
    }
  }
  return series
}

/**
 * Finds the rate between two currencies on the last day up to `day` that has both.
 *
 * @returns undefined if either currency has no rate within seven days
 */
export function findRate(
  series: ReadonlyMap<string, RateSeries>,
  { from, to, day }: { from: string; to: string; day: number },
): ExchangeRate | undefined {
  if (from === to) return { rate: 1, day }
  const [origin, target] = [series.get(from), series.get(to)]
  if (origin === undefined || target === undefined) return undefined
  let latest = day
  for (;;) {
    const [a, b] = [lastIndex(origin, latest), lastIndex(target, latest)]
    const [originDay, targetDay] = [origin.days[a], target.days[b]]
    const [originRate, targetRate] = [origin.perEuro[a], target.perEuro[b]]
    if (originDay === undefined || targetDay === undefined) return undefined
    if (originRate === undefined || targetRate === undefined) return undefined
    latest = Math.min(originDay, targetDay)
    if (day - latest > RATE_AGE_DAYS_MAX) return undefined
    if (originDay === targetDay) return { rate: targetRate / originRate, day: latest }
  }
}

/** Finds the first day with rates of both currencies; undefined without one. */
export function findFirstDay(
  series: ReadonlyMap<string, RateSeries>,
  { from, to }: { from: string; to: string },
): number | undefined {
  const [origin = [], target = []] = [from, to].map((currency) => series.get(currency)?.days)
  let [a, b] = [0, 0]
  for (;;) {
    const [originDay, targetDay] = [origin[a], target[b]]
    if (originDay === undefined || targetDay === undefined) return undefined
    if (originDay === targetDay) return originDay
    if (originDay < targetDay) a++
    else b++
  }
}

/** Returns the index of the last day up to `day`; -1 if all are later. */
function lastIndex({ days }: RateSeries, day: number): number {
  let [low, high] = [0, days.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((days[middle] ?? 0) <= day) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Converts an amount in hundredths, and rounds it to hundredths, halves up. */
export function convertCents(cents: number, { rate }: Pick<ExchangeRate, 'rate'>): number {
  return Math.round(cents * rate * JUST_ABOVE)
}

/**
 * Finds the range of amounts whose conversion is within a range.
 *
 * @param bounds hundredths of the target currency, both inclusive; undefined for no bound
 */
export function convertRange(
  { min, max }: { min: number | undefined; max: number | undefined },
  rate: Pick<ExchangeRate, 'rate'>,
): { min: number | undefined; max: number | undefined } {
  return {
    min: min && findFirstCents(min, rate),
    max: max === undefined ? undefined : findFirstCents(max + 1, rate) - 1,
  }
}

/** Finds the smallest amount that converts to `target` or more. */
function findFirstCents(target: number, { rate }: Pick<ExchangeRate, 'rate'>): number {
  // Division and multiplication round differently, so the estimate may be off by one.
  let cents = Math.ceil((target - 0.5) / rate) + 1
  while (cents > 0 && convertCents(cents - 1, { rate }) >= target) cents--
  return cents
}

/**
 * Compensates for the error of floating-point numbers: 50 * 1.13 is slightly less than 56.5. With the four or five
 * digits of a rate, no exact result is this close below a half.
 */
const JUST_ABOVE = 1 + 4 * Number.EPSILON

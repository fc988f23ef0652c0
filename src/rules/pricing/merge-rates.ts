import { formatDate } from '../primitives/days.ts'
import { type DayRates, type RateSeries, toRateSeries } from './exchange-rates.ts'

/** Number of days before and after new ones that must be compared with them. */
export const COMPARED_DAYS = 7

/** Maximum size of a correction by the bank, as a share of the rate. */
const CORRECTION_SHARE_MAX = 0.01

/** No currency has lost half of its value from one rate to the next; the Turkish lira lost a third in 2001. */
const JUMP_FACTOR_MAX = 2

/** Adds new days to stored ones. A currency that the new file does not list on a day keeps its rate. */
export function mergeRates(stored: readonly DayRates[], fresh: readonly DayRates[]): DayRates[] {
  const known = new Map(stored.map(({ day, perEuro }) => [day, perEuro]))
  return fresh.map(({ day, perEuro }) => ({ day, perEuro: { ...known.get(day), ...perEuro } }))
}

/**
 * Finds the first implausible new rate: one that changes a stored rate by more than a correction, or one that jumps.
 *
 * @param stored days around the new ones, see `COMPARED_DAYS`
 * @returns a clause without a period; undefined if all rates are plausible
 */
export function findImplausibleRate(
  stored: readonly DayRates[],
  fresh: readonly DayRates[],
): string | undefined {
  return findContradiction(stored, fresh) ?? findJump(stored, fresh)
}

function findContradiction(
  stored: readonly DayRates[],
  fresh: readonly DayRates[],
): string | undefined {
  const known = new Map(stored.map(({ day, perEuro }) => [day, perEuro]))
  for (const { day, perEuro } of fresh) {
    for (const [currency, rate] of Object.entries(perEuro)) {
      const before = known.get(day)?.[currency] ?? rate
      if (Math.abs(rate / before - 1) <= CORRECTION_SHARE_MAX) continue
      return `${currency} on ${formatDate(day)} is ${rate}, but ${before} was imported earlier`
    }
  }
  return undefined
}

function findJump(stored: readonly DayRates[], fresh: readonly DayRates[]): string | undefined {
  const days = new Map([...stored, ...mergeRates(stored, fresh)].map((rates) => [rates.day, rates]))
  const sorted = [...days.values()].sort((a, b) => a.day - b.day)
  for (const [currency, series] of toRateSeries(sorted)) {
    const jump = findJumpOf(series)
    if (jump !== undefined) return `${currency} ${jump}`
  }
  return undefined
}

function findJumpOf({ days, perEuro }: RateSeries): string | undefined {
  for (const [index, day] of days.entries()) {
    const [before, rate] = [perEuro[index - 1], perEuro[index]]
    if (before === undefined || rate === undefined) continue
    // A currency that returns after years, like the Icelandic króna, may have any rate.
    const isNear = day - (days[index - 1] ?? day) <= COMPARED_DAYS
    const factor = Math.max(rate / before, before / rate)
    if (isNear && factor > JUMP_FACTOR_MAX)
      return `jumps from ${before} to ${rate} on ${formatDate(day)}`
  }
  return undefined
}

// Dates as apps and people write them.
import { parseDate } from '../primitives/days.ts'

/** Order of day and month in dates such as `05/04/2026`, which is the same throughout a file. */
export type DateOrder = 'day_first' | 'month_first'

/**
 * Returns the order that a date shows by a number above 12, or by points; `either` if it shows none, and undefined
 * for text without an order.
 */
export function findDateOrder(text: string): DateOrder | 'either' | undefined {
  const [, first, sign, second] = SLASHED.exec(text) ?? []
  if (first === undefined) return undefined
  if (sign === '.' || Number(first) > 12) return 'day_first'
  return Number(second) > 12 ? 'month_first' : 'either'
}

/** Parses a date, optionally followed by a time: `2026-05-31`, `20260531`, `5/31/2026`, `31.5.26`, `May 31, 2026`. */
export function parseDay(text: string, order: DateOrder = 'month_first'): number | undefined {
  const [, year, sign, month, day] = YEAR_FIRST.exec(text) ?? []
  // The eight digits of a date have no sign, and other eight digits are no date.
  if (year !== undefined && sign !== undefined) return toDay(year, month, day)
  const [, first, , second, last = ''] = SLASHED.exec(text) ?? []
  if (first !== undefined) {
    const shown = findDateOrder(text)
    const isDayFirst = (shown === 'either' ? order : shown) === 'day_first'
    const full = last.length === 2 ? `20${last}` : last
    return isDayFirst ? toDay(full, second, first) : toDay(full, first, second)
  }
  const [, name = '', dayOfMonth, ofYear] = MONTH_FIRST.exec(text) ?? []
  if (ofYear !== undefined) return toDay(ofYear, toMonth(name), dayOfMonth)
  const [, firstDay, named = '', lastYear] = DAY_FIRST.exec(text) ?? []
  return lastYear === undefined ? undefined : toDay(lastYear, toMonth(named), firstDay)
}

const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?:[T ].*)?$/
const SLASHED = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:[T, ].*)?$/
/** `May 31, 2026`, and `Fri May 15 2026 16:43:29 GMT+0200`. */
const MONTH_FIRST =
  /^(?:[a-z]{3,9},? )?([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?: .*)?$/i
/** `31 May 2026`, `31-May-2026`. */
const DAY_FIRST = /^(?:[a-z]{3,9},? )?(\d{1,2})[. -]{1,2}([a-z]{3,9})[. -]{1,2}(\d{4})(?: .*)?$/i

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function toMonth(name: string): string | undefined {
  const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase())
  return index < 0 ? undefined : String(index + 1)
}

function toDay(year: string, month = '', day = ''): number | undefined {
  return parseDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

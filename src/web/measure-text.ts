// Texts of pages for operators and developers. The first page of all others needs none of them.
import { count, locale } from './format.ts'

const second = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
const units = (unit: string, maximumFractionDigits: number) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits })
const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'].map((unit) => units(unit, 1))
const milliseconds = units('millisecond', 0)
const seconds = units('second', 1)

/**
 * Formats the time of day with seconds.
 *
 * @param time epoch milliseconds
 */
export function secondText(time: number): string {
  return second.format(time)
}

/** Formats a size in decimal units: "12 GB". */
export function bytesText(bytes: number): string {
  const step = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return SIZES[step]?.format(bytes / 1000 ** step) ?? count(bytes)
}

/** Formats a duration: "120 ms", "1.5 sec". */
export function durationText(ms: number): string {
  return ms < 1000 ? milliseconds.format(ms) : seconds.format(ms / 1000)
}

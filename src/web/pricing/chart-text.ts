import { dayText, locale, moneyFormat } from '../format.ts'

const dayOfYear = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Formats an amount on an axis. Cents are omitted for steps of 1 or more. */
export function moneyOnAxis(amount: number, step: number, currency: string): string {
  return moneyFormat(currency, step >= 1 ? { maximumFractionDigits: 0 } : undefined).format(amount)
}

/** Formats a day on an axis: "Nov 3", or "Nov 2026" for large steps. */
export function dayOnAxis(time: Date, stepDays: number): string {
  return (stepDays < 28 ? dayOfYear : month).format(time)
}

/** Formats a day, without its year if that is the current one: "Nov 25". @param date `YYYY-MM-DD` */
export function recentDayText(date: string, today: string): string {
  const isOfThisYear = date.slice(0, 4) === today.slice(0, 4)
  return isOfThisYear ? dayOfYear.format(new Date(date)) : dayText(date)
}

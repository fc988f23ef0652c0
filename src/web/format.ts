import { DOLLARS, locale } from './numbers.ts'

export { agoText, count, currencyName, DOLLARS, locale, pluralText } from './numbers.ts'

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
/** Formatters by currency, cached because creating one takes longer than using it. */
const moneys = new Map<string, Intl.NumberFormat>()

/** Formats an amount; a dash if the price is unknown. */
export function moneyText(amount: number | null | undefined, currency = DOLLARS): string {
  return amount === null || amount === undefined ? '–' : moneyFormat(currency).format(amount)
}

/** Returns the formatter of a currency. */
export function moneyFormat(
  currency: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  const key = `${currency} ${options.maximumFractionDigits}`
  const format =
    moneys.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, ...options })
  moneys.set(key, format)
  return format
}

/** @param date `YYYY-MM-DD` */
export function dayText(date: string): string {
  return day.format(new Date(date))
}

/** @param time an ISO 8601 date-time */
export function dateTimeText(time: string): string {
  return moment.format(new Date(time))
}

/**
 * Locale of numbers, prices and times. The pages are in English, so the locale of the browser counts only if it is
 * English: times and prices in another language would not fit the surrounding text.
 */
export const locale = navigator.languages?.find((name) => /^en\b/i.test(name)) ?? 'en-US'

const whole = new Intl.NumberFormat(locale)
const plurals = new Intl.PluralRules(locale)
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const currencies = new Intl.DisplayNames('en', { type: 'currency' })
/** Formatters by currency, cached because creating one takes longer than using it. */
const moneys = new Map<string, Intl.NumberFormat>()
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** Currency of prices if none was chosen. */
export const DOLLARS = 'USD'

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

/** Returns the English name of a currency: "Euro". */
export function currencyName(code: string): string {
  return currencies.of(code) ?? code
}

export function count(number: number): string {
  return whole.format(number)
}

/** "1 set", "2 sets". */
export function plural(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`
}

/** Words by the plural forms of a language. The character # is the number. */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** Returns the words for a number: "1 set", "2 sets". */
export function pluralText(number: number, forms: PluralForms): string {
  return (forms[plurals.select(number)] ?? forms.other).replaceAll('#', count(number))
}

/** @param date `YYYY-MM-DD` */
export function dayText(date: string): string {
  return day.format(new Date(date))
}

/** @param time an ISO 8601 date-time */
export function dateTimeText(time: string): string {
  return moment.format(new Date(time))
}

export function clockText(time: string): string {
  return clock.format(new Date(time))
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Formats the time since or until a moment: "3 hours ago", "in 3 hours". */
export function agoText(time: string, now = Date.now()): string {
  const away = (Date.parse(time) - now) / 1000
  const [unit, size] = UNITS.find(([, one]) => Math.abs(away) >= one) ?? ['minute', 60]
  return relative.format(Math.round(away / size), unit)
}

/**
 * Locale of numbers, prices and times. The pages are in English, so the locale of the browser counts only if it is
 * English: times and prices in another language would not fit the surrounding text.
 */
export const locale = navigator.languages?.find((name) => /^en\b/i.test(name)) ?? 'en-US'

const percent = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})
const shares = new Intl.NumberFormat(locale, { style: 'percent' })
const whole = new Intl.NumberFormat(locale)
const plurals = new Intl.PluralRules(locale)
const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const dayOfYear = new Intl.DateTimeFormat(locale, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
const rates = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })
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

/** Formats a change of money with its sign: "+$12.50". */
export function gainText(gain: number | null, currency = DOLLARS): string {
  return gain !== null && gain > 0 ? `+${moneyText(gain, currency)}` : moneyText(gain, currency)
}

export function usdOfCents(cents: number): string {
  return moneyText(cents / 100)
}

/** Formats an amount on an axis. Cents are omitted for steps of 1 or more. */
export function moneyOnAxis(amount: number, step: number, currency: string): string {
  return moneyFormat(currency, step >= 1 ? { maximumFractionDigits: 0 } : undefined).format(amount)
}

function moneyFormat(currency: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${currency} ${options.maximumFractionDigits}`
  const format =
    moneys.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, ...options })
  moneys.set(key, format)
  return format
}

/** Formats an exchange rate: "1.0923". */
export function rateText(rate: number): string {
  return rates.format(rate)
}

/** Returns the English name of a currency: "Euro". */
export function currencyName(code: string): string {
  return currencies.of(code) ?? code
}

/** @param part 0 to 1: 0.155 is 16 % */
export function percentText(part: number): string {
  return shares.format(part)
}

/** @param points percent: 15.5 becomes +15.5 % */
export function percentChangeText(points: number): string {
  return percent.format(points / 100)
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

/** "Kanto, Johto, Hoenn" */
export function listText(items: readonly string[]): string {
  return list.format(items)
}

/** @param date `YYYY-MM-DD` */
export function dayText(date: string): string {
  return day.format(new Date(date))
}

/** Formats a day, without its year if that is the current one: "Nov 25". @param date `YYYY-MM-DD` */
export function recentDayText(date: string, today: string): string {
  const isOfThisYear = date.slice(0, 4) === today.slice(0, 4)
  return isOfThisYear ? dayOfYear.format(new Date(date)) : dayText(date)
}

/** Formats a day on an axis: "Nov 3", or "Nov 2026" for large steps. */
export function dayOnAxis(time: Date, stepDays: number): string {
  return (stepDays < 28 ? dayOfYear : month).format(time)
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

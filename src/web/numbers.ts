// Formats of the first page. Other pages import them from `format.ts`, which adds money and dates.

/**
 * Locale of numbers, prices and times. The pages are in English, so the locale of the browser counts only if it is
 * English: times and prices in another language would not fit the surrounding text.
 */
export const locale = navigator.languages?.find((name) => /^en\b/i.test(name)) ?? 'en-US'

const whole = new Intl.NumberFormat(locale)
const plurals = new Intl.PluralRules(locale)
const currencies = new Intl.DisplayNames('en', { type: 'currency' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** Currency of prices if none was chosen. */
export const DOLLARS = 'USD'

/** Returns the English name of a currency: "Euro". */
export function currencyName(code: string): string {
  return currencies.of(code) ?? code
}

export function count(number: number): string {
  return whole.format(number)
}

/** Words by the plural forms of a language. Each character # is the number, so names stand outside of them. */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** Returns the words for a number: "1 set", "2 sets". */
export function pluralText(number: number, forms: PluralForms): string {
  return (forms[plurals.select(number)] ?? forms.other).replaceAll('#', count(number))
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

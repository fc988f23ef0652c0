import { DOLLARS, locale, moneyText } from '../format.ts'

const percent = new Intl.NumberFormat(locale, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

/** Formats a change of money with its sign: "+$12.50". */
export function gainText(gain: number | null, currency = DOLLARS): string {
  return gain !== null && gain > 0 ? `+${moneyText(gain, currency)}` : moneyText(gain, currency)
}

/** @param points percent: 15.5 becomes +15.5 % */
export function percentChangeText(points: number): string {
  return percent.format(points / 100)
}

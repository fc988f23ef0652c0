import type { PriceOrigin } from '#client/endpoints.ts'
import * as texts from '#texts/pricing/conversion.ts'
import { dayText, locale, moneyText } from '../format.ts'

const rates = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })

/** Formats a price; a converted one is marked. */
export function priceText(
  amount: number | null | undefined,
  { currency, converted }: PriceOrigin = {},
): string {
  const text = moneyText(amount, currency)
  return converted === true && amount != null ? `≈${text}` : text
}

/** Describes a conversion: "Converted from US dollars at 1.0923 (Nov 24, 2026)"; undefined without one. */
export function conversionText({ converted, rate, rate_date }: PriceOrigin): string | undefined {
  if (converted !== true || rate == null || rate_date == null) return undefined
  return texts.convertedAt({ rate: rates.format(rate), day: dayText(rate_date) })
}

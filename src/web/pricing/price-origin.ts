import type { PriceOrigin } from '#client/endpoints.ts'
import { dayText, moneyText, rateText } from '../format.ts'

/** Members of the API that state the origin of a price. */
export const ORIGIN_MEMBERS = ['source', 'currency', 'converted', 'rate', 'rate_date'] as const

/** Name of the source of the mirror's prices. */
export const MIRROR_SOURCE = 'tcgplayer'

/** Names a source; sources of operators keep their names. */
export function sourceName(source: string): string {
  return SOURCE_NAMES[source] ?? source
}

const SOURCE_NAMES: Readonly<Record<string, string>> = {
  [MIRROR_SOURCE]: 'TCGplayer',
  cardmarket: 'Cardmarket',
}

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
  return `Converted from US dollars at ${rateText(rate)} (${dayText(rate_date)})`
}

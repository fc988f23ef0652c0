/** An amount in hundredths, and the currency that is written with it. */
export type WrittenAmount = { cents: number; currency: string | undefined }

const SIGNS: Readonly<Record<string, string>> = { $: 'USD', US$: 'USD', '€': 'EUR', '£': 'GBP' }
const WRITTEN = /^(US\$|[$€£]|[A-Z]{3})?(\d[\d.,]*)([$€£]|[A-Z]{3})?$/i

/** Whole number and decimals, by the style of the text. */
const NUMBERS = {
  /** Thousands separators are accepted only with decimals or in several groups, because `1,234` alone may be either. */
  any: /^(\d+|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:\.\d{3})+(?=,)|\d{1,3}(?:(?:,\d{3}){2,}|(?:\.\d{3}){2,})(?=$))(?:[.,](\d{1,2}))?$/,
  /** `1,234` is a thousand and `1.234` has decimals; computed amounts have up to four. */
  american: /^(\d{1,3}(?:,\d{3})+(?=\.|$)|\d{1,3}(?:\.\d{3})+(?=,)|\d+)(?:[.,](\d{1,4}))?$/,
}

const CENTS_MAX = 1_000_000_000

/**
 * Parses an amount as people and spreadsheets write it: `1.50`, `1,50 €`, `$1,234.56`, `EUR 1.234,56`.
 *
 * @returns undefined if it is not an amount, is ambiguous, or is above ten million
 */
export function parseAmount(
  text: string,
  style: keyof typeof NUMBERS = 'any',
): WrittenAmount | undefined {
  const [, before, number = '', after] = WRITTEN.exec(text.replace(/[\s\u00a0']/g, '')) ?? []
  const currency = toCurrency(before ?? after)
  if (after !== undefined && toCurrency(after) !== currency) return undefined
  const [, whole, decimals = ''] = NUMBERS[style].exec(number) ?? []
  if (whole === undefined) return undefined
  const cents =
    Number(whole.replace(/[.,]/g, '')) * 100 + Math.round(Number(`0.${decimals}0`) * 100)
  return cents > CENTS_MAX ? undefined : { cents, currency }
}

function toCurrency(unit: string | undefined): string | undefined {
  const written = unit?.toUpperCase()
  return written && (SIGNS[written] ?? written)
}

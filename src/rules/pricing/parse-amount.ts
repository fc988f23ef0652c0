/** An amount in hundredths, and the currency that is written with it. */
export type WrittenAmount = { cents: number; currency: string | undefined }

const SIGNS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP' }
const WRITTEN = /^([$€£]|[A-Z]{3})?(\d[\d.,]*)([$€£]|[A-Z]{3})?$/

/** Thousands are separated only beside decimals or in several groups: `1,234` may be either. */
const GROUPED =
  /^\d{1,3}(?:(?:,\d{3})+\.\d{1,2}|(?:\.\d{3})+,\d{1,2}|(?:,\d{3}){2,}|(?:\.\d{3}){2,})$/
const PLAIN = /^\d+(?:[.,]\d{1,2})?$/

const CENTS_MAX = 1_000_000_000

/**
 * Parses an amount as people and spreadsheets write it: `1.50`, `1,50 €`, `$1,234.56`, `EUR 1.234,56`.
 *
 * @returns undefined if it is not an amount, may be two different ones, or is above ten million
 */
export function parseAmount(text: string): WrittenAmount | undefined {
  const [, before, number = '', after] = WRITTEN.exec(text.replace(/[\s\u00a0']/g, '')) ?? []
  const unit = before ?? after
  if (
    (before !== undefined && after !== undefined) ||
    !(PLAIN.test(number) || GROUPED.test(number))
  )
    return undefined
  const [, whole = '', decimals = ''] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(number) ?? []
  const cents = Number(whole.replace(/[.,]/g, '')) * 100 + Number(decimals.padEnd(2, '0'))
  if (cents > CENTS_MAX) return undefined
  return { cents, currency: unit === undefined ? undefined : (SIGNS[unit] ?? unit) }
}

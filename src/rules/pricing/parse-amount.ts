/** An amount in hundredths, and the currency that is written with it. */
export type WrittenAmount = { cents: number; currency: string | undefined }

const SIGNS: Readonly<Record<string, string>> = {
  $: 'USD',
  US$: 'USD',
  CA$: 'CAD',
  C$: 'CAD',
  AU$: 'AUD',
  A$: 'AUD',
  NZ$: 'NZD',
  R$: 'BRL',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
}
const UNIT = `${Object.keys(SIGNS).join('|').replaceAll('$', '\\$')}|[A-Z]{3}`
const WRITTEN = new RegExp(`^(${UNIT})?(\\d[\\d.,]*)(${UNIT})?$`, 'i')

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
  const currency = parseCurrency(before ?? after)
  if (after !== undefined && parseCurrency(after) !== currency) return undefined
  const [, whole, decimals = ''] = NUMBERS[style].exec(number) ?? []
  if (whole === undefined) return undefined
  const cents =
    Number(whole.replace(/[.,]/g, '')) * 100 + Math.round(Number(`0.${decimals}0`) * 100)
  return cents > CENTS_MAX ? undefined : { cents, currency }
}

/** Returns the code of a currency that is written as a sign or a code. `$` is the US dollar, and `¥` the yen. */
export function parseCurrency(unit: string | undefined): string | undefined {
  const written = unit?.toUpperCase()
  return written && (SIGNS[written] ?? written)
}

/** Returns true for the code of a currency that exists, or has existed. */
export function isCurrency(code: string): boolean {
  return CODES.has(code)
}

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Returns true if an amount is written with the sign that a currency shares with others: `$5` may be Canadian. */
export function hasSignOf(currency: string, amount: string): boolean {
  const sign = amount.replace(/[\d.,'\s]/g, '')
  return SHARED_SIGNS[sign]?.includes(currency) ?? false
}

const SHARED_SIGNS: Readonly<Record<string, readonly string[]>> = {
  $: 'USD AUD CAD NZD SGD HKD TWD MXN ARS CLP COP'.split(' '),
  '¥': ['JPY', 'CNY'],
}

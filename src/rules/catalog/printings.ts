import { normalizeName } from './trigrams.ts'

/** Printings that represent a card if only one price can be shown, in order of preference. */
const BASE_PRINTINGS = [
  'Normal',
  'Unlimited',
  'Unlimited Edition Normal',
  '1st Edition Normal',
  '1st Edition',
  'Limited',
] as const

// Word in the name of every foil printing: "Gold Cold Foil", "1st Edition Rainbow Foil".
const FOIL = /foil/i

export function isFoil(printing: string): boolean {
  return FOIL.test(printing)
}

/**
 * Returns true if the text names the printing. Case and punctuation are ignored, and "Reverse Holo"
 * is the marketplace's "Reverse Holofoil".
 */
export function isPrintingNamed(written: string, printing: string): boolean {
  return isNamed(normalizeName(written), normalizeName(printing))
}

function isNamed(written: string, name: string): boolean {
  return name === written || (written.endsWith('holo') && name === `${written}foil`)
}

/** Returns true if the text may mean the printing: by its name, or as any foil or non-foil. */
export function matchesPrinting(written: string, printing: string): boolean {
  return matchesPrintingKey(normalizeName(written), normalizeName(printing))
}

/** Like `matchesPrinting`, for normalized texts. */
export function matchesPrintingKey(written: string, printing: string): boolean {
  if (isNamed(written, printing)) return true
  return written === 'foil' ? isFoil(printing) : NOT_FOIL.has(written) && !isFoil(printing)
}

const NOT_FOIL: ReadonlySet<string> = new Set(['nonfoil', 'regular'])

/** Returns 1 if all prices of a card are of foil printings, otherwise 0. A card without prices is 0. */
export function foilOnly(prices: readonly Pick<PrintingPrice, 'printing'>[]): 0 | 1 {
  return prices.length > 0 && prices.every(({ printing }) => isFoil(printing)) ? 1 : 0
}

/** Members of a printing's price that determine the base printing, in any unit. */
export type PrintingPrice = {
  printing: string
  market_price: number | null
  low_price: number | null
}

/**
 * Returns the printing that represents a card: the first of `BASE_PRINTINGS` at any price, otherwise the cheapest
 * non-foil, otherwise the cheapest. A printing without any price, which the upstream no longer lists, counts only if
 * no other exists. Of equal prices, the first one is chosen.
 *
 * @returns undefined without printings
 */
export function basePrinting<T extends PrintingPrice>(printings: readonly T[]): T | undefined {
  const offered = printings.filter(isOffered)
  const among = offered.length > 0 ? offered : printings
  for (const name of BASE_PRINTINGS) {
    const named = among.find(({ printing }) => printing === name)
    if (named !== undefined) return named
  }
  const plain = among.filter(({ printing }) => !isFoil(printing))
  return (plain.length > 0 ? plain : among).toSorted(byPrice)[0]
}

/**
 * Selects the two printings of the simplified price: the base printing, and the most expensive foil beside it. Each
 * is undefined if missing; they are never the same.
 *
 * @param base the base printing, if these prices do not determine it
 */
export function simplifyPrintings<T extends PrintingPrice>(
  printings: readonly T[],
  base = basePrinting(printings),
): { base: T | undefined; foil: T | undefined } {
  const foils = printings.filter((row) => row !== base && isFoil(row.printing))
  const foil = foils.reduce<T | undefined>(
    (best, row) => (best !== undefined && worth(best) >= worth(row) ? best : row),
    undefined,
  )
  return { base, foil }
}

function isOffered({ market_price, low_price }: PrintingPrice): boolean {
  return market_price !== null || low_price !== null
}

/** Compares market prices: the lowest first, unknown ones last. */
function byPrice(a: PrintingPrice, b: PrintingPrice): number {
  if (a.market_price === null || b.market_price === null) {
    return Number(a.market_price === null) - Number(b.market_price === null)
  }
  return a.market_price - b.market_price
}

function worth({ market_price }: PrintingPrice): number {
  return market_price ?? -1
}

import { isFoil } from './printing-words.ts'
import { normalizeName } from './trigrams.ts'

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
export function foilOnly(prices: readonly { printing: string }[]): 0 | 1 {
  return prices.length > 0 && prices.every(({ printing }) => isFoil(printing)) ? 1 : 0
}

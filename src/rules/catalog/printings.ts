import { normalizeName } from './trigrams.ts'

/** Printings that represent a card where only one price fits, in order of preference. */
export const BASE_PRINTINGS = ['Normal', 'Unlimited', '1st Edition', 'Limited'] as const

// Every foil printing has it in its name: "Gold Cold Foil", "1st Edition Rainbow Foil".
const FOIL = /foil/i

export function isFoil(printing: string): boolean {
  return FOIL.test(printing)
}

/**
 * Returns true if the text names the printing. Case and punctuation are ignored, and "Reverse Holo"
 * is the marketplace's "Reverse Holofoil".
 */
export function isPrintingNamed(written: string, printing: string): boolean {
  const name = normalizeName(printing)
  const key = normalizeName(written)
  return name === key || name === key.replace(/holo$/, 'holofoil')
}

/** Returns true if the text may mean the printing: by its name, or as any foil or non-foil. */
export function matchesPrinting(written: string, printing: string): boolean {
  if (isPrintingNamed(written, printing)) return true
  const key = normalizeName(written)
  return isFoil(printing) ? key === 'foil' : NOT_FOIL.has(key)
}

const NOT_FOIL: ReadonlySet<string> = new Set(['nonfoil', 'regular'])

/** Returns 1 if a card has foil printings only, else 0. A card without prices is 0. */
export function foilOnly(printings: readonly string[]): 0 | 1 {
  return printings.length > 0 && printings.every(isFoil) ? 1 : 0
}

/**
 * Selects the two printings of the simplified price: the base printing and the most expensive foil.
 *
 * @returns indexes into `printings`; undefined if missing
 */
export function simplifyPrintings(
  printings: readonly { printing: string; market_price: number | null }[],
): {
  base: number | undefined
  foil: number | undefined
} {
  const base = BASE_PRINTINGS.map((name) =>
    printings.findIndex((row) => row.printing === name),
  ).find((index) => index >= 0)
  const foils = printings.map((row, index) => (isFoil(row.printing) ? index : -1))
  const dearest = (indices: number[]) =>
    indices
      .filter((index) => index >= 0)
      .reduce<number | undefined>(
        (best, index) =>
          best === undefined || worth(printings[index]) > worth(printings[best]) ? index : best,
        undefined,
      )
  return { base: base ?? dearest(printings.map((_, index) => index)), foil: dearest(foils) }
}

function worth(row: { market_price: number | null } | undefined): number {
  return row?.market_price ?? -1
}

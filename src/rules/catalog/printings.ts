import { normalizeName } from './trigrams.ts'

/** The printings that stand for a card where only one price can be told, first that exists. */
export const BASE_PRINTINGS = ['Normal', 'Unlimited', '1st Edition', 'Limited'] as const

// "Gold Cold Foil", "Holofoil", "1st Edition Rainbow Foil": every foil printing says so.
const FOIL = /foil/i

export function isFoil(printing: string): boolean {
  return FOIL.test(printing)
}

/**
 * Whether somebody wrote the name of a printing: without regard to case and signs, and "Reverse Holo"
 * is the marketplace's "Reverse Holofoil".
 */
export function isPrintingNamed(written: string, printing: string): boolean {
  const name = normalizeName(printing)
  const key = normalizeName(written)
  return name === key || name === key.replace(/holo$/, 'holofoil')
}

/** Whether a printing may be the one that somebody wrote: by its name, or as any foil or none. */
export function matchesPrinting(written: string, printing: string): boolean {
  if (isPrintingNamed(written, printing)) return true
  const key = normalizeName(written)
  return isFoil(printing) ? key === 'foil' : NOT_FOIL.has(key)
}

const NOT_FOIL: ReadonlySet<string> = new Set(['nonfoil', 'regular'])

/** 1 when a card has foil printings and none without, else 0 (a card without prices is 0). */
export function foilOnly(printings: readonly string[]): 0 | 1 {
  return printings.length > 0 && printings.every(isFoil) ? 1 : 0
}

/**
 * Which printings the simplified price shape is made of: the base printing and the best-known foil.
 *
 * @returns indices into `printings`, or undefined where there is none
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

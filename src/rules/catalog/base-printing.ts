import { isFoil, isSameEdition, ratePrinting } from './printing-words.ts'

/** Members of a printing's price that determine the base printing, in any unit. */
export type PrintingPrice = {
  printing: string
  market_price: number | null
  low_price: number | null
}

/**
 * Returns the printing that represents a card by its words, and among equals by its price: not a doubtful one, then the
 * cheapest, then the first. A printing without any price, which the upstream no longer lists, counts only if no other
 * exists.
 *
 * @param isDoubtful returns true for a price that should not decide; by default for an unknown one
 * @returns undefined without printings
 */
export function basePrinting<T extends PrintingPrice>(
  printings: readonly T[],
  isDoubtful: (printing: T) => boolean = isUnknown,
): T | undefined {
  const offered = printings.filter(isOffered)
  const among = offered.length > 0 ? offered : printings
  if (among.length < 2) return among[0]
  const rates = among.map(({ printing }) => ratePrinting(printing))
  const best = Math.min(...rates)
  const equals = among.filter((_, at) => rates[at] === best)
  const certain = equals.length > 1 ? equals.filter((one) => !isDoubtful(one)) : []
  return (certain.length > 0 ? certain : equals).reduce((cheapest, one) =>
    isCheaper(one, cheapest) ? one : cheapest,
  )
}

/** A printing as it was chosen before. */
export type BaseCandidate = PrintingPrice & {
  /** 1 if it represents its card, otherwise 0. */
  is_base_printing: number
  /** Day since which it should replace its equal that represents the card; null if it should not. */
  preferred_since: number | null
}

/**
 * Chooses the printing that represents a card from a day on. Words decide at once, but prices only after a week in
 * which they preferred the same equal: charts, values and items of collections follow the choice.
 *
 * @returns the printing, and the equal that may replace it, with the day since which prices prefer it
 */
export function chooseBasePrinting<T extends BaseCandidate>(
  printings: readonly T[],
  day: number,
  isDoubtful: (printing: T) => boolean,
): { base: T | undefined; rival?: { printing: T; since: number } } {
  const best = basePrinting(printings, isDoubtful)
  const current = printings.find((one) => one.is_base_printing === 1)
  if (best === undefined || current === undefined || best === current) return { base: best }
  if (ratePrinting(current.printing) !== ratePrinting(best.printing)) return { base: best }
  const since = best.preferred_since ?? day
  return day - since < RIVAL_DAYS
    ? { base: current, rival: { printing: best, since } }
    : { base: best }
}

const RIVAL_DAYS = 7

/** Returns what represents a part of a card's printings, of which the base printing is the first. */
export function basePrintingAmong<T extends PrintingPrice>(
  part: readonly T[],
  [base]: readonly T[],
): T | undefined {
  return part.find((one) => one === base) ?? basePrinting(part)
}

/** Returns the printings with the base printing first. */
export function putFirst<T>(printings: readonly T[], base: T | undefined): readonly T[] {
  if (base === undefined || base === printings[0]) return printings
  return [base, ...printings.filter((one) => one !== base)]
}

/**
 * Selects the two printings of the simplified price: the base printing, which is the first one, and the most expensive
 * foil of the same edition beside it. Each is undefined if missing; they are never the same.
 */
export function simplifyPrintings<T extends PrintingPrice>([base, ...others]: readonly T[]): {
  base: T | undefined
  foil: T | undefined
} {
  const foils = others.filter(({ printing }) => isFoil(printing))
  if (base === undefined || foils.length === 0) return { base, foil: undefined }
  return {
    base,
    foil: mostExpensive(foils.filter((one) => isSameEdition(one.printing, base.printing))),
  }
}

function mostExpensive<T extends PrintingPrice>(printings: readonly T[]): T | undefined {
  return printings.reduce<T | undefined>(
    (best, row) => (best !== undefined && worth(best) >= worth(row) ? best : row),
    undefined,
  )
}

function isOffered({ market_price, low_price }: PrintingPrice): boolean {
  return market_price !== null || low_price !== null
}

function isUnknown({ market_price }: PrintingPrice): boolean {
  return market_price === null
}

/** Compares market prices; an unknown one is the highest. */
function isCheaper(one: PrintingPrice, other: PrintingPrice): boolean {
  return (
    (one.market_price ?? Number.POSITIVE_INFINITY) <
    (other.market_price ?? Number.POSITIVE_INFINITY)
  )
}

function worth({ market_price }: PrintingPrice): number {
  return market_price ?? -1
}

import { ratePrinting } from '../catalog/printing-words.ts'
import type { Unit } from './interpret-query.ts'
import { splitIntoWords } from './typed-words.ts'
import type { Lexicon } from './word-matches.ts'

/** Printings that a query names, each with its possible wordings. */
export type PrintingWords = readonly (readonly (readonly string[])[])[]

/** Lists the words of a query that name printings. */
export function listPrintingWords(units: readonly Unit[], lexicon: Lexicon): PrintingWords {
  return units.flatMap((unit) => {
    const wordings = [unit.words, ...unit.wordings].map((words) => words.map(({ text }) => text))
    const ofPrintings = wordings.filter((texts) => texts.every(lexicon.isPrintingWord))
    return ofPrintings.length === 0 ? [] : [ofPrintings]
  })
}

/**
 * Chooses the printing that matches most of the words. Among these, it is the one that represents the card best, then
 * the one with the shortest name, then the first.
 *
 * @returns undefined if none matches
 */
export function findRequestedPrinting<T extends { printing: string }>(
  printings: readonly T[],
  requested: PrintingWords,
): T | undefined {
  let best: { row: T; fits: number; rate: number; words: number } | undefined
  for (const row of printings) {
    const own = new Set(splitIntoWords(row.printing).map(({ text }) => text))
    const fits = countFits(own, requested)
    if (fits === 0) continue
    const rated = { row, fits, rate: ratePrinting(row.printing), words: own.size }
    if (best === undefined || isBetter(rated, best)) best = rated
  }
  return best?.row
}

type Rated = { fits: number; rate: number; words: number }

function isBetter(one: Rated, other: Rated): boolean {
  if (one.fits !== other.fits) return one.fits > other.fits
  return one.rate === other.rate ? one.words < other.words : one.rate < other.rate
}

/** Counts the requested printings whose words a name contains. "Edition" alone is part of many set names. */
function countFits(own: ReadonlySet<string>, requested: PrintingWords): number {
  const fitting = requested.filter((wordings) =>
    wordings.some((texts) => texts.every((text) => own.has(text))),
  )
  const isNamed = fitting.some((wordings) => wordings.some((texts) => texts.join() !== 'edition'))
  return isNamed ? fitting.length : 0
}

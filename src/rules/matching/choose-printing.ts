import {
  basePrintingAmong,
  type PrintingPrice,
  simplifyPrintings,
} from '../catalog/base-printing.ts'
import { isFoil } from '../catalog/printing-words.ts'
import { isPrintingNamed } from '../catalog/printings.ts'
import { normalizeName } from '../catalog/trigrams.ts'
import { listVariantWords } from './variants.ts'

/**
 * Chooses the printing of a card that a collection row means. Apps write the name of the printing, or only whether it
 * is a foil: yes, true, 1, foil, holo. For an empty cell, or a printing that the card does not have, chooses the
 * nearest one.
 *
 * @param cell text of the cell; null if it is empty
 * @param printings printings of the card, the base printing first
 * @returns the printing, undefined if the card has none, and whether it matches the cell
 */
export function choosePrinting<T extends PrintingPrice>(
  cell: string | null,
  printings: readonly T[],
): { printing: T | undefined; isFound: boolean } {
  const { base, foil } = simplifyPrintings(printings)
  const key = normalizeName(cell ?? '')
  if (key === '') return { printing: base, isFound: true }
  const named = printings.find(({ printing }) => isPrintingNamed(key, printing))
  if (named !== undefined) return { printing: named, isFound: true }
  const isShiny = ({ printing }: T) => isFoil(printing)
  const worded = listWorded(cell ?? '', printings)
  const ofKind = worded.filter((one) => isShiny(one) === LIKE_FOIL.test(key))
  const edition = basePrintingAmong(ofKind.length > 0 ? ofKind : worded, printings)
  if (edition !== undefined) return { printing: edition, isFound: true }
  // If a card's only foil is its base printing, it has no other foil.
  const shiny = foil ?? basePrintingAmong(printings.filter(isShiny), printings)
  const plain = basePrintingAmong(
    printings.filter((one) => !isShiny(one)),
    printings,
  )
  if (NOT_FOIL.has(key)) return { printing: plain ?? base, isFound: plain !== undefined }
  if (FOIL.has(key)) return { printing: shiny ?? base, isFound: shiny !== undefined }
  return { printing: (LIKE_FOIL.test(key) ? shiny : plain) ?? base, isFound: false }
}

/** Lists the printings that have the words of an edition: `1st Edition Holofoil` for `1st Edition`. */
function listWorded<T extends PrintingPrice>(cell: string, printings: readonly T[]): T[] {
  const words = listVariantWords(cell)
  if (words.length === 0) return []
  return printings.filter(({ printing }) => {
    const known = listVariantWords(printing)
    return words.every((word) => known.includes(word))
  })
}

/** Returns true if a card with these printings has the one that a cell means; every card has that of an empty cell. */
export function isPrinted(cell: string, printings: readonly string[]): boolean {
  const priced = printings.map((printing) => ({ printing, market_price: 0, low_price: 0 }))
  return choosePrinting(cell, priced).isFound
}

const NOT_FOIL: ReadonlySet<string> = new Set(['normal', 'nonfoil', 'regular', 'false', 'no', '0'])
const FOIL: ReadonlySet<string> = new Set(['foil', 'true', 'yes', 'y', 'x', '1', 'holo'])
const LIKE_FOIL = /foil|etched|holo/

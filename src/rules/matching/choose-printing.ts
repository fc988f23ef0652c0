import { isFoil, isPrintingNamed, simplifyPrintings } from '../catalog/printings.ts'
import { normalizeName } from '../catalog/trigrams.ts'

/** A printing of a card, as far as the choice needs it. */
type Printing = { printing: string; market_price: number | null }

/**
 * Which printing of a card a collection means. Apps write the name of the printing, or only whether
 * it is a foil: yes, true, 1, foil, holo. What is not said, and what the card does not have, is the
 * nearest that it has.
 *
 * @param wish the cell as it is written; null where nothing is said
 * @returns the printing, undefined where the card has none, and whether it is what was wished for
 */
export function choosePrinting<Of extends Printing>(
  wish: string | null,
  printings: readonly Of[],
): { printing: Of | undefined; isFound: boolean } {
  const { base, foil } = simplifyPrintings(printings)
  const [plain, shiny] = [base, foil].map((place) => printings[place ?? -1])
  const key = normalizeName(wish ?? '')
  if (key === '') return { printing: plain, isFound: true }
  const named = printings.find(({ printing }) => isPrintingNamed(key, printing))
  if (named !== undefined) return { printing: named, isFound: true }
  if (NOT_FOIL.has(key)) {
    return { printing: plain, isFound: plain !== undefined && !isFoil(plain.printing) }
  }
  if (FOIL.has(key)) return { printing: shiny ?? plain, isFound: shiny !== undefined }
  return { printing: (LIKE_FOIL.test(key) ? shiny : plain) ?? plain, isFound: false }
}

const NOT_FOIL: ReadonlySet<string> = new Set(['normal', 'nonfoil', 'regular', 'false', 'no', '0'])
const FOIL: ReadonlySet<string> = new Set(['foil', 'true', 'yes', 'y', 'x', '1', 'holo'])
const LIKE_FOIL = /foil|etched|holo/

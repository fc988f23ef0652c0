import {
  basePrinting,
  basePrintingAmong,
  type PrintingPrice,
  putFirst,
  simplifyPrintings,
} from '../../catalog/base-printing.ts'
import { isFoil } from '../../catalog/printing-words.ts'
import type { GuidePrices } from './files.ts'

/** Amounts of a printing in cents; null if unknown. */
export type PrintingAmounts = {
  printing: string
  market_price: number | null
  low_price: number | null
}

/** Printings to which the columns of a product's prices belong. */
type Columns = { base: string | undefined; foil: string | undefined }

/**
 * Converts a row of the guide into the prices of a card's printings. The plain columns belong to the base printing, or
 * to the best plain one if that is a foil. The foil columns belong to the other foil printing, or to the base printing
 * of a card that only has foils.
 *
 * @param only printing to which all prices of the product belong; null for both printings of the card
 * @param printings printings of the card with the mirror's prices, the base printing first
 */
export function chooseProductPrices(
  row: GuidePrices,
  only: string | null,
  printings: readonly PrintingPrice[],
): PrintingAmounts[] {
  const plain = { market_price: row.trend, low_price: row.low }
  const foil = { market_price: row.foil_trend, low_price: row.foil_low }
  const columns = only === null ? chooseColumns(printings) : { base: only, foil: undefined }
  const { base } = columns
  if (base === undefined) return []
  // A product that is sold only as foil has its price in the foil columns.
  const isFoilOnly = columns.foil === undefined && isFoil(base) && !isKnown(plain)
  const priced: PrintingAmounts[] = [{ printing: base, ...(isFoilOnly ? foil : plain) }]
  if (columns.foil !== undefined) priced.push({ printing: columns.foil, ...foil })
  return priced.filter(isKnown)
}

/** Cardmarket's second price of a Pokémon card is that of its reverse holo, if it also has another printing. */
function chooseColumns(printings: readonly PrintingPrice[]): Columns {
  const reverse = printings.find(({ printing }) => printing === REVERSE)
  const others = printings.filter((one) => one !== reverse)
  if (reverse !== undefined && others.length > 0) {
    return { base: basePrintingAmong(others, printings)?.printing, foil: REVERSE }
  }
  const foils = printings.filter(({ printing }) => isFoil(printing))
  const plain = basePrintingAmong(
    printings.filter((one) => !foils.includes(one)),
    printings,
  )
  const { base, foil } = simplifyPrintings(putFirst(printings, plain))
  const other = foil ?? basePrinting(foils.filter((one) => one !== base))
  return { base: base?.printing, foil: other?.printing }
}

const REVERSE = 'Reverse Holofoil'

function isKnown({ market_price, low_price }: Omit<PrintingAmounts, 'printing'>): boolean {
  return market_price !== null || low_price !== null
}

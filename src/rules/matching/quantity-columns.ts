// Columns with numbers of copies. Some apps have one for each printing: `Reg Qty,Foil Qty`, or `Normal,Foil`.

/** A column that counts the copies of one printing. */
export type CountColumn = { index: number; printing: string }

/** The columns that count copies, beside a column for all copies. */
export type CountColumns = {
  counts: readonly CountColumn[]
  /** True if the column for all copies includes these, as in Urza's Gatherer. */
  areIncluded: boolean
  /** Columns that look like a quantity, and are not understood. */
  unknown: readonly number[]
}

const PRINTINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Normal: 'normal, regular, reg, nonfoil, nonholo, standard, plain',
    Foil: 'foil, foils',
    'Etched Foil': 'etched, etchedfoil, specialfoil',
    Holofoil: 'holo, holofoil',
    'Reverse Holofoil': 'reverse, reverseholo, reverseholofoil',
    '1st Edition': '1stedition, firstedition, 1sted',
    'Cold Foil': 'coldfoil',
    'Rainbow Foil': 'rainbowfoil',
  }).flatMap(([printing, words]) => words.split(', ').map((word) => [word, printing])),
)

const COUNTS =
  'qty|quantity|counts?|copies|amount|owned|anzahl|menge|quantite|cantidad|quantita|quantidade'
const COUNTED = new RegExp(`^(.*?)(?:${COUNTS})$|^(?:${COUNTS})(.*)$`)

/**
 * Finds the columns that count copies of one printing among normalized headers. Headers that name a printing alone are
 * such columns if one of them is that of normal copies, and no column has the quantity.
 *
 * @param quantities columns with the number of all copies
 */
export function findCountColumns(
  keys: readonly string[],
  quantities: readonly number[],
): CountColumns {
  const counts: CountColumn[] = []
  const bare: CountColumn[] = []
  const unknown: number[] = []
  for (const [index, key] of keys.entries()) {
    if (quantities.includes(index)) continue
    const [, before, after] = COUNTED.exec(key) ?? []
    const printing = PRINTINGS.get(before ?? after ?? key)
    if (printing === undefined) {
      if (before !== undefined) unknown.push(index)
    } else if (before === undefined && after === undefined) bare.push({ index, printing })
    else counts.push({ index, printing })
  }
  const isWide =
    quantities.length === 0 &&
    bare.length > 1 &&
    bare.some(({ printing }) => printing === 'Normal') &&
    counts.length === 0
  const areIncluded = keys.includes('count') && keys.includes('foilcount')
  return { counts: isWide ? bare : counts, areIncluded, unknown }
}

/** Copies of a printing; null for the printing that the row names. */
type Copies = {
  /** Undefined for the column with the number of all copies. */
  index?: number
  printing: string | null
  quantity: string
}

/**
 * Splits the copies of a row by their printings. A count that is not understood stays as it is, so that the row is
 * refused. Without a copy the quantity is 0.
 *
 * @param all cell with the number of all copies
 */
export function splitCopies(
  { counts, areIncluded }: CountColumns,
  cells: readonly string[],
  all: string | null,
): Copies[] {
  const split = counts.map(({ index, printing }) => {
    const cell = cells[index]?.trim() ?? ''
    return { index, printing, quantity: cell === '' ? '0' : cell }
  })
  const invalid = split.find(({ quantity }) => parseQuantity(quantity) === undefined)
  if (invalid !== undefined) return [invalid]
  const counted = split.reduce((sum, { quantity }) => sum + (parseQuantity(quantity) ?? 0), 0)
  const total = all === null ? 0 : parseQuantity(all)
  if (total === undefined) return [{ printing: null, quantity: all ?? '' }]
  const others = areIncluded ? Math.max(0, total - counted) : total
  const copies: Copies[] = [{ printing: null, quantity: String(others) }, ...split].filter(
    ({ quantity }) => parseQuantity(quantity) !== 0,
  )
  return copies.length > 0 ? copies : [{ printing: null, quantity: '0' }]
}

/** Maximum quantity of a row: a larger number belongs to another column. */
const COPIES_MAX = 1_000_000

/**
 * Parses a quantity; an empty cell is 1, and 0 no copy. Spreadsheets write 2.0 or 2,0, people 2x, x2 or 2 copies.
 *
 * @returns undefined unless it is a whole number up to a million
 */
export function parseQuantity(cell: string | null): number | undefined {
  if (cell === null) return 1
  const [, digits] = QUANTITY.exec(cell) ?? []
  const copies = digits === undefined ? Number.NaN : Number(digits)
  return copies <= COPIES_MAX ? copies : undefined
}

const QUANTITY =
  /^(?:[x×] ?)?(\d{1,7})(?:[.,]0{1,2})?\s*(?:[x×]|copy|copies|cards?|pcs|stk|stück)?$/i

import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { parseTable } from '#actions/matching/parse-collection.ts'
import type { readPhoto } from '#actions/photos/read-photo.ts'
import { formatCsvRecord, removeFormulaGuard } from '#rules/primitives/csv.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { readInputFile } from './read-input-file.ts'

type Identified = Awaited<ReturnType<typeof readPhoto>>

/** A card of a photo, or the error of a photo. */
export type CardRow = {
  status: string
  message: string | null
  /** Position on a page. */
  row?: number
  column?: number
  candidates?: Identified['candidates']
}

/** The names of the card's columns are those that imports of collections read. */
const HEADER = [
  'Photo',
  'Page Row',
  'Page Column',
  'Status',
  'Quantity',
  'Name',
  'Game',
  'Set Code',
  'Set Name',
  'Collector Number',
  'Printing',
  'Product ID',
  'Score',
  'Market Price',
  'Message',
]

const [PHOTO, STATUS] = [HEADER.indexOf('Photo'), HEADER.indexOf('Status')]

export function formatCardRows(photo: string, rows: readonly CardRow[]): string {
  return rows.map((row) => formatCsvRecord([photo, ...cellsOf(row)])).join('')
}

/** An ambiguous card is written as its first candidate. Its status shows that a person must check it. */
function cellsOf({ status, message, row, column, candidates = [] }: CardRow) {
  const best = ['matched', 'ambiguous'].includes(status) ? candidates[0] : undefined
  const place = [row, column, status]
  if (best === undefined) return [...place, ...Array(9).fill(null), null, message]
  const { name, number, set, game, suggested_printing, card_id, score } = best
  return [
    ...place,
    1,
    name,
    game.slug,
    set.code,
    set.name,
    number,
    suggested_printing,
    card_id,
    score,
    priceOf(best),
    message,
  ]
}

function priceOf(candidate: Identified['candidates'][number]): number | null {
  const [price] = 'prices' in candidate ? candidate.prices : []
  return price?.market_price ?? null
}

/**
 * Starts a table on stdout or in a file, or continues that of a file: removes the rows of its last photo, which may lack
 * some, and of photos with an error.
 *
 * @returns the names of the photos that it has
 * @throws ServiceError VALIDATION_ERROR if the file is not such a table
 */
export async function openCardTable(out: string | undefined): Promise<ReadonlySet<string>> {
  const header = formatCsvRecord(HEADER)
  if (out === undefined || !existsSync(out)) {
    if (out === undefined) process.stdout.write(header)
    else writeFileSync(out, header)
    return new Set()
  }
  const records = await readRecords(out)
  const last = records.at(-1)?.[PHOTO]
  const failed = new Set(
    records.filter((cells) => cells[STATUS] === 'error').map((cells) => cells[PHOTO]),
  )
  const kept = records.filter((cells) => cells[PHOTO] !== last && !failed.has(cells[PHOTO]))
  const part = `${out}.part`
  writeFileSync(
    part,
    header + kept.map((cells) => formatCsvRecord(cells.map(removeFormulaGuard))).join(''),
  )
  renameSync(part, out)
  return new Set(kept.map((cells) => removeFormulaGuard(cells[PHOTO] ?? '')))
}

async function readRecords(path: string): Promise<string[][]> {
  const bytes = Buffer.from(await readInputFile(path))
  // A line without a line end is incomplete, because the command was killed.
  const whole = bytes.subarray(0, bytes.lastIndexOf('\r\n') + 2)
  const records: string[][] = []
  for await (const { cells } of parseTable(whole)) records.push(cells)
  const [header, ...rows] = records
  if (header?.join() === HEADER.join()) return rows
  throw new ServiceError(
    'VALIDATION_ERROR',
    `The file ${path} is another table. Choose another file with --out, or delete it.`,
  )
}

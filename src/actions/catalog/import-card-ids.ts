import { isSourceName, NATIVE_SOURCES } from '#rules/pricing/price-key.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { NewCardId } from '#store/catalog/ids/card-ids.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'
import { parseCsvRecords } from './parse-csv-records.ts'

/** Number of stored ids, and rejected rows by line. */
export type CardIdReport = { ids: number; errors: { line: number; reason: string }[] }

/**
 * Replaces the ids of an operator's system with the ids of a CSV file with the columns id, card_id and, optionally,
 * printing. Rows with an error are skipped.
 *
 * @throws ServiceError VALIDATION_ERROR for an invalid source name, or a file without the columns
 */
export function importCardIds(
  { catalogWriter, now }: { catalogWriter: Pick<CatalogWriter, 'cardIds'>; now: () => Date },
  source: string,
  bytes: Uint8Array,
): CardIdReport {
  assertOwnSource(source)
  const [head, ...records] = parseCsvRecords(bytes, invalid)
  const columns = findColumns(head?.cells ?? [])
  const rows = new Map<string, NewCardId & { line: number }>()
  const errors: CardIdReport['errors'] = []
  for (const { cells, line } of records) {
    const row = parseRow(cells, columns)
    const reason = typeof row === 'string' ? row : findConflict(row, rows)
    if (reason !== undefined) errors.push({ line, reason })
    else if (typeof row !== 'string') rows.set(row.id, { ...row, line })
  }
  const ids = [...rows.values()].map(({ line: _, ...row }) => row)
  const unknown = catalogWriter.cardIds.replace(source, ids, now())
  for (const id of unknown) {
    const { line = 0, card_id } = rows.get(id) ?? {}
    errors.push({ line, reason: `The catalog has no card ${card_id}.` })
  }
  return { ids: rows.size - unknown.length, errors: errors.sort((a, b) => a.line - b.line) }
}

function assertOwnSource(source: string): void {
  if (!isSourceName(source)) {
    throw invalid('The source must have 1 to 32 lowercase letters, digits and hyphens.')
  }
  if (Object.values(NATIVE_SOURCES).includes(source)) {
    throw invalid(`"${source}" is a marketplace. Use a name of your own, such as my-shop.`)
  }
}

type Columns = { id: number; card: number; printing: number }

function findColumns(head: readonly string[]): Columns {
  const names = head.map((cell) => cell.toLowerCase())
  const columns = {
    id: names.indexOf('id'),
    card: names.indexOf('card_id'),
    printing: names.indexOf('printing'),
  }
  if (columns.id >= 0 && columns.card >= 0) return columns
  throw invalid('The file needs a header with the columns id, card_id and, optionally, printing.')
}

/** @returns the problem if the row cannot be used */
function parseRow(cells: readonly string[], columns: Columns): NewCardId | string {
  const id = cells[columns.id] ?? ''
  const card = cells[columns.card] ?? ''
  if (id === '' || id.length > ID_CHARACTERS_MAX) return 'The id must have 1 to 100 characters.'
  if (!/^[1-9]\d{0,14}$/.test(card)) return `"${card.slice(0, 40)}" is not the ID of a card.`
  return { id, card_id: Number(card), printing: cells[columns.printing] || null }
}

/** The longest that a path of the API accepts. */
const ID_CHARACTERS_MAX = 100

function findConflict(
  { id, card_id, printing }: NewCardId,
  rows: ReadonlyMap<string, NewCardId>,
): string | undefined {
  const before = rows.get(id)
  if (before === undefined) return undefined
  if (before.card_id === card_id && before.printing === printing) return undefined
  return `"${id}" already belongs to another card in an earlier row.`
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}

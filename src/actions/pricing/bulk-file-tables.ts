import type { BulkFile } from '#rules/pricing/bulk-list.ts'
import { PRICE_FIELDS } from '#rules/pricing/price-json.ts'
import { formatCsvRecord } from '#rules/primitives/csv.ts'
import type { CatalogCard } from '#store/catalog/card-store.ts'
import { CARD_FIELDS } from '#store/catalog/cards.ts'
import type { BulkDraft } from '#store/files/bulk-build.ts'
import type { BulkPiece } from '#store/files/bulk-pieces.ts'

/** The four tables of a game or of all games: cards and prices, each as JSON lines and as CSV. */
export type BulkTables = {
  /** @param pieces as `renderTables` returns them */
  append(pieces: readonly BulkPiece[]): void
  end(): BulkFile[]
}

export function createBulkTables(draft: BulkDraft, game: string, updated_at: string): BulkTables {
  const tables = TABLES.map(({ type, format, header }) => {
    const name = bulkFileName({ type, format })
    const facts = { type, game, format, name, updated_at }
    const file = draft.createFile(game, name)
    if (header !== '') file.append(draft.pack(header, 0))
    return { facts, file }
  })
  return {
    append(pieces) {
      for (const [index, piece] of pieces.entries()) tables[index]?.file.append(piece)
    },
    end: () => tables.map(({ facts, file }) => ({ ...facts, ...file.end() })),
  }
}

/** Renders the rows of these cards for each table. */
export function renderTables(draft: BulkDraft, cards: readonly CatalogCard[]): BulkPiece[] {
  return TABLES.map(({ records }) => {
    const found = cards.flatMap(records)
    return draft.pack(found.join(''), found.length)
  })
}

/** Returns the file's name in the folder of its game. */
export function bulkFileName({
  type,
  format,
  month,
}: Pick<BulkFile, 'type' | 'format' | 'month'>): string {
  return `${month === undefined ? type : `${type}-${month}`}.${format}`
}

type Table = Pick<BulkFile, 'type' | 'format'> & {
  header: string
  records: (card: CatalogCard) => string[]
}

const TABLES: readonly Table[] = [
  { type: 'cards', format: 'jsonl.gz', header: '', records: ({ text }) => [`${text}\n`] },
  {
    type: 'cards',
    format: 'csv.gz',
    header: formatCsvRecord(CARD_FIELDS),
    records: ({ cells }) => [formatCsvRecord(cells)],
  },
  {
    type: 'prices',
    format: 'jsonl.gz',
    header: '',
    records: ({ prices }) => prices.map((price) => `${JSON.stringify(price)}\n`),
  },
  {
    type: 'prices',
    format: 'csv.gz',
    header: formatCsvRecord(PRICE_FIELDS),
    records: ({ prices }) =>
      prices.map((price) => formatCsvRecord(PRICE_FIELDS.map((field) => price[field]))),
  },
]

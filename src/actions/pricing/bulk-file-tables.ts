import { PRICE_FIELDS } from '#rules/pricing/price-json.ts'
import { formatCsvRecord } from '#rules/primitives/csv.ts'
import { CARD_FIELDS, type CatalogCard } from '#store/catalog/cards.ts'
import type { BulkDraft } from '#store/files/bulk-build.ts'
import type { BulkFile } from '#store/files/bulk-files.ts'

export type TableChunk = { text: string; rows: number }

/** The four tables of a game or of all games: cards and prices, each as JSON lines and as CSV. */
export type BulkTables = {
  /** @param chunks as `renderTables` returns them */
  write(chunks: readonly TableChunk[]): Promise<void>
  end(): Promise<BulkFile[]>
}

export async function createBulkTables(
  draft: BulkDraft,
  game: string,
  updated_at: string,
): Promise<BulkTables> {
  const tables = TABLES.map(({ type, format, header }) => {
    const name = bulkFileName({ type, format })
    const facts = { type, game, format, name, updated_at }
    return { facts, header, file: draft.createFile(game, name) }
  })
  await Promise.all(tables.map(({ file, header }) => file.write(header, 0)))
  return {
    async write(chunks) {
      const parts = chunks.map(({ text, rows }, index) => tables[index]?.file.write(text, rows))
      await Promise.all(parts)
    },
    end: () =>
      Promise.all(tables.map(async ({ facts, file }) => ({ ...facts, ...(await file.end()) }))),
  }
}

/** Renders the rows of these cards for each table. */
export function renderTables(cards: readonly CatalogCard[]): TableChunk[] {
  return TABLES.map(({ records }) => {
    const found = cards.flatMap(records)
    return { text: found.join(''), rows: found.length }
  })
}

/** Returns the file's name in the folder of its game. */
export function bulkFileName({ type, format }: Pick<BulkFile, 'type' | 'format'>): string {
  return `${type}.${format}`
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

import type { Deps } from '#deps.ts'
import {
  type CollectionFormat,
  type ExportedItem,
  exportCells,
  exportHeader,
} from '#rules/collections/export-columns.ts'
import { formatCsvRecord } from '#rules/primitives/csv.ts'
import type { CollectionItem } from '#store/ledger/collections/collection-items.ts'
import { readPages } from './value-collection.ts'

/** Renders all items of a collection as a CSV file, page by page. */
export async function* exportCollection(
  { catalog, ledger }: Pick<Deps, 'catalog' | 'ledger'>,
  collectionId: string,
  format: CollectionFormat,
): AsyncGenerator<string> {
  const codes = new Map<number, string | null>()
  function findCode(setId: number): string | null {
    const known = codes.get(setId)
    if (known !== undefined) return known
    const code = catalog.sets.getById(setId)?.abbreviation ?? null
    codes.set(setId, code)
    return code
  }
  const toExported = (item: CollectionItem): ExportedItem => {
    return { ...item, set_code: findCode(item.set_id) }
  }
  yield formatCsvRecord(exportHeader(format))
  for await (const page of readPages({ ledger }, collectionId)) {
    yield page.map((item) => formatCsvRecord(exportCells(format, toExported(item)))).join('')
  }
}

import type { Deps } from '#deps.ts'
import {
  type CollectionFormat,
  type ExportedItem,
  exportCells,
  exportHeader,
} from '#rules/collections/export-columns.ts'
import { formatCsvRecord } from '#rules/primitives/csv.ts'
import type { CollectionItem } from '#store/ledger/collections/list-items.ts'
import { readPages } from './value-collection.ts'

type ExportDeps = Pick<Deps, 'catalog' | 'ledger'>

/** An item to be exported; the code of its set is added. */
export type ItemToExport = Omit<ExportedItem, 'set_code'> & { set_id: number }

/** Renders all items of a collection as a CSV file, page by page. */
export function exportCollection(
  deps: ExportDeps,
  collectionId: string,
  format: CollectionFormat,
): AsyncGenerator<string> {
  return exportItems(deps, readPages(deps, collectionId), format)
}

/** Renders items as a CSV file, page by page. */
export async function* exportItems(
  deps: Pick<Deps, 'catalog'>,
  pages: AsyncIterable<readonly ItemToExport[]>,
  format: CollectionFormat,
): AsyncGenerator<string> {
  const addSetCode = createSetCodes(deps)
  yield formatCsvRecord(exportHeader(format))
  for await (const page of pages) {
    yield page.map((item) => formatCsvRecord(exportCells(format, addSetCode(item)))).join('')
  }
}

/** Renders all items of an account as one CSV file, with their collection in the first columns. */
export async function* exportAllCollections(
  deps: ExportDeps,
  accountId: number,
): AsyncGenerator<string> {
  const addSetCode = createSetCodes(deps)
  yield formatCsvRecord(['Collection', 'Kind', ...exportHeader('full')])
  const { rows } = await deps.ledger.lists.listCollections(accountId)
  for (const { id, name, kind } of rows) {
    for await (const page of readPages(deps, id)) {
      const cells = (item: CollectionItem) => exportCells('full', addSetCode(item))
      yield page.map((item) => formatCsvRecord([name, kind, ...cells(item)])).join('')
    }
  }
}

/** Returns a function that adds the set's code to an item. */
function createSetCodes({ catalog }: Pick<Deps, 'catalog'>) {
  const codes = new Map<number, string | null>()
  return (item: ItemToExport): ExportedItem => {
    if (!codes.has(item.set_id)) {
      codes.set(item.set_id, catalog.sets.getById(item.set_id)?.abbreviation ?? null)
    }
    return { ...item, set_code: codes.get(item.set_id) ?? null }
  }
}

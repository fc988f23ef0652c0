import type { Deps } from '#deps.ts'
import {
  type CollectionFormat,
  hasGame,
  isIncluded,
  isUniversal,
  noGameOf,
  setCodeIn,
} from '#rules/collections/collection-formats.ts'
import {
  type ExportedItem,
  exportCells,
  exportHeader,
  renderExportedItem,
  renderExportHead,
} from '#rules/collections/export-columns.ts'
import { formatCsvRecord } from '#rules/primitives/csv.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { CollectionItem } from '#store/ledger/collections/list-items.ts'
import { nextTurn } from '../cooperative-loop.ts'
import { readPages } from './value-collection.ts'

type ExportDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/** An item to be exported; the code of its set is added. */
export type ItemToExport = Omit<ExportedItem, 'set_code'> & { set_id: number }

type ReadItems = () => AsyncIterable<readonly ItemToExport[]>

/** A file of items that is rendered page by page. */
export type ExportedFile = {
  chunks: AsyncGenerator<string>
  /** Items for which the format has no place. */
  leftOut: number
}

/**
 * Exports all items of a collection.
 *
 * @throws ServiceError FORMAT_UNAVAILABLE if the app has none of the games
 */
export function exportCollection(
  deps: ExportDeps,
  collectionId: string,
  format: CollectionFormat,
): Promise<ExportedFile> {
  return exportItems(deps, () => readPages(deps, collectionId), format)
}

/** Exports items, which are read twice for an app that may leave some out. @throws ServiceError as `exportCollection` */
export async function exportItems(
  deps: Pick<Deps, 'catalog' | 'now'>,
  read: ReadItems,
  format: CollectionFormat,
): Promise<ExportedFile> {
  const codeOf = createSetCodes(deps, format)
  const leftOut = isUniversal(format) ? 0 : await countLeftOut(read, format, codeOf)
  return { leftOut, chunks: renderItems(deps, read(), format, codeOf) }
}

async function countLeftOut(
  read: ReadItems,
  format: CollectionFormat,
  codeOf: SetCodes,
): Promise<number> {
  const counts = { items: 0, ofGame: 0, included: 0 }
  for await (const page of read()) {
    counts.items += page.length
    counts.ofGame += page.filter(({ game }) => hasGame(format, game)).length
    counts.included += page.filter((item) => isIncluded(format, withCode(item, codeOf))).length
    await nextTurn()
  }
  if (counts.items > 0 && counts.ofGame === 0) throw noGameOf(format)
  return counts.items - counts.included
}

async function* renderItems(
  { now }: Pick<Deps, 'now'>,
  pages: AsyncIterable<readonly ItemToExport[]>,
  format: CollectionFormat,
  codeOf: SetCodes,
): AsyncGenerator<string> {
  const today = dayOf(now())
  yield renderExportHead(format)
  for await (const page of pages) {
    yield page
      .map((item) => withCode(item, codeOf))
      .filter((item) => isIncluded(format, item))
      .map((item) => renderExportedItem(format, item, today))
      .join('')
  }
}

/** Renders all items of an account as one CSV file, with their collection in the first columns. */
export async function* exportAllCollections(
  deps: ExportDeps,
  accountId: number,
): AsyncGenerator<string> {
  const codeOf = createSetCodes(deps, 'full')
  const today = dayOf(deps.now())
  yield formatCsvRecord(['Collection', 'Kind', ...exportHeader('full')])
  const { rows } = await deps.ledger.lists.listCollections(accountId)
  for (const { id, name, kind } of rows) {
    for await (const page of readPages(deps, id)) {
      const cells = (item: CollectionItem) => exportCells('full', withCode(item, codeOf), today)
      yield page.map((item) => formatCsvRecord([name, kind, ...cells(item)])).join('')
    }
  }
}

/** Returns the code of a set. */
type SetCodes = (set_id: number) => string | null

function withCode(item: ItemToExport, codeOf: SetCodes): ExportedItem {
  return { ...item, set_code: codeOf(item.set_id) }
}

/** Returns a function that finds the codes of sets in a format. */
function createSetCodes({ catalog }: Pick<Deps, 'catalog'>, format: CollectionFormat): SetCodes {
  const codes = new Map<number, string | null>()
  return (set_id) => {
    if (!codes.has(set_id)) {
      const set = catalog.sets.getById(set_id)
      codes.set(set_id, set === undefined ? null : setCodeIn(format, set))
    }
    return codes.get(set_id) ?? null
  }
}

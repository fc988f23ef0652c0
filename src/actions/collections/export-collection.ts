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
import { findCost } from './value-items.ts'

type ExportDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/** An item to be exported; the code of its set is added. */
export type ItemToExport = Omit<ExportedItem, 'set_code' | 'cost'> & {
  set_id: number
  /** Epoch milliseconds; undefined for an item that is in no collection, and has no price paid. */
  created_at?: number
}

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
  const describe = createDescriber(deps, format)
  const leftOut = isUniversal(format) ? 0 : await countLeftOut(read, format, describe)
  return { leftOut, chunks: renderItems(deps, read(), format, describe) }
}

async function countLeftOut(
  read: ReadItems,
  format: CollectionFormat,
  describe: Describe,
): Promise<number> {
  const counts = { items: 0, ofGame: 0, included: 0 }
  for await (const page of read()) {
    counts.items += page.length
    counts.ofGame += page.filter(({ game }) => hasGame(format, game)).length
    counts.included += page.filter((item) => isIncluded(format, describe(item))).length
    await nextTurn()
  }
  if (counts.items > 0 && counts.ofGame === 0) throw noGameOf(format)
  return counts.items - counts.included
}

async function* renderItems(
  { now }: Pick<Deps, 'now'>,
  pages: AsyncIterable<readonly ItemToExport[]>,
  format: CollectionFormat,
  describe: Describe,
): AsyncGenerator<string> {
  const today = dayOf(now())
  yield renderExportHead(format)
  for await (const page of pages) {
    yield page
      .map(describe)
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
  const describe = createDescriber(deps, 'full')
  const today = dayOf(deps.now())
  yield formatCsvRecord(['Collection', 'Kind', ...exportHeader('full')])
  const { rows } = await deps.ledger.lists.listCollections(accountId)
  for (const { id, name, kind } of rows) {
    for await (const page of readPages(deps, id)) {
      const cells = (item: CollectionItem) => exportCells('full', describe(item), today)
      yield page.map((item) => formatCsvRecord([name, kind, ...cells(item)])).join('')
    }
  }
}

type Describe = (item: ItemToExport) => ExportedItem

/** Returns a function that adds the codes of sets in a format, and costs in US dollars. */
function createDescriber(deps: Pick<Deps, 'catalog' | 'now'>, format: CollectionFormat): Describe {
  const codes = new Map<number, string | null>()
  return (item) => {
    const { set_id } = item
    if (!codes.has(set_id)) {
      const set = deps.catalog.sets.getById(set_id)
      codes.set(set_id, set === undefined ? null : setCodeIn(format, set))
    }
    return {
      ...item,
      set_code: codes.get(set_id) ?? null,
      cost: findCost(deps, { ...item, quantity: 1 }),
    }
  }
}

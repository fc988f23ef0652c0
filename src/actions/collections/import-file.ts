import { tierLimits } from '#rules/accounts/tiers.ts'
import type { CollectionImportReport, FileImport } from '#rules/collections/file-import.ts'
import { ACCEPTED_BY_DEFAULT } from '#rules/matching/certainty.ts'
import { listImportUses } from '#rules/matching/column-uses.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { splitBytes } from '#rules/primitives/file-bytes.ts'
import type { ImportProgress } from '#store/ledger/collections/collection-imports.ts'
import { isCollection, readTableHeader } from '../matching/parse-collection.ts'
import { createItems, type ResolvedHolding, readImport } from './read-import.ts'
import {
  type ImportTaskDeps,
  type RunProgress,
  readProgress,
  storePart,
  unfinishedImport,
} from './store-part.ts'

/**
 * Imports a file part by part. Each part is read, then stored in one transaction with the progress, so that the same
 * file can be sent again to continue after a crash, a lost connection, or when the collection was full. A file that
 * is already in the collection changes nothing, unless `again` is set.
 *
 * @yields the progress of this run after each part
 * @returns the report
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR or TOO_MANY_ITEMS
 */
export async function* importParts(
  deps: ImportTaskDeps,
  input: FileImport,
): AsyncGenerator<RunProgress, CollectionImportReport, void> {
  const { ledger, now } = deps
  const { collection_id, file, game, prefer, again, accept, unowned_list_id } = input
  const hash = createImportHash(input)
  const content_hash = hash(accept.join())
  // A file that was imported from its draft is in the collection. Who names certainties wants rows that were left out.
  const isUsual = accept.join() === ACCEPTED_BY_DEFAULT.join()
  const draft_hash = isUsual ? hash(DRAFT_HASH) : undefined
  const first = await ledger.collectionImports.begin(
    { collection_id, content_hash, draft_hash, again, unowned_list_id },
    now(),
  )
  if ('unfinished' in first) throw unfinishedImport(first.unfinished)
  const key = { collection_id, content_hash, run: first.run }
  const columns = isCollection(file) ? listImportUses(await readTableHeader(file)) : []
  const report = (progress: ImportProgress, isFull: boolean): CollectionImportReport => ({
    import_id: first.id,
    ...readProgress(progress),
    columns,
    is_full: isFull,
    is_repeated: first.completed_at !== null,
  })
  if (first.completed_at !== null) return report(first, false)
  const max = tierLimits(input).items
  const options = {
    game,
    prefer,
    // A file that goes on has the wish list of its first run.
    unowned: first.unowned_list_id === null ? ('leave_out' as const) : ('wishlist' as const),
    today: dayOf(now()),
    rowsMax: rowsMax(max),
    createRows: (rows: readonly ResolvedHolding[]) => createItems({ ...deps, accept }, rows),
  }
  let [progress, dated] = [first, 0]
  for await (const part of readImport(deps, file, options)) {
    if (part.start >= options.rowsMax) {
      throw tooManyRows(max, `The first ${options.rowsMax} rows were imported. Send the others`)
    }
    dated += part.dated
    const next = await storePart(deps, { key, part, progress, max, stopsAtFullList: false })
    progress = next.progress
    if (next.outcome === 'full') return report(progress, true)
    yield { finished: progress.done - first.done, passed: part.start + part.size, dated }
  }
  await ledger.collectionImports.complete(key, now())
  return report(progress, false)
}

/** Maximum number of rows in a file: rows without a card take no space in the collection, but they take time. */
export function rowsMax(itemsMax: number): number {
  return Math.max(10_000, 2 * itemsMax)
}

/** @param remedy what to do, until `in another file` */
export function tooManyRows(itemsMax: number, remedy: string): ServiceError {
  const message = `A file may have at most ${rowsMax(itemsMax)} rows with your plan. ${remedy} in another file.`
  return new ServiceError('TOO_MANY_ITEMS', message)
}

/** Stands for the certainties that a draft takes: its owner decides. */
export const DRAFT_HASH = 'draft'

/** Reads a file, and returns a function that hashes it with the options that decide what is imported. */
export function createImportHash({
  file,
  game,
  prefer,
}: Pick<FileImport, 'file' | 'game' | 'prefer'>): (options: string) => string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const piece of splitBytes(file, PIECE_BYTES)) hash.update(piece)
  return (options) =>
    hash
      .copy()
      .update(`\0${game ?? ''}\0${prefer}\0${options}`)
      .digest('hex')
}

const PIECE_BYTES = 262_144

import type { Deps } from '#deps.ts'
import type { ImportProblem } from '#rules/collections/file-import.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ImportKey, ImportProgress } from '#store/ledger/collections/collection-imports.ts'
import type { ImportDraftStore } from '#store/ledger/collections/import-drafts.ts'
import type { ImportRecordStore } from '#store/ledger/collections/import-records.ts'
import { listNotFound } from './manage-lists.ts'
import type { ImportPart, ReadRow } from './read-import.ts'

/** Stores of the thread of imports. */
export type ImportStores = Pick<Deps['ledger'], 'collectionImports'> & {
  importDrafts: Omit<ImportDraftStore, 'change' | 'discard' | 'purge'>
  importRecords: Pick<ImportRecordStore, 'listTargets' | 'removeItems'>
}

export type ImportTaskDeps = Pick<Deps, 'catalog' | 'now'> & { ledger: ImportStores }

/**
 * Rows that a run has finished, rows of the file that it has passed, because an earlier run may have finished some, and
 * rows whose dates it has read before.
 */
export type RunProgress = { finished: number; passed: number; dated: number }

type PartContext = {
  key: ImportKey
  part: ImportPart
  progress: ImportProgress
  max: number
  /** True if a wish list without room ends the run; false if its rows become problems. */
  stopsAtFullList: boolean
}

type StoredPart = { outcome: 'stored' | 'full' | 'unowned_full'; progress: ImportProgress }

/**
 * Reads and stores the unfinished rows of a part. Another request may store some of them first.
 *
 * @throws ServiceError NOT_FOUND without the collection, UNAVAILABLE if the import was undone
 */
export async function storePart(deps: ImportTaskDeps, context: PartContext): Promise<StoredPart> {
  const { collectionImports: imports } = deps.ledger
  const { key, part, max, stopsAtFullList } = context
  const end = part.start + part.size
  let { progress } = context
  while (progress.done < end) {
    const read = await part.read(progress.done)
    const rows = await placeUnowned(deps, read, { key, progress, max, stopsAtFullList })
    if (rows === 'unowned_full') return { outcome: rows, progress }
    const outcome = await storeRows(deps, { key, progress, max }, rows)
    if (outcome === 'missing') throw listNotFound('owned')
    if (outcome === 'stored') return { outcome, progress: advance(progress, rows) }
    if (outcome === 'full') {
      const room = (await imports.countRoom(key.collection_id, max)) ?? 0
      const fitting = cutRows(rows, room)
      const cut = await storeRows(deps, { key, progress, max }, fitting)
      if (cut === 'stored') return { outcome, progress: advance(progress, fitting) }
    }
    // Another request was faster: continue after its rows.
    const current = await imports.getProgress(key)
    if (current === undefined) throw interrupted()
    progress = current
  }
  return { outcome: 'stored', progress }
}

function listUnowned(rows: readonly ReadRow[], { unowned_list_id: list_id }: ImportProgress) {
  const items = rows.flatMap(({ unowned }) => unowned?.item ?? [])
  return list_id === null ? undefined : { list_id, items }
}

/**
 * Leaves out rows for which the wish list has no room, or stops there. Of an import into a wish list, all rows are for
 * this list.
 */
async function placeUnowned(
  { ledger }: Pick<ImportTaskDeps, 'ledger'>,
  rows: readonly ReadRow[],
  { key, progress, max, stopsAtFullList }: Omit<PartContext, 'part'>,
): Promise<readonly ReadRow[] | 'unowned_full'> {
  const { unowned_list_id } = progress
  if (unowned_list_id === null || rows.every(({ unowned }) => unowned === undefined)) return rows
  if (unowned_list_id === key.collection_id) {
    return rows.map(({ item, unowned, problems }) => ({ item: item ?? unowned?.item, problems }))
  }
  const found = await ledger.collectionImports.countRoom(unowned_list_id, max)
  if (stopsAtFullList) {
    // The list was deleted: another run chooses one.
    if (found === undefined) throw interrupted()
    const wanted = rows.filter(({ unowned }) => unowned !== undefined).length
    return wanted > found ? 'unowned_full' : rows
  }
  let room = found ?? 0
  return rows.map((row) => {
    if (row.unowned === undefined || room-- > 0) return row
    return { item: undefined, problems: [wishlistFull(row.unowned)] }
  })
}

function wishlistFull({ item, row }: NonNullable<ReadRow['unowned']>): ImportProblem {
  const { card_id, name } = item
  const reason = 'wishlist_full'
  return { row, name, card_id, card_name: name, reason, is_imported: false }
}

/** Stores rows that were read, with the progress after them. */
function storeRows(
  { ledger, now }: Pick<ImportTaskDeps, 'ledger' | 'now'>,
  { key, progress, max }: Omit<PartContext, 'part' | 'stopsAtFullList'>,
  rows: readonly ReadRow[],
) {
  const { done, problem_count, problems } = advance(progress, rows)
  return ledger.collectionImports.addBatch(
    key,
    {
      before: progress.done,
      next: done,
      items: rows.flatMap(({ item }) => item ?? []),
      unowned: listUnowned(rows, progress),
      problem_count: problem_count - progress.problem_count,
      problems,
    },
    max,
    now(),
  )
}

/** Returns the progress after more rows. */
function advance(before: ImportProgress, rows: readonly ReadRow[]): ImportProgress {
  const found = rows.flatMap(({ problems }) => problems)
  const known = parseProblems(before.problems)
  const kept = keepProblems([...known, ...found])
  return {
    ...before,
    done: before.done + rows.length,
    imported: before.imported + rows.filter(({ item }) => item !== undefined).length,
    unowned: before.unowned + rows.filter(({ unowned }) => unowned !== undefined).length,
    problem_count: before.problem_count + found.length,
    problems: found.length === 0 ? before.problems : JSON.stringify(kept),
  }
}

/** Returns the first problems. Cards that are only assumed, as in every list without sets, leave room for the others. */
function keepProblems(problems: readonly ImportProblem[]): ImportProblem[] {
  const isAssumed = ({ reason }: ImportProblem) => reason === 'printing_assumed'
  const others = problems.filter((one) => !isAssumed(one)).length
  let room = Math.max(0, PROBLEMS_KEPT - others)
  return problems.filter((one) => !isAssumed(one) || room-- > 0).slice(0, PROBLEMS_KEPT)
}

/** Maximum number of stored problems; all of them are counted. */
const PROBLEMS_KEPT = 200

function parseProblems(json: string): ImportProblem[] {
  // `advance` has written this text, so its shape is known.
  return JSON.parse(json) as ImportProblem[]
}

/** Returns the rows up to the first one without room in the collection. */
function cutRows(rows: readonly ReadRow[], room: number): ReadRow[] {
  let items = 0
  const end = rows.findIndex(({ item }) => item !== undefined && ++items > room)
  return end < 0 ? [...rows] : rows.slice(0, end)
}

/** Describes the progress of an import for its report. */
export function readProgress({ done, imported, unowned, problem_count, problems }: ImportProgress) {
  return {
    rows: done,
    imported,
    skipped: done - imported - unowned,
    unowned,
    problem_count,
    problems: parseProblems(problems),
  }
}

/** Creates the error for an import that ended before its file did. */
export function interrupted(): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    'The import was interrupted. Send the same request again to continue where it stopped.',
    { retryAfter: 1 },
  )
}

/** Creates the error for an import of a file of which another import has stored only some rows. */
export function unfinishedImport(id: string): ServiceError {
  const message = `Another import of this file has not ended: ${id}. Continue or undo it first.`
  return new ServiceError('VALIDATION_ERROR', message)
}

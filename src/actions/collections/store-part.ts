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
  importRecords: Pick<ImportRecordStore, 'removeItems'>
}

export type ImportTaskDeps = Pick<Deps, 'catalog' | 'now'> & { ledger: ImportStores }

/**
 * Rows that a run has finished, rows of the file that it has passed, because an earlier run may have finished some, and
 * rows whose dates it has read before.
 */
export type RunProgress = { finished: number; passed: number; dated: number }

type PartContext = { key: ImportKey; part: ImportPart; progress: ImportProgress; max: number }

type StoredPart = { outcome: 'stored' | 'full'; progress: ImportProgress }

/**
 * Reads and stores the unfinished rows of a part. Another request may store some of them first.
 *
 * @throws ServiceError NOT_FOUND without the collection, UNAVAILABLE if the import was undone
 */
export async function storePart(deps: ImportTaskDeps, context: PartContext): Promise<StoredPart> {
  const { collectionImports: imports } = deps.ledger
  const { key, part, max } = context
  const end = part.start + part.size
  let { progress } = context
  while (progress.done < end) {
    const rows = await part.read(progress.done)
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

/** Stores rows that were read, with the progress after them. */
function storeRows(
  { ledger, now }: Pick<ImportTaskDeps, 'ledger' | 'now'>,
  { key, progress, max }: Omit<PartContext, 'part'>,
  rows: readonly ReadRow[],
) {
  const { done, problem_count, problems } = advance(progress, rows)
  return ledger.collectionImports.addBatch(
    key,
    {
      before: progress.done,
      next: done,
      items: rows.flatMap(({ item }) => item ?? []),
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
export function readProgress({ done, imported, problem_count, problems }: ImportProgress) {
  return {
    rows: done,
    imported,
    skipped: done - imported,
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

import { tierLimits } from '#rules/accounts/tiers.ts'
import {
  ROWS_A_PART,
  type StoredImport,
  type StoredImportReport,
} from '#rules/collections/file-import.ts'
import {
  countRows,
  type DecidedRow,
  type DraftTotals,
  type KindStates,
} from '#rules/collections/import-draft.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { mergeRows } from './draft-rows.ts'
import { createItemId } from './parse-item.ts'
import { type ReadRow, toUnowned } from './read-import.ts'
import { type ImportTaskDeps, interrupted, type RunProgress, storePart } from './store-part.ts'

/**
 * Imports the accepted rows of a draft, in the order of the file. Another run continues after an interruption.
 *
 * @yields the progress of this run after each part
 * @throws ServiceError NOT_FOUND or UNAVAILABLE
 */
export async function* importDraftParts(
  deps: ImportTaskDeps,
  input: StoredImport,
): AsyncGenerator<RunProgress, StoredImportReport, void> {
  const { ledger, now } = deps
  const { collection_id, import_id } = input
  const draft = await ledger.importDrafts.getKey({ collection_id, import_id })
  if (draft === undefined) throw draftEnded()
  const { states: decided, totals: counted, ...key } = draft
  const first = await ledger.collectionImports.getProgress(key)
  if (first === undefined) throw interrupted()
  if (first.completed_at !== null) return { full: null }
  const max = tierLimits(input).items
  // `draftParts` and `manage-imports.ts` have written these texts.
  const states = JSON.parse(decided) as KindStates
  const totals = JSON.parse(counted) as DraftTotals
  const readable = { collection_id, import_id, states, totals }
  const rows = countRows(totals)
  let [progress, start] = [first, 0]
  for await (const batch of inBatches(mergeRows(deps, readable))) {
    const begin = start
    const read = async (from: number) => batch.slice(Math.max(0, from - begin)).map(createItem)
    const part = { start: begin, size: batch.length, dated: 0, read }
    const next = await storePart(deps, { key, part, progress, max, stopsAtFullList: true })
    progress = next.progress
    if (next.outcome !== 'stored') return { full: next.outcome }
    start += batch.length
    yield { finished: progress.done - first.done, passed: start, dated: 0 }
  }
  // The rows of a draft that has ended are deleted, also while they are read.
  if (start < rows) throw draftEnded()
  await ledger.collectionImports.complete(key, now())
  return { full: null }
}

function createItem({ row, state, card, copies, is_unowned }: DecidedRow): ReadRow {
  const none = { item: undefined, problems: [] }
  if (state !== 'accepted' || card === null) return none
  const item = { ...copies, ...card, id: createItemId() }
  return is_unowned === true
    ? { ...none, unowned: { item: toUnowned(item), row } }
    : { ...none, item }
}

async function* inBatches(rows: AsyncIterable<DecidedRow>): AsyncGenerator<DecidedRow[]> {
  let batch: DecidedRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < ROWS_A_PART) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Removes the items of an undone import that were not changed since. @yields the progress after each part */
export async function* undoParts(
  { ledger, now }: ImportTaskDeps,
  { collection_id, import_id }: StoredImport,
): AsyncGenerator<RunProgress, StoredImportReport, void> {
  const key = { collection_id, import_id }
  let passed = 0
  for (const list_id of await ledger.importRecords.listTargets(key)) {
    for (let after = ''; ; ) {
      const part = { list_id, after, limit: ROWS_A_PART }
      const last = await ledger.importRecords.removeItems(key, part, now())
      if (last === undefined) break
      after = last
      passed += ROWS_A_PART
      yield { finished: passed, passed, dated: 0 }
    }
  }
  return { full: null }
}

/** Creates the error for an import whose rows are no longer stored. */
export function draftEnded(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    'The draft of this import has ended. Undo what was imported, and send the file again.',
  )
}

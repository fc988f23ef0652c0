import type { Deps } from '#deps.ts'
import { type AccountLimits, tierLimits } from '#rules/accounts/tiers.ts'
import {
  countAccepted,
  countRows,
  type DecidedRow,
  DRAFT_KINDS,
  DRAFTS_MAX,
  type DraftKind,
  type DraftTotals,
  type KindStates,
  UNDO_MS,
} from '#rules/collections/import-draft.ts'
import type { ColumnUse } from '#rules/matching/column-uses.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ImportRecord, KeptItems } from '#store/ledger/collections/import-records.ts'
import type { ListKey } from '#store/ledger/collections/lists.ts'
import { nextTurn } from '../cooperative-loop.ts'
import { readRowPage } from './draft-rows.ts'
import { draftEnded } from './import-draft.ts'
import { findWishlist } from './manage-collections.ts'
import { collectionFull } from './manage-items.ts'
import { runImportTask } from './request-import.ts'
import { interrupted, unfinishedImport } from './store-part.ts'

/** The account that imports, and its network. */
export type Importer = AccountLimits & { account_id: number; network: string }

type ReadDeps = Pick<Deps, 'ledger' | 'now'>
type TaskDeps = ReadDeps & Pick<Deps, 'triggers'>

/** Facts about the file of a draft. */
export type Draft = {
  columns: ColumnUse[]
  header: string[]
  states: KindStates
  totals: DraftTotals
  /** The file was imported before, also from another tab after the draft was created. */
  is_repeated: boolean
  /** Null: a list, or a file that was sent without its name. */
  file_name: string | null
  expires_at: number
}

/** An import of an account. Times are epoch milliseconds. */
export type ImportView = Pick<
  ImportRecord,
  'id' | 'collection_id' | 'name' | 'items' | 'revision' | 'imported' | 'unowned' | 'removed'
> & {
  /** `undoing`: an undo is running, or was interrupted. */
  state: 'draft' | 'importing' | 'imported' | 'undoing' | 'undone'
  /** Number of rows, as far as it is known. */
  rows: number
  draft: Draft | undefined
  undo_until: number | null
  kept: Pick<KeptItems, 'items' | 'total'>
}

/** Returns an import of an account. @throws ServiceError NOT_FOUND */
export async function getImport(deps: ReadDeps, key: ListKey): Promise<ImportView> {
  const record = await deps.ledger.importRecords.get(key, deps.now())
  if (record === undefined) throw importNotFound()
  const place = { collection_id: record.collection_id, import_id: record.id }
  if (record.undone_at === null) return viewRecord(record)
  return viewRecord(record, await deps.ledger.importRecords.listKept(place, KEPT_SHOWN))
}

/** Lists the drafts of an account, and its imports that have not ended, the one that was changed last first. */
export async function listOpenImports(deps: ReadDeps, account_id: number): Promise<ImportView[]> {
  const { importRecords } = deps.ledger
  const records = await importRecords.listOpen(account_id, DRAFTS_MAX, deps.now())
  return records.map((record) => viewRecord(record))
}

function viewRecord(
  record: ImportRecord,
  kept: KeptItems = { items: [], total: 0, isEnded: false },
): ImportView {
  const { started_at, undone_at, completed_at, done, ...common } = record
  const draft = readDraft(record)
  const isUndone = undone_at !== null
  const count = draft && countRows(draft.totals)
  return {
    ...common,
    state: stateOf({ started_at, undone_at, completed_at }, kept),
    rows: count ?? done,
    draft,
    undo_until: started_at === null || isUndone ? null : started_at + UNDO_MS,
    kept,
  }
}

/** Kept items that are named; all of them are counted. */
const KEPT_SHOWN = 200

function stateOf(
  {
    started_at,
    undone_at,
    completed_at,
  }: Pick<ImportRecord, 'started_at' | 'undone_at' | 'completed_at'>,
  { isEnded }: Pick<KeptItems, 'isEnded'>,
): ImportView['state'] {
  if (undone_at !== null) return isEnded ? 'undone' : 'undoing'
  if (completed_at !== null) return 'imported'
  return started_at === null ? 'draft' : 'importing'
}

/** Reads what `draftParts` and `changeImport` have written, so that its shape is known. */
function readDraft(record: ImportRecord): Draft | undefined {
  if (record.expires_at === null) return undefined
  return {
    columns: JSON.parse(record.columns) as ColumnUse[],
    header: JSON.parse(record.header) as string[],
    states: JSON.parse(record.states) as KindStates,
    totals: JSON.parse(record.totals) as DraftTotals,
    is_repeated: record.repeats > 0,
    file_name: record.file_name,
    expires_at: record.expires_at,
  }
}

/** Reads a page of the rows of a draft, of one kind or all; none if the draft has ended. */
export async function listImportRows(
  deps: Pick<Deps, 'ledger'>,
  { id: import_id, collection_id, draft }: ImportView,
  { kind, limit, offset }: { kind: DraftKind | undefined; limit: number; offset: number },
): Promise<{ rows: DecidedRow[]; total: number }> {
  if (draft === undefined) return { rows: [], total: 0 }
  // Rows are decompressed: many readers at once take turns.
  await nextTurn()
  const kinds = kind === undefined ? DRAFT_KINDS : [kind]
  const { states, totals } = draft
  const readable = { collection_id, import_id, states, totals }
  const total = kinds.reduce((sum, one) => sum + totals[one].rows, 0)
  return { rows: await readRowPage(deps, readable, { kinds, limit, offset }), total }
}

/**
 * Imports the accepted rows of a draft. A repeated call changes nothing, or continues after an interruption.
 *
 * @param signal ends the import, because its sender has gone
 * @throws ServiceError NOT_FOUND, REVISION_CONFLICT with the current import, COLLECTION_FULL, TOO_MANY_ATTEMPTS or
 * UNAVAILABLE
 */
export async function importDraft(
  deps: TaskDeps,
  { id, revision, importer, signal }: TaskRequest & { revision: number },
  render: (current: ImportView) => object,
): Promise<ImportView> {
  const key = { id, account_id: importer.account_id }
  const max = tierLimits(importer).items
  for (;;) {
    const known = await getImport(deps, key)
    const { collection_id, draft, state } = known
    const place = { collection_id, import_id: id }
    if (state === 'draft') {
      if (known.revision !== revision || draft === undefined) throw importChanged(render(known))
      await assertRoom(deps, importer)
      const start = {
        revision,
        ...(await placeRows(deps, { importer, collection_id, draft })),
        max,
      }
      const outcome = await deps.ledger.importRecords.start(place, start, deps.now())
      if (outcome === 'full' || outcome === 'unowned_full') throw collectionFull(max, outcome)
      if (outcome === 'changed') continue
      if (outcome !== 'started') throw unfinishedImport(outcome.unfinished)
    } else {
      const isUndone = state === 'undone' || state === 'undoing'
      if (!isBasedOn(known, revision) || isUndone) throw importChanged(render(known))
      if (state === 'imported') return known
      if (draft === undefined) throw draftEnded()
      const { unowned } = await placeRows(deps, { importer, collection_id, draft })
      await deps.ledger.importRecords.keepDraft(place, unowned?.list_id, deps.now())
    }
    const task = { ...importer, ...place, step: 'import' as const }
    const report = await runImportTask(deps, task, signal)
    if ('full' in report && report.full !== null) throw collectionFull(max, report.full)
    return getImport(deps, key)
  }
}

/** Counts the rows for the collection, and for the wish list, which may be the same. */
async function placeRows(
  deps: ReadDeps,
  { importer, collection_id, draft }: { importer: Importer; collection_id: string; draft: Draft },
) {
  const { owned, unowned: rows } = countAccepted(draft.totals)
  if (rows === 0) return { rows: owned }
  const list_id = await findWishlist(deps, importer, collection_id)
  return list_id === collection_id
    ? { rows: owned + rows, unowned: { list_id, rows: 0 } }
    : { rows: owned, unowned: { list_id, rows } }
}

type TaskRequest = { id: string; importer: Importer; signal: AbortSignal }

/**
 * Discards a draft, or undoes an import: removes its items that were not changed since. A repeated undo changes
 * nothing, or continues after an interruption.
 *
 * @param revision required revision; undefined for any
 * @returns the draft as it was, or the undone import
 * @throws ServiceError NOT_FOUND, REVISION_CONFLICT with the current import, TOO_MANY_ATTEMPTS or UNAVAILABLE
 */
export async function takeImportBack(
  deps: TaskDeps,
  { id, revision, importer, signal }: TaskRequest & { revision: number | undefined },
  render: (current: ImportView) => object,
): Promise<ImportView> {
  const key = { id, account_id: importer.account_id }
  const { importDrafts, importRecords } = deps.ledger
  for (;;) {
    const known = await getImport(deps, key)
    const { collection_id, state, undo_until } = known
    const place = { collection_id, import_id: id }
    const fits = revision === undefined || revision === known.revision
    if (state === 'draft') {
      if (!fits) throw importChanged(render(known))
      if (await importDrafts.discard(place, known.revision, deps.now())) return known
      continue
    }
    if (state !== 'undone' && state !== 'undoing') {
      if (!fits) throw importChanged(render(known))
      if (undo_until !== null && undo_until <= deps.now().getTime()) throw undoEnded()
      await assertRoom(deps, importer)
      if (!(await importRecords.undo(place, known.revision, deps.now()))) continue
    } else if (revision !== undefined && !isBasedOn(known, revision)) {
      throw importChanged(render(known))
    }
    const task = { ...importer, collection_id, import_id: id, step: 'undo' as const }
    await runImportTask(deps, task, signal)
    return getImport(deps, key)
  }
}

/** Returns true if a request is the one that led to the current revision, or is based on it. */
function isBasedOn({ revision }: ImportView, given: number): boolean {
  return given === revision || given === revision - 1
}

/** @throws ServiceError TOO_MANY_ATTEMPTS or UNAVAILABLE */
async function assertRoom({ triggers }: Pick<Deps, 'triggers'>, { account_id }: Importer) {
  const imports = triggers.imports.get()
  if (imports === undefined) throw interrupted()
  await imports.assertRoom(account_id)
}

/** Creates the error for an import that is unknown, discarded, expired, or of another account. */
function importNotFound(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    'This account has no such import. A draft ends 24 hours after its last change, and when three newer ones were created. Send the file again.',
  )
}

function undoEnded(): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    'This import can no longer be undone, because it began more than 30 days ago. Delete its items one by one.',
  )
}

/** Creates the error for a change of an import that has another revision or state. */
export function importChanged(current: object): ServiceError {
  return new ServiceError(
    'REVISION_CONFLICT',
    'The import has changed since you read it. Compare it with "error.current", and send the change again with its revision.',
    { current },
  )
}

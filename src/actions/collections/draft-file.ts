import { tierLimits } from '#rules/accounts/tiers.ts'
import type { CollectionImportReport, FileImport, Unowned } from '#rules/collections/file-import.ts'
import { HOLDING_QUANTITY_MAX } from '#rules/collections/holding.ts'
import { INITIAL_STATES } from '#rules/collections/import-draft.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import { ACCEPTED_BY_DEFAULT } from '#rules/matching/certainty.ts'
import { listImportUses } from '#rules/matching/column-uses.ts'
import { parseQuantity } from '#rules/matching/quantity-columns.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isCollection, readTableHeader } from '../matching/parse-collection.ts'
import { type DraftWriter, openDraftWriter, type ReadDraftRow } from './draft-writer.ts'
import { createImportHash, DRAFT_HASH, rowsMax, tooManyRows } from './import-file.ts'
import { describeFound, listNotes, type ResolvedHolding, readImport } from './read-import.ts'
import type { ImportTaskDeps, RunProgress } from './store-part.ts'

/**
 * Reads a file into a draft, and stores nothing in the collection. The draft cannot be seen before the file was read to
 * its end; after an interruption, another run continues where this one stopped.
 *
 * @yields the progress after each part
 * @returns the report, with the id of the draft
 * @throws ServiceError VALIDATION_ERROR, TOO_MANY_ITEMS or UNAVAILABLE
 */
export async function* draftParts(
  deps: ImportTaskDeps,
  input: FileImport,
): AsyncGenerator<RunProgress, CollectionImportReport, void> {
  const { now, ledger } = deps
  const { account_id, collection_id, file } = input
  const hash = createImportHash(input)
  const { is_repeated, read_rows, totals, ...reader } = await ledger.importDrafts.begin(
    {
      account_id,
      collection_id,
      file_name: input.file_name ?? null,
      content_hash: hash(DRAFT_HASH),
      direct_hash: hash(ACCEPTED_BY_DEFAULT.join()),
      unowned: input.unowned ?? 'leave_out',
    },
    now(),
  )
  const writer = await openDraftWriter(deps, reader, { read_rows, totals })
  let isOver = false
  try {
    const header = isCollection(file) ? await readTableHeader(file) : []
    const columns = listImportUses(header)
    yield* storeRows(deps, writer, input)
    const facts = {
      columns: JSON.stringify(columns),
      header: JSON.stringify(cutCells(header)),
      states: JSON.stringify(INITIAL_STATES),
    }
    await writer.finish(facts)
    isOver = true
    return {
      ...UNTOUCHED,
      import_id: reader.import_id,
      rows: writer.countRows(),
      columns,
      is_repeated,
    }
  } catch (error) {
    isOver = true
    const settled = isOfFile(error) ? ledger.importDrafts.end(reader, now()) : writer.pause()
    // The sender needs the first error.
    await settled.catch(() => undefined)
    throw error
  } finally {
    if (!isOver) await writer.pause()
  }
}

/** Returns true if the file would be refused again; after other errors, another run continues. */
function isOfFile(error: unknown): boolean {
  return (
    error instanceof ServiceError && ['VALIDATION_ERROR', 'TOO_MANY_ITEMS'].includes(error.code)
  )
}

/** Report of an import that has stored nothing. */
const UNTOUCHED = {
  imported: 0,
  skipped: 0,
  unowned: 0,
  problem_count: 0,
  problems: [],
  is_full: false,
}

/** Stores the rows of a file that were not read yet. */
async function* storeRows(
  deps: ImportTaskDeps,
  writer: DraftWriter,
  input: FileImport,
): AsyncGenerator<RunProgress, void, void> {
  const max = tierLimits(input).items
  const options = {
    game: input.game,
    prefer: input.prefer,
    unowned: input.unowned ?? 'leave_out',
    today: dayOf(deps.now()),
    rowsMax: rowsMax(max),
    createRows: (read: readonly ResolvedHolding[]) =>
      createDraftRows(deps, read, input.unowned ?? 'leave_out'),
  }
  const first = writer.countRows()
  let dated = 0
  for await (const part of readImport(deps, input.file, options)) {
    if (part.start >= options.rowsMax) throw tooManyRows(max, 'Send some of them')
    dated += part.dated
    const passed = part.start + part.size
    if (passed > first) {
      for (const row of await part.read(first)) await writer.add(row)
    }
    yield { finished: writer.countRows() - first, passed, dated }
  }
}

/** Creates the rows of a draft from resolved ones, whatever their certainty. */
function createDraftRows(
  deps: Pick<ImportTaskDeps, 'catalog'>,
  rows: readonly ResolvedHolding[],
  unowned: Unowned,
): ReadDraftRow[] {
  const describe = describeFound(deps, rows)
  return rows.map(({ resolved, holding, notes, source }) => {
    const { row } = resolved.input
    const quantity =
      'found' in resolved ? resolved.quantity : parseQuantity(resolved.input.quantity)
    const isCountable = quantity !== undefined && quantity > 0 && quantity <= HOLDING_QUANTITY_MAX
    const copies = { ...holding, printing: null, quantity: isCountable ? quantity : 1 }
    const { left_out } = resolved.input
    const isUnowned = unowned === 'wishlist' && left_out !== null && left_out !== 'proxy'
    const kept = cutCells(source)
    const isCut = kept.some((cell, index) => cell !== source[index]) || kept.length < source.length
    const own = [...(isCut ? [ROW_CUT] : []), ...(isUnowned ? [left_out] : [])]
    const read = {
      row,
      source: kept,
      notes: [...own, ...notes],
      alternatives: [],
      price: null,
      ...(isUnowned && { is_unowned: true }),
    }
    if (!('found' in resolved)) {
      const { reason, suggestions = [] } = resolved
      const kind = NOT_FOUND.has(reason) ? 'not_found' : 'skipped'
      const alternatives = suggestions.slice(0, ALTERNATIVES_MAX).map(({ id }) => id)
      return { ...read, kind, reason, copies, card: null, alternatives }
    }
    const { found } = resolved
    const { card_id, name, number, game, set_id, set_name, ...described } = describe(found, holding)
    return {
      ...read,
      kind: isCountable ? found.certainty : 'skipped',
      reason: isCountable ? null : 'invalid_quantity',
      notes: [...own, ...listNotes(found), ...notes],
      card: { card_id, name, number, game, set_id, set_name },
      copies: { ...copies, ...described },
      price: found.printing?.market_price ?? null,
      alternatives: found.alternatives.map(({ id }) => id),
    }
  })
}

/** Reasons of rows that mean a card which was not found; the others are left out because of what they say. */
const NOT_FOUND: ReadonlySet<string> = new Set([
  'no_match',
  'name_too_short',
  'no_name',
  'line_too_long',
])

/** Cuts the cells of a row that is longer than any row of an app, so that a page of rows stays small. */
function cutCells(cells: readonly string[]): string[] {
  const length = cells.reduce((sum, cell) => sum + cell.length, 0)
  if (length <= ROW_CHARACTERS_MAX && cells.length <= CELLS_MAX) return [...cells]
  const kept = cells.slice(0, CELLS_MAX)
  return kept.map((cell) => cell.slice(0, Math.floor(ROW_CHARACTERS_MAX / kept.length)))
}

/** Note on a row of which only a part is kept. */
export const ROW_CUT = 'row_cut'

const ROW_CHARACTERS_MAX = 5_000
const CELLS_MAX = 100

import { tierLimits } from '#rules/accounts/tiers.ts'
import type { CollectionImportReport, FileImport } from '#rules/collections/file-import.ts'
import { HOLDING_QUANTITY_MAX } from '#rules/collections/holding.ts'
import {
  countRow,
  DRAFT_KINDS,
  type DraftKind,
  type DraftRow,
  decideRow,
  emptyTotals,
  INITIAL_STATES,
  mapKinds,
  PART_ROWS,
} from '#rules/collections/import-draft.ts'
import { ALTERNATIVES_MAX } from '#rules/matching/alternatives.ts'
import { ACCEPTED_BY_DEFAULT } from '#rules/matching/certainty.ts'
import { listImportUses } from '#rules/matching/column-uses.ts'
import { parseQuantity } from '#rules/matching/quantity-columns.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { DraftKey } from '#store/ledger/collections/import-drafts.ts'
import { isCollection, readTableHeader } from '../matching/parse-collection.ts'
import { encodePart } from './draft-rows.ts'
import { DRAFT_HASH, hashImport, rowsMax, tooManyRows } from './import-file.ts'
import { describeFound, listNotes, type ResolvedHolding, readImport } from './read-import.ts'
import type { ImportTaskDeps, RunProgress } from './store-part.ts'

/**
 * Reads a file into a draft, and stores nothing in the collection. A run that ends early leaves no draft.
 *
 * @yields the progress after each part
 * @returns the report, with the id of the draft
 * @throws ServiceError VALIDATION_ERROR or TOO_MANY_ITEMS
 */
export async function* draftParts(
  deps: ImportTaskDeps,
  input: FileImport,
): AsyncGenerator<RunProgress, CollectionImportReport, void> {
  const { now, ledger } = deps
  const { account_id, collection_id, file } = input
  const { is_repeated, ...key } = await ledger.importDrafts.begin(
    {
      account_id,
      collection_id,
      file_name: input.file_name ?? null,
      content_hash: hashImport(input, DRAFT_HASH),
      direct_hash: hashImport(input, ACCEPTED_BY_DEFAULT.join()),
    },
    now(),
  )
  let isRead = false
  try {
    const header = isCollection(file) ? await readTableHeader(file) : []
    const columns = listImportUses(header)
    const { totals, rows } = yield* storeRows(deps, key, input)
    isRead = await ledger.importDrafts.finish(
      key,
      {
        columns: JSON.stringify(columns),
        header: JSON.stringify(cutCells(header)),
        states: JSON.stringify(INITIAL_STATES),
        totals: JSON.stringify(totals),
      },
      now(),
    )
    return { ...UNTOUCHED, import_id: key.import_id, rows, columns, is_repeated }
  } finally {
    if (!isRead) await ledger.importDrafts.end(key, now())
  }
}

/** Report of an import that has stored nothing. */
const UNTOUCHED = { imported: 0, skipped: 0, problem_count: 0, problems: [], is_full: false }

/** Stores the rows of a file by kind. @returns their sums */
async function* storeRows(deps: ImportTaskDeps, key: DraftKey, input: FileImport) {
  const max = tierLimits(input).items
  const totals = emptyTotals()
  const waiting = mapKinds((): DraftRow[] => [])
  const parts = mapKinds(() => 0)
  let [rows, dated] = [0, 0]

  async function flush(kind: DraftKind): Promise<void> {
    const content = encodePart(waiting[kind].splice(0))
    await deps.ledger.importDrafts.addPart({ ...key, kind, part: parts[kind]++ }, content)
  }

  const options = {
    game: input.game,
    prefer: input.prefer,
    today: dayOf(deps.now()),
    rowsMax: rowsMax(max),
    createRows: (read: readonly ResolvedHolding[]) => createDraftRows(deps, read),
  }
  for await (const part of readImport(deps, input.file, options)) {
    if (part.start >= options.rowsMax) throw tooManyRows(max, 'Send some of them')
    dated += part.dated
    for (const { kind, ...read } of await part.read(part.start)) {
      const row = { ...read, at: rows++ }
      const place = { kind, position: totals[kind].rows }
      countRow(totals, decideRow(row, place, { change: undefined, states: INITIAL_STATES }), 1)
      waiting[kind].push(row)
      if (waiting[kind].length === PART_ROWS) await flush(kind)
    }
    yield { finished: rows, passed: rows, dated } satisfies RunProgress
  }
  for (const kind of DRAFT_KINDS) {
    if (waiting[kind].length > 0) await flush(kind)
  }
  return { totals, rows }
}

type ReadDraftRow = Omit<DraftRow, 'at'> & { kind: DraftKind }

/** Creates the rows of a draft from resolved ones, whatever their certainty. */
function createDraftRows(
  deps: Pick<ImportTaskDeps, 'catalog'>,
  rows: readonly ResolvedHolding[],
): ReadDraftRow[] {
  const describe = describeFound(deps, rows)
  return rows.map(({ resolved, holding, notes, source }) => {
    const { row } = resolved.input
    const quantity =
      'found' in resolved ? resolved.quantity : parseQuantity(resolved.input.quantity)
    const isCountable = quantity !== undefined && quantity > 0 && quantity <= HOLDING_QUANTITY_MAX
    const copies = { ...holding, printing: null, quantity: isCountable ? quantity : 1 }
    const read = { row, source: cutCells(source), notes, alternatives: [], price: null }
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
      notes: [...listNotes(found), ...notes],
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
  return cells.slice(0, CELLS_MAX).map((cell) => cell.slice(0, ROW_CHARACTERS_MAX / CELLS_MAX))
}

const ROW_CHARACTERS_MAX = 5_000
const CELLS_MAX = 100

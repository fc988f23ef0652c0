import type { Deps } from '#deps.ts'
import { type DecidedRow, DRAFT_KINDS } from '#rules/collections/import-draft.ts'
import { createCopyRemover } from '#rules/matching/remove-copies.ts'
import { formatCsvRecord, removeFormulaGuard } from '#rules/primitives/csv.ts'
import { nextTurn } from '../cooperative-loop.ts'
import { ROW_CUT } from './draft-file.ts'
import { mergeRows } from './draft-rows.ts'
import { draftEnded } from './import-draft.ts'
import type { ImportView } from './manage-imports.ts'

/**
 * Renders the rows of a draft that are not imported as a CSV file: the columns of the file that was sent, and a
 * reason. Rows that list no copy are left out. A row that counts the copies of two printings is there once, without the
 * copies that are imported.
 *
 * @throws ServiceError NOT_FOUND if the draft has ended
 */
export function exportFailedRows(
  deps: Pick<Deps, 'ledger'>,
  view: ImportView,
): AsyncGenerator<string> {
  const { draft, id: import_id, collection_id } = view
  if (draft === undefined) throw draftEnded()
  const { header, states, totals } = draft
  const removeCopies = createCopyRemover(header)
  const kinds = DRAFT_KINDS.filter(
    (kind) => removeCopies !== undefined || totals[kind].accepted < totals[kind].rows,
  )
  const rows = mergeRows(deps, { collection_id, import_id, states, totals }, kinds)
  return renderRows(header, groupRows(rows), removeCopies)
}

async function* renderRows(
  header: readonly string[],
  groups: AsyncIterable<DecidedRow[]>,
  removeCopies: ReturnType<typeof createCopyRemover>,
): AsyncGenerator<string> {
  const columns = header.length === 0 ? ['line'] : header
  yield formatCsvRecord([...columns, 'reason'])
  let passed = 0
  for await (const rows of groups) {
    if (++passed % ROWS_A_TURN === 0) await nextTurn()
    const failed = rows.find((row) => row.state !== 'accepted' && row.reason !== 'no_copies')
    if (failed === undefined) continue
    const imported = rows.flatMap(({ state }, place) => (state === 'accepted' ? place : []))
    const source = removeCopies?.(failed.source, new Set(imported)) ?? failed.source
    const cells = columns.map((_, index) => removeFormulaGuard(source[index] ?? ''))
    yield formatCsvRecord([...cells, reasonOf(failed)])
  }
}

/** Decompressing and rendering so many rows takes some milliseconds. */
const ROWS_A_TURN = 100

/** Joins what a row of the file became: its copies of several printings. */
async function* groupRows(rows: AsyncIterable<DecidedRow>): AsyncGenerator<DecidedRow[]> {
  let group: DecidedRow[] = []
  for await (const row of rows) {
    if (group.length > 0 && group[0]?.row !== row.row) {
      yield group
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield group
}

function reasonOf({ reason, state, kind, notes }: DecidedRow): string {
  const why = state === 'skipped' ? 'skipped_by_you' : (reason ?? kind)
  return notes.includes(ROW_CUT) ? `${why}, ${ROW_CUT}` : why
}

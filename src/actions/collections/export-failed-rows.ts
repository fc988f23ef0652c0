import type { Deps } from '#deps.ts'
import { type DecidedRow, DRAFT_KINDS } from '#rules/collections/import-draft.ts'
import { formatCsvRecord, removeFormulaGuard } from '#rules/primitives/csv.ts'
import { nextTurn } from '../cooperative-loop.ts'
import { mergeRows } from './draft-rows.ts'
import { draftEnded } from './import-draft.ts'
import type { ImportView } from './manage-imports.ts'

/**
 * Renders the rows of a draft that are not imported as a CSV file: the columns of the file that was sent, and a
 * reason. Rows that list no copy are left out, and a row that counts the copies of two printings is there once.
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
  const kinds = DRAFT_KINDS.filter((kind) => totals[kind].accepted < totals[kind].rows)
  return renderRows(header, mergeRows(deps, { collection_id, import_id, states }, kinds))
}

async function* renderRows(
  header: readonly string[],
  rows: AsyncIterable<DecidedRow>,
): AsyncGenerator<string> {
  const columns = header.length === 0 ? ['line'] : header
  yield formatCsvRecord([...columns, 'reason'])
  let [passed, last] = [0, 0]
  for await (const row of rows) {
    if (++passed % ROWS_A_TURN === 0) await nextTurn()
    if (row.state === 'accepted' || row.reason === 'no_copies' || row.row === last) continue
    last = row.row
    const cells = columns.map((_, index) => removeFormulaGuard(row.source[index] ?? ''))
    yield formatCsvRecord([...cells, reasonOf(row)])
  }
}

/** Decompressing and rendering so many rows takes some milliseconds. */
const ROWS_A_TURN = 100

function reasonOf({ reason, state, kind }: DecidedRow): string {
  return state === 'skipped' ? 'skipped_by_you' : (reason ?? kind)
}

import {
  countRow,
  countRows,
  DRAFT_KINDS,
  type DraftKind,
  type DraftRow,
  type DraftTotals,
  decideRow,
  emptyTotals,
  INITIAL_STATES,
  mapKinds,
  PART_ROWS,
} from '#rules/collections/import-draft.ts'
import type { DraftReader, ReadDraft, ReadSoFar } from '#store/ledger/collections/import-drafts.ts'
import { decodePart, encodePart } from './draft-rows.ts'
import { type ImportTaskDeps, interrupted } from './store-part.ts'

/** A row as it was read, before it has a place in the file. */
export type ReadDraftRow = Omit<DraftRow, 'at'> & { kind: DraftKind }

/** Stores the rows of a draft by kind, in parts of `PART_ROWS`. */
export type DraftWriter = {
  /** Counts the rows, also those of earlier runs. */
  countRows(): number
  add(row: ReadDraftRow): Promise<void>
  /** Stores what was added, so that another run continues. */
  pause(): Promise<void>
  /** Makes the draft readable. @throws ServiceError UNAVAILABLE if it was ended, or another run reads it */
  finish(facts: Omit<ReadDraft, 'totals'>): Promise<void>
}

type WriterDeps = Pick<ImportTaskDeps, 'now'> & {
  ledger: Pick<ImportTaskDeps['ledger'], 'importDrafts'>
}

/** @param read what earlier runs have stored */
export async function openDraftWriter(
  { ledger: { importDrafts }, now }: WriterDeps,
  reader: DraftReader,
  read: ReadSoFar,
): Promise<DraftWriter> {
  const { collection_id, import_id } = reader
  // `pause` has written this text.
  const totals = read.read_rows === 0 ? emptyTotals() : (JSON.parse(read.totals) as DraftTotals)
  const waiting = mapKinds((): DraftRow[] => [])
  for (const kind of DRAFT_KINDS) waiting[kind] = await readLastPart(kind)

  /** Reads the rows of a part that was not full. */
  async function readLastPart(kind: DraftKind): Promise<DraftRow[]> {
    const left = totals[kind].rows % PART_ROWS
    if (left === 0) return []
    const part = Math.floor(totals[kind].rows / PART_ROWS)
    const content = await importDrafts.getPart({ collection_id, import_id, kind, part })
    return content === undefined ? [] : decodePart(content).slice(0, left)
  }

  async function flush(kind: DraftKind): Promise<void> {
    const part = Math.floor((totals[kind].rows - 1) / PART_ROWS)
    await importDrafts.addPart({ ...reader, kind, part }, encodePart(waiting[kind]))
    if (waiting[kind].length === PART_ROWS) waiting[kind] = []
  }

  async function flushAll(): Promise<void> {
    for (const kind of DRAFT_KINDS) if (waiting[kind].length > 0) await flush(kind)
  }

  async function pause(): Promise<void> {
    await flushAll()
    await importDrafts.pause(reader, {
      read_rows: countRows(totals),
      totals: JSON.stringify(totals),
    })
  }

  return {
    countRows: () => countRows(totals),
    async add({ kind, ...content }) {
      const row = { ...content, at: countRows(totals) }
      const place = { kind, position: totals[kind].rows }
      countRow(totals, decideRow(row, place, { change: undefined, states: INITIAL_STATES }), 1)
      waiting[kind].push(row)
      // A server that stops loses at most a part of each kind.
      if (waiting[kind].length === PART_ROWS) await pause()
    },
    pause,
    async finish(facts) {
      await flushAll()
      const draft = { ...facts, totals: JSON.stringify(totals) }
      if (!(await importDrafts.finish(reader, draft, now()))) throw interrupted()
    },
  }
}

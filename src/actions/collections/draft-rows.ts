import {
  type DecidedRow,
  DRAFT_KINDS,
  type DraftChoice,
  type DraftKind,
  type DraftRow,
  type DraftTotals,
  decideRow,
  type KindStates,
  PART_ROWS,
} from '#rules/collections/import-draft.ts'
import type { DraftKey, ImportDraftStore } from '#store/ledger/collections/import-drafts.ts'

type RowDeps = { ledger: { importDrafts: Pick<ImportDraftStore, 'getPart' | 'listChanges'> } }

/** A draft whose rows are read. */
export type ReadableDraft = DraftKey & { states: KindStates }

type CountedDraft = ReadableDraft & { totals: DraftTotals }

/** Encodes a part of the rows of a kind. */
export function encodePart(rows: readonly DraftRow[]): Uint8Array {
  return Bun.zstdCompressSync(JSON.stringify(rows))
}

/** Decodes what `encodePart` has written, so that its shape is known. */
export function decodePart(content: Uint8Array): DraftRow[] {
  return JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(content))) as DraftRow[]
}

/** Reads a part of the rows of a kind, with the decisions about them; none after the last part. */
async function readPart(
  { ledger: { importDrafts } }: RowDeps,
  { states, ...key }: ReadableDraft,
  kind: DraftKind,
  part: number,
): Promise<DecidedRow[]> {
  const place = { collection_id: key.collection_id, import_id: key.import_id, kind, part }
  const content = await importDrafts.getPart(place)
  if (content === undefined) return []
  const stored = await importDrafts.listChanges(place, PART_ROWS)
  const changes = new Map(
    stored.map(({ position, state, changed, revision }) => [
      position,
      // `change-import.ts` has written this text.
      { state, choice: changed === null ? null : (JSON.parse(changed) as DraftChoice), revision },
    ]),
  )
  return decodePart(content).map((row, index) => {
    const position = part * PART_ROWS + index
    return decideRow(row, { kind, position }, { change: changes.get(position), states })
  })
}

/** Reads the rows of a kind from a position to another one. */
export async function readRows(
  deps: RowDeps,
  draft: ReadableDraft,
  { kind, first, end }: { kind: DraftKind; first: number; end: number },
): Promise<DecidedRow[]> {
  const rows: DecidedRow[] = []
  for (let part = Math.floor(first / PART_ROWS); part * PART_ROWS < end; part++) {
    const read = await readPart(deps, draft, kind, part)
    rows.push(...read.filter(({ position }) => position >= first && position < end))
  }
  return rows
}

/** Reads a page of the rows of some kinds, kind after kind. */
export async function readRowPage(
  deps: RowDeps,
  draft: CountedDraft,
  { kinds, offset, limit }: { kinds: readonly DraftKind[]; offset: number; limit: number },
): Promise<DecidedRow[]> {
  const rows: DecidedRow[] = []
  let before = 0
  for (const kind of kinds) {
    const first = Math.max(0, offset - before)
    const end = Math.min(draft.totals[kind].rows, offset + limit - before)
    if (first < end) rows.push(...(await readRows(deps, draft, { kind, first, end })))
    before += draft.totals[kind].rows
  }
  return rows
}

/** Reads the rows of some kinds in the order of the file. Holds no more than a part of each kind. */
export async function* mergeRows(
  deps: RowDeps,
  draft: CountedDraft,
  kinds: readonly DraftKind[] = DRAFT_KINDS,
): AsyncGenerator<DecidedRow> {
  const streams = kinds.map((kind) => streamRows(deps, draft, kind))
  const heads = await Promise.all(streams.map((stream) => stream.next()))
  for (;;) {
    let least: { index: number; row: DecidedRow } | undefined
    for (const [index, head] of heads.entries()) {
      if (head.done === true) continue
      if (least === undefined || head.value.at < least.row.at) least = { index, row: head.value }
    }
    if (least === undefined) return
    yield least.row
    const stream = streams[least.index]
    if (stream !== undefined) heads[least.index] = await stream.next()
  }
}

async function* streamRows(
  deps: RowDeps,
  draft: CountedDraft,
  kind: DraftKind,
): AsyncGenerator<DecidedRow, void> {
  // An interrupted run may have left further parts.
  for (let part = 0; part * PART_ROWS < draft.totals[kind].rows; part++) {
    const rows = await readPart(deps, draft, kind, part)
    yield* rows
    if (rows.length < PART_ROWS) return
  }
}

import * as texts from '#texts/collections/imports.ts'
import { copiesText } from '../item-text.ts'
import type { ImportEntry, KnownImport } from './import-queries.ts'
import { KIND_TEXTS, STATE_NAMES } from './import-text.ts'

/** Describes what another tab has changed: sums of the kinds, and the rows that are shown here. */
export function describeNews(before: KnownImport, after: KnownImport): string[] {
  const earlier = new Map(before.newest?.totals.map((sums) => [sums.kind, sums]))
  const kinds = (after.newest?.totals ?? []).flatMap(({ kind, accepted, skipped }) => {
    const sums = earlier.get(kind)
    if (sums === undefined || (sums.accepted === accepted && sums.skipped === skipped)) return []
    return texts.groupNews({
      group: KIND_TEXTS[kind].title,
      accepted,
      skipped: String(skipped),
      acceptedBefore: String(sums.accepted),
      skippedBefore: String(sums.skipped),
    })
  })
  const rows = [...after.rows.values()].filter((row) => isChanged(before.rows.get(row.id), row))
  return [...kinds, ...rows.slice(0, ROWS_MAX).map(describeRow)]
}

const ROWS_MAX = 10

/** Members of a row that its owner decides about, besides its card. */
const DECIDED = ['state', 'printing', 'condition', 'language', 'quantity'] as const

function isChanged(before: ImportEntry | undefined, row: ImportEntry): boolean {
  return (
    before !== undefined &&
    (before.card?.card_id !== row.card?.card_id ||
      DECIDED.some((member) => before[member] !== row[member]))
  )
}

function describeRow(entry: ImportEntry): string {
  const { row, card, quantity, state } = entry
  const copies = card && `${quantity} × ${copiesText(entry)}`
  const parts = [card?.name, card?.set_name, copies, STATE_NAMES[state]]
  return texts.rowNews({ row: String(row), facts: parts.filter(Boolean).join(', ') })
}

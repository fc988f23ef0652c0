// An import that is shown before anything is stored: its rows by kind, what was decided about them, and their sums.

import type { Certainty } from '../matching/certainty.ts'
import type { Holding } from './holding.ts'

/**
 * Kinds of rows, in the order in which they are shown. A row of a certainty has a card; `not_found` has none, and
 * `skipped` is left out because of what the file says, such as a row of a watchlist.
 */
export const DRAFT_KINDS = [
  'guessed',
  'assumed',
  'not_found',
  'skipped',
  'certain',
] as const satisfies (Certainty | 'not_found' | 'skipped')[]

export type DraftKind = (typeof DRAFT_KINDS)[number]

/** State of a row. `open`: nobody has decided, so that it is not imported. */
export const DRAFT_STATES = ['open', 'accepted', 'skipped'] as const

export type DraftState = (typeof DRAFT_STATES)[number]

/** State that all rows of a kind got in a revision of the draft. Later ones of single rows go before it. */
export type KindState = { state: DraftState; revision: number }

/** States of the rows without a later state of their own. */
export type KindStates = Record<DraftKind, KindState>

/** States before anything is decided: what an import takes by default is accepted. */
export const INITIAL_STATES: KindStates = {
  guessed: { state: 'open', revision: 1 },
  assumed: { state: 'accepted', revision: 1 },
  not_found: { state: 'open', revision: 1 },
  skipped: { state: 'open', revision: 1 },
  certain: { state: 'accepted', revision: 1 },
}

/** Card of a row, as items name it. */
export type DraftCard = {
  card_id: number
  name: string
  number: string | null
  game: string
  set_id: number
  set_name: string
}

/** Card and copies of a row, as they can be chosen. Money is in cents. */
export type DraftChoice = {
  card: DraftCard | null
  copies: Holding & { printing: string | null; quantity: number }
  /** Price of one copy when it was read or chosen; null if unknown. */
  price: number | null
}

/** A row as it was read. */
export type DraftRow = DraftChoice & {
  /** Position in the file, from 0: a row of a table with two quantities becomes two. */
  at: number
  /** Number of the row, as in reports. */
  row: number
  /** Cells of a table, or the line of a list. */
  source: readonly string[]
  /** Why it has no card, or is left out. */
  reason: string | null
  notes: readonly string[]
  /** Ids of other cards that it may mean. */
  alternatives: readonly number[]
  /** True if nobody owns the copies, so that they go to a wish list and are in no value. */
  is_unowned?: boolean
}

/** A decision about a row. */
export type RowChange = {
  /** Null: the state of its kind. */
  state: DraftState | null
  /** Null: as read. */
  choice: DraftChoice | null
  /** Revision of the draft in which it was decided. */
  revision: number
}

/** A row with what was decided about it. */
export type DecidedRow = DraftRow & {
  kind: DraftKind
  /** Position in its kind, from 0. */
  position: number
  state: DraftState
  /** Null if it has the state of its kind. */
  own_state: DraftState | null
  is_changed: boolean
}

/** Applies the decisions to a row. */
export function decideRow(
  row: DraftRow,
  place: { kind: DraftKind; position: number },
  { change, states }: { change: RowChange | undefined; states: KindStates },
): DecidedRow {
  const choice = change?.choice ?? null
  const decided = { ...row, ...choice, ...place, is_changed: choice !== null }
  const isLater = change !== undefined && change.revision >= states[place.kind].revision
  return stateRow(decided, isLater ? change.state : null, states)
}

/** Gives a row a state of its own, or that of its kind. A row without a card is never accepted. */
export function stateRow(
  row: Omit<DecidedRow, 'state' | 'own_state'>,
  own_state: DraftState | null,
  states: KindStates,
): DecidedRow {
  const state = own_state ?? states[row.kind].state
  const isEmpty = row.card === null && state === 'accepted'
  return { ...row, own_state, state: isEmpty ? 'open' : state }
}

/** Sums of the rows of a kind. Values are in cents. */
export type KindTotals = {
  rows: number
  /** Rows with a card. */
  cards: number
  value: number
  accepted: number
  accepted_value: number
  /** Rows of `cards` and of `accepted` that go to a wish list. */
  unowned: number
  accepted_unowned: number
  skipped: number
}

export type DraftTotals = Record<DraftKind, KindTotals>

/** Creates the totals of a draft without rows. */
export function emptyTotals(): DraftTotals {
  const values = { value: 0, accepted: 0, accepted_value: 0, unowned: 0, accepted_unowned: 0 }
  const empty = { rows: 0, cards: 0, skipped: 0, ...values }
  return mapKinds(() => ({ ...empty }))
}

/** Creates a value for each kind. */
export function mapKinds<T>(create: (kind: DraftKind) => T): Record<DraftKind, T> {
  // Each kind has a value.
  return Object.fromEntries(DRAFT_KINDS.map((kind) => [kind, create(kind)])) as Record<DraftKind, T>
}

/** Adds a row to the totals of its kind, or takes it out with a `sign` of -1. */
export function countRow(totals: DraftTotals, row: DecidedRow, sign: 1 | -1): void {
  const sums = totals[row.kind]
  const value = rowValue(row) ?? 0
  sums.rows += sign
  if (row.state === 'skipped') sums.skipped += sign
  if (row.card === null) return
  const unowned = row.is_unowned === true ? sign : 0
  sums.cards += sign
  sums.unowned += unowned
  sums.value += sign * value
  if (row.state !== 'accepted') return
  sums.accepted += sign
  sums.accepted_unowned += unowned
  sums.accepted_value += sign * value
}

/** Returns the value of all copies of a row in cents; null without a card, a price, or an owner. */
export function rowValue({
  card,
  copies,
  price,
  is_unowned,
}: DraftChoice & Pick<DraftRow, 'is_unowned'>): number | null {
  return card === null || price === null || is_unowned ? null : copies.quantity * price
}

/** Returns the sums of a kind after all of its rows got a state: one without a card cannot be accepted. */
export function decideKind(sums: KindTotals, state: DraftState): KindTotals {
  const isAccepted = state === 'accepted'
  return {
    ...sums,
    accepted: isAccepted ? sums.cards : 0,
    accepted_value: isAccepted ? sums.value : 0,
    accepted_unowned: isAccepted ? sums.unowned : 0,
    skipped: state === 'skipped' ? sums.rows : 0,
  }
}

/** Returns the number of rows of a draft. */
export function countRows(totals: DraftTotals): number {
  return DRAFT_KINDS.reduce((sum, kind) => sum + totals[kind].rows, 0)
}

/** Returns the number of rows that an import of the draft takes, and of those that go to a wish list. */
export function countAccepted(totals: DraftTotals): { owned: number; unowned: number } {
  const count = { owned: 0, unowned: 0 }
  for (const kind of DRAFT_KINDS) {
    const { accepted, accepted_unowned } = totals[kind]
    count.owned += accepted - accepted_unowned
    count.unowned += accepted_unowned
  }
  return count
}

/** Rows of a part, so that a page reads one or two. */
export const PART_ROWS = 200

/** Lifetime of a draft. */
export const DRAFT_MS = 24 * 3_600_000

/** Drafts of an account: a further one replaces the one that was changed longest ago. */
export const DRAFTS_MAX = 3

/** Time for which an import can be undone. */
export const UNDO_MS = 30 * 24 * 3_600_000

/** Returns the id of a row in its draft, such as `guessed-17`. */
export function formatRowId({ kind, position }: { kind: DraftKind; position: number }): string {
  return `${kind}-${position + 1}`
}

/** Parses the id of a row; undefined for any other text. */
export function parseRowId(id: string): { kind: DraftKind; position: number } | undefined {
  const [, name, digits] = /^([a-z_]+)-([1-9]\d{0,8})$/.exec(id) ?? []
  const kind = DRAFT_KINDS.find((one) => one === name)
  return kind === undefined ? undefined : { kind, position: Number(digits) - 1 }
}

import type { Deps } from '#deps.ts'
import type { Holding } from '#rules/collections/holding.ts'
import {
  countRow,
  type DecidedRow,
  DRAFT_MS,
  type DraftChoice,
  type DraftKind,
  type DraftState,
  decideKind,
  PART_ROWS,
  parseRowId,
  stateRow,
} from '#rules/collections/import-draft.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import type { PricedCard } from '#store/catalog/priced-cards.ts'
import type { DraftDecision, DraftKey } from '#store/ledger/collections/import-drafts.ts'
import type { ListKey } from '#store/ledger/collections/lists.ts'
import { nextTurn } from '../cooperative-loop.ts'
import { readRows } from './draft-rows.ts'
import { type Draft, getImport, type ImportView, importChanged } from './manage-imports.ts'
import { parsePrinting } from './parse-item.ts'

/** A decision about a row. Undefined members stay the same; null means unknown. */
export type RowInput = {
  id: string
  state?: DraftState | undefined
  card_id?: number | undefined
  printing?: string | null | undefined
  condition?: Holding['condition'] | undefined
  language?: Holding['language'] | undefined
  quantity?: number | undefined
}

type DraftInput = {
  revision?: number | undefined
  rows?: readonly RowInput[] | undefined
  kinds?: readonly { kind: DraftKind; state: DraftState }[] | undefined
}

type ChangeDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/**
 * Decides about the rows of a draft: about all of a kind first, then about single ones.
 *
 * @returns the draft, and the rows that were named, in their order
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR, or REVISION_CONFLICT with the current import
 */
export async function changeImport(
  deps: ChangeDeps,
  key: ListKey,
  { revision, rows = [], kinds = [] }: DraftInput,
  render: (current: ImportView) => object,
): Promise<{ view: ImportView; rows: DecidedRow[] }> {
  for (;;) {
    const known = await getImport(deps, key)
    const { state, draft: before } = known
    const fits = revision === undefined || revision === known.revision
    if (state !== 'draft' || before === undefined || !fits) throw importChanged(render(known))
    const place = { collection_id: known.collection_id, import_id: known.id }
    const draft = structuredClone(before)
    for (const { kind, state: chosen } of kinds) {
      draft.states[kind] = { state: chosen, revision: known.revision + 1 }
      draft.totals[kind] = decideKind(draft.totals[kind], chosen)
    }
    const decided = await decideRows(deps, { place, draft }, rows)
    const decision = {
      states: JSON.stringify(draft.states),
      totals: JSON.stringify(draft.totals),
      changes: decided.changes,
    }
    const now = deps.now()
    draft.expires_at = now.getTime() + DRAFT_MS
    if (await deps.ledger.importDrafts.change(place, known.revision, decision, now)) {
      const view = { ...known, draft, revision: known.revision + 1 }
      return { view, rows: decided.rows }
    }
  }
}

type DecisionContext = { place: DraftKey; draft: Draft }

/** Decides about single rows, and counts them in the totals of the draft. */
async function decideRows(
  deps: ChangeDeps,
  context: DecisionContext,
  inputs: readonly RowInput[],
): Promise<{ rows: DecidedRow[]; changes: DraftDecision['changes'] }> {
  const known = await findRows(deps, context, inputs)
  const { states, totals } = context.draft
  const chosen = inputs.flatMap(({ card_id }) => card_id ?? [])
  const current = [...known.values()].flatMap(({ card }) => card?.card_id ?? [])
  const cards = deps.catalog.pricedCards.getByIds([...current, ...chosen])
  const rows = inputs.map((input) => {
    const row = known.get(input.id)
    if (row === undefined) throw rowNotFound(input.id)
    const choice = chooseFor(deps, row, { input, cards })
    const own = input.state ?? (input.card_id === undefined ? row.own_state : 'accepted')
    const isChanged = row.is_changed || choice !== undefined
    const decided = stateRow({ ...row, ...choice, is_changed: isChanged }, own, states)
    if (input.state === 'accepted' && decided.card === null) throw cardMissing(input.id)
    countRow(totals, row, -1)
    countRow(totals, decided, 1)
    known.set(input.id, decided)
    return decided
  })
  return { rows, changes: [...known.values()].map(toStored) }
}

function toStored(row: DecidedRow): DraftDecision['changes'][number] {
  const { kind, position, own_state: state, is_changed, card, copies, price } = row
  const choice: DraftChoice = { card, copies, price }
  return { kind, position, state, changed: is_changed ? JSON.stringify(choice) : null }
}

/** Reads rows by their ids. @throws ServiceError NOT_FOUND for an unknown id */
async function findRows(
  deps: ChangeDeps,
  { place, draft }: DecisionContext,
  inputs: readonly RowInput[],
): Promise<Map<string, DecidedRow>> {
  const places = inputs.map(({ id }) => {
    const parsed = parseRowId(id)
    if (parsed === undefined || parsed.position >= draft.totals[parsed.kind].rows) {
      throw rowNotFound(id)
    }
    return { id, ...parsed, part: Math.floor(parsed.position / PART_ROWS) }
  })
  const found = new Map<string, DecidedRow>()
  const readable = { ...place, states: draft.states }
  for (const [, same] of Map.groupBy(places, ({ kind, part }) => `${kind} ${part}`)) {
    const [{ kind, part } = { kind: 'guessed' as const, part: 0 }] = same
    const first = part * PART_ROWS
    // Decompressing a part takes a millisecond.
    await nextTurn()
    const rows = await readRows(deps, readable, { kind, first, end: first + PART_ROWS })
    for (const { id, position } of same) {
      const row = rows[position - first]
      if (row !== undefined) found.set(id, row)
    }
  }
  return found
}

type ChoiceContext = { input: RowInput; cards: ReadonlyMap<number, PricedCard> }

/** Returns the card and the copies that a decision chooses; undefined if it chooses nothing. */
function chooseFor(
  deps: ChangeDeps,
  { card: before, copies, price }: DecidedRow,
  { input, cards }: ChoiceContext,
): DraftChoice | undefined {
  const { card_id, printing, condition, language, quantity } = input
  const given = { condition, language, quantity }
  const isGiven = Object.values({ card_id, printing, ...given }).some((one) => one !== undefined)
  if (!isGiven) return undefined
  const own = {
    ...copies,
    condition: condition ?? copies.condition,
    language: language === undefined ? copies.language : language,
    quantity: quantity ?? copies.quantity,
  }
  if (card_id === undefined && printing === undefined) return { card: before, copies: own, price }
  const id = card_id ?? before?.card_id
  if (id === undefined) throw cardMissing(input.id)
  const priced = cards.get(id)
  if (card_id !== undefined && priced === undefined) throw cardNotFound(card_id)
  const printings = priced?.printings ?? []
  const isKept = printings.some((one) => one.printing === copies.printing)
  const kept = isKept ? copies.printing : (printings[0]?.printing ?? null)
  const chosen = printing === undefined ? kept : parsePrinting(deps, id, printing)
  const described =
    card_id === undefined || priced === undefined
      ? { card: before, condition: own.condition }
      : describeChosen(deps, priced, condition ?? copies.condition)
  return {
    card: described.card,
    copies: { ...own, printing: chosen, condition: condition ?? described.condition },
    price: printings.find((one) => one.printing === chosen)?.market_price ?? null,
  }
}

/** Describes a chosen card, and the condition in which it can be: sealed products are unopened. */
function describeChosen(
  { catalog }: ChangeDeps,
  { card: { id: card_id, name, number, game_slug: game, set_name } }: PricedCard,
  condition: Holding['condition'],
) {
  const stored = catalog.sources.holdings.getByIds([card_id]).get(card_id)
  const isSealed = stored?.is_single === false
  const usual = isSealed ? ('unopened' as const) : ('near_mint' as const)
  const isUsual = condition === 'near_mint' || condition === 'unopened'
  return {
    card: { card_id, name, number, game, set_id: stored?.set_id ?? 0, set_name },
    condition: isUsual ? usual : condition,
  }
}

function rowNotFound(id: string): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    `The draft has no row "${id.slice(0, 40)}". Use the "id" of a row of this import.`,
  )
}

function cardMissing(id: string): ServiceError {
  return new ServiceError(
    'VALIDATION_ERROR',
    `The row "${id}" has no card. Choose one with "card_id".`,
  )
}

import type { ItemOutcomeKind } from '#rules/collections/list-kinds.ts'
import type { ItemTraits } from '#rules/collections/match-items.ts'
import { pick } from '#rules/primitives/pick.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { ListItemRow } from '../schema/collections.ts'
import { CHANGEABLE, IS_ONE_OF, ITEM_MEMBERS, idParameters, openItemWriter } from './item-writer.ts'
import { type CollectionItem, hasCard, type ItemChanges } from './list-items.ts'
import type { ListKey } from './lists.ts'

/** Items of one call that a part of a search reads. */
export const TRAITS_PART = 2_000

/** A change of an item that has the revision. */
export type ItemRevision = { id: string; revision: number; changes: ItemChanges }

/** Outcome of the change of an item. */
export type ItemOutcome = {
  id: string
  outcome: Exclude<ItemOutcomeKind, 'refused'>
  /** The item as it is now, or as it was before it was removed. */
  item: CollectionItem | undefined
}

/** List of the changed items afterwards: undefined: where they are; null: nowhere, so they are removed. */
export type ItemTarget = { list_id: string; max: number } | null | undefined

/** Changes of at most IDS_MAX items, and what searches read of all. Callers have checked who owns the lists. */
export type ItemBatchStore = {
  /** Returns what a search needs of the next items after an id, ordered by id; '' starts at the beginning. */
  listTraits(list_id: string, after: string): Promise<ItemTraits[]>
  /** Returns those items that a list has, in the order of the ids. */
  list(list_id: string, ids: readonly string[]): Promise<CollectionItem[]>
  /**
   * Changes, moves or removes each item that has its revision. What is as requested already counts as changed, so that
   * a repeated call changes nothing.
   *
   * @returns the outcomes in their order; `full` if the target has no room, and nothing was changed
   */
  revise(
    list: ListKey,
    revisions: readonly ItemRevision[],
    target: ItemTarget,
    now: Date,
  ): Promise<ItemOutcome[] | 'full'>
}

type Row = Pick<ListItemRow, (typeof ITEM_MEMBERS)[number]>

export function openItemBatchStore(engine: LedgerEngine): ItemBatchStore {
  const { query, transact } = engine
  const writer = openItemWriter(engine)
  const statements = prepareBatches(engine)

  function* find(list_id: string, ids: readonly string[]): LedgerOperation<Map<string, Row>> {
    const rows = yield* statements.byIds.all({ ...idParameters(ids), list_id })
    return new Map(rows.map((row) => [row.id, row]))
  }

  /** Writes one change. @returns the item afterwards */
  function* write(
    list_id: string,
    row: Row,
    changes: ItemChanges,
    target: ItemTarget,
    at: number,
  ): LedgerOperation<Row> {
    if (target === null) {
      yield* statements.remove.run(list_id, row.id)
      return row
    }
    const next = { ...row, ...changes, revision: row.revision + 1, updated_at: at }
    const facts = pick(next, CHANGED)
    yield* statements.put.run({ ...facts, list_id, id: row.id, at, to: target?.list_id ?? list_id })
    return next
  }

  return {
    listTraits: (list_id, after) => query(statements.traits.all(list_id, after, TRAITS_PART)),
    async list(list_id, ids) {
      const rows = await query(find(list_id, ids))
      return ids.flatMap((id) => rows.get(id) ?? []).filter(hasCard)
    },
    revise: ({ id: list_id, account_id }, revisions, target, now) =>
      transact(
        function* (): LedgerOperation<ItemOutcome[] | 'full'> {
          const at = now.getTime()
          const ids = revisions.map(({ id }) => id)
          const rows = yield* find(list_id, ids)
          const moved = target ? yield* find(target.list_id, ids) : new Map<string, Row>()
          const plans = revisions.map((one) => planChange(one, rows, moved, target))
          const leaving = plans.filter(({ isWritten }) => isWritten && target !== undefined)
          const copies = leaving.reduce((sum, { row }) => sum + (row?.quantity ?? 0), 0)
          const count = { items: leaving.length, copies, open: 0 }
          if (target && leaving.length > 0) {
            const hasRoom = yield* writer.makeRoom(target.list_id, count, target.max, at)
            if (!hasRoom) return 'full'
          }
          let grown = 0
          const outcomes: ItemOutcome[] = []
          for (const { id, outcome, row, isWritten, changes } of plans) {
            const next = row && isWritten ? yield* write(list_id, row, changes, target, at) : row
            if (target === undefined && next && row) grown += next.quantity - row.quantity
            outcomes.push({ id, outcome, item: next && hasCard(next) ? next : undefined })
          }
          const left = { items: -count.items, copies: grown - copies, open: 0 }
          if (plans.some(({ isWritten }) => isWritten)) yield* writer.count(list_id, left, at)
          return outcomes
        },
        { account: account_id },
      ),
  }
}

type Plan = {
  id: string
  outcome: ItemOutcome['outcome']
  row: Row | undefined
  changes: ItemChanges
  isWritten: boolean
}

/** Decides what a change does to the stored item. */
function planChange(
  { id, revision, changes }: ItemRevision,
  rows: ReadonlyMap<string, Row>,
  moved: ReadonlyMap<string, Row>,
  target: ItemTarget,
): Plan {
  const row = rows.get(id)
  const plan = { id, row: row ?? moved.get(id), changes, isWritten: false }
  if (row === undefined) return { ...plan, outcome: plan.row === undefined ? 'missing' : 'changed' }
  const isSame =
    target === undefined &&
    CHANGED.every((name) => changes[name] === undefined || changes[name] === row[name])
  if (isSame) return { ...plan, outcome: 'changed' }
  if (row.revision !== revision) return { ...plan, outcome: 'conflict' }
  return { ...plan, outcome: 'changed', isWritten: true }
}

/** Members that change in collections, whose items keep their card and are all reviewed. */
const CHANGED = CHANGEABLE.filter((name) => name !== 'is_reviewed')

/** An item, and the list that it is in afterwards. */
type Placed = { list_id: string; id: string; to: string; at: number }

function prepareBatches(engine: LedgerEngine) {
  return {
    traits: engine.prepare<[string, string, number], ItemTraits>(
      `SELECT id, name, number, game, set_id, set_name, place, condition, printing, value
         FROM list_items WHERE list_id = ? AND id > ? ORDER BY id LIMIT ?`,
    ),
    byIds: engine.prepare<[Record<string, string | null>], Row>(
      `SELECT ${ITEM_MEMBERS.join(', ')} FROM list_items
        WHERE list_id = @list_id AND ${IS_ONE_OF}`,
    ),
    put: engine.prepare<[Pick<Row, (typeof CHANGED)[number]> & Placed]>(
      `UPDATE list_items SET ${CHANGED.map((column) => `${column} = @${column}`).join(', ')},
              list_id = @to, revision = revision + 1, updated_at = @at
        WHERE list_id = @list_id AND id = @id`,
    ),
    remove: engine.prepare<[string, string]>('DELETE FROM list_items WHERE list_id = ? AND id = ?'),
  }
}

import type { ItemOutcomeKind } from '#rules/collections/list-kinds.ts'
import type { ItemSearch, ItemTraits } from '#rules/collections/match-items.ts'
import { pick } from '#rules/primitives/pick.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { ListItemRow } from '../schema/collections.ts'
import { CHANGEABLE, IS_ONE_OF, ITEM_MEMBERS, idParameters, openItemWriter } from './item-writer.ts'
import {
  type CollectionItem,
  hasCard,
  type ItemChanges,
  type NewCollectionItem,
} from './list-items.ts'
import type { ListKey } from './lists.ts'

/** Items among which a part of a search looks. */
const TRAITS_PART = 2_000

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

/** An item to add. `given`: the members that the client sent with an id of its own; undefined if the id is new. */
export type OwnItem = { item: NewCollectionItem; given: ItemChanges | undefined }

/** Changes of at most IDS_MAX items, and what searches read of all. Callers have checked who owns the lists. */
export type ItemBatchStore = {
  /**
   * Finds items in the next part of a list after an id, ordered by id; '' starts at the beginning.
   *
   * @returns also the last id of the part; undefined if it was the last one
   */
  listTraits(
    list_id: string,
    after: string,
    search: Omit<ItemSearch, 'q'>,
  ): Promise<{ traits: ItemTraits[]; next: string | undefined }>
  /** Returns those items that a list has, in the order of the ids. */
  list(list_id: string, ids: readonly string[]): Promise<CollectionItem[]>
  /**
   * Adds all items that no collection of the account has, or none.
   *
   * @param max items of the list
   * @returns the items as they are stored, in their order; `taken`: an id of a known item that is not as given
   */
  addOnce(
    list: ListKey,
    items: readonly OwnItem[],
    max: number,
    now: Date,
  ): Promise<CollectionItem[] | 'full' | 'missing' | { taken: string }>
  /**
   * Changes, moves or removes each item that has its revision. What is as requested already counts as changed, so that
   * a repeated call changes nothing.
   *
   * @returns the outcomes in their order; `full` if the target has no room, `missing` if it was deleted: then nothing
   * was changed
   */
  revise(
    list: ListKey,
    revisions: readonly ItemRevision[],
    target: ItemTarget,
    now: Date,
  ): Promise<ItemOutcome[] | 'full' | 'missing'>
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

  /** Finds items in all collections of an account. One of several with an id is that of the list. */
  function* findOwned(
    { id: list_id, account_id }: ListKey,
    ids: readonly string[],
  ): LedgerOperation<Map<string, Row>> {
    if (ids.length === 0) return new Map()
    const rows = yield* statements.ofAccount.all({ ...idParameters(ids), account_id })
    const here = yield* find(list_id, ids)
    return new Map([...rows.map((row) => [row.id, row] as const), ...here])
  }

  function* addOnce(
    list: ListKey,
    items: readonly OwnItem[],
    max: number,
    at: number,
  ): LedgerOperation<CollectionItem[] | 'full' | 'missing' | { taken: string }> {
    const chosen = items.filter(({ given }) => given !== undefined).map(({ item }) => item.id)
    const known = yield* findOwned(list, chosen)
    const taken = items.find(({ item, given = {} }) => {
      const row = known.get(item.id)
      return row !== undefined && !isAs(row, given)
    })
    if (taken !== undefined) return { taken: taken.item.id }
    const missing = items.map(({ item }) => item).filter(({ id }) => !known.has(id))
    if (missing.length > 0 && (yield* writer.add(list.id, missing, max, at)) === undefined) {
      return yield* writer.explain(list.id)
    }
    const added = yield* find(
      list.id,
      missing.map(({ id }) => id),
    )
    return items.flatMap(({ item: { id } }) => known.get(id) ?? added.get(id) ?? []).filter(hasCard)
  }

  function* write(
    list_id: string,
    plans: readonly WrittenPlan[],
    target: ItemTarget,
    at: number,
  ): LedgerOperation<void> {
    if (target === null) {
      const ids = plans.map(({ id }) => id)
      yield* statements.remove.run({ ...idParameters(ids), list_id })
      return
    }
    const to = target?.list_id ?? list_id
    for (const { id, next } of plans) {
      yield* statements.put.run({ ...pick(next, CHANGED), list_id, id, at, to })
    }
  }

  function* revise(
    list_id: string,
    revisions: readonly ItemRevision[],
    target: ItemTarget,
    at: number,
  ): LedgerOperation<ItemOutcome[] | 'full' | 'missing'> {
    const ids = revisions.map(({ id }) => id)
    const rows = yield* find(list_id, ids)
    const moved = target ? yield* find(target.list_id, ids) : new Map<string, Row>()
    const plans = revisions.map((one) => {
      const places = { row: rows.get(one.id), moved: moved.get(one.id) }
      return planChange(one, places, target, at)
    })
    const written = plans.filter(isWritten)
    const items = written.length
    const before = written.reduce((sum, { row }) => sum + row.quantity, 0)
    const copies = written.reduce((sum, { next }) => sum + next.quantity, 0)
    if (target && items > 0) {
      const count = { items, copies, open: 0 }
      const hasRoom = yield* writer.makeRoom(target.list_id, count, target.max, at)
      if (!hasRoom) return yield* writer.explain(target.list_id)
    }
    if (items > 0) {
      yield* write(list_id, written, target, at)
      const isLeft = target === undefined
      const left = { items: isLeft ? 0 : -items, copies: (isLeft ? copies : 0) - before, open: 0 }
      yield* writer.count(list_id, left, at)
    }
    return plans.map(({ id, outcome, next }) => {
      return { id, outcome, item: next && hasCard(next) ? next : undefined }
    })
  }

  return {
    async listTraits(list_id, after, search) {
      const part = await query(statements.part.get(list_id, after, TRAITS_PART))
      const to = part?.last ?? null
      if (to === null) return { traits: [], next: undefined }
      const given = Object.fromEntries(EXACT.map((name) => [name, search[name] ?? null]))
      const traits = await query(statements.traits.all({ ...given, list_id, after, to }))
      return { traits, next: part?.items === TRAITS_PART ? to : undefined }
    },
    async list(list_id, ids) {
      const rows = await query(find(list_id, ids))
      return ids.flatMap((id) => rows.get(id) ?? []).filter(hasCard)
    },
    addOnce: (list, items, max, now) =>
      transact(() => addOnce(list, items, max, now.getTime()), { account: list.account_id }),
    revise: ({ id, account_id }, revisions, target, now) =>
      transact(() => revise(id, revisions, target, now.getTime()), { account: account_id }),
  }
}

type Plan = {
  id: string
  outcome: ItemOutcome['outcome']
  /** The item before and afterwards. */
  row?: Row
  next?: Row
  isWritten: boolean
}

type WrittenPlan = Plan & Required<Pick<Plan, 'row' | 'next'>>

function isWritten(plan: Plan): plan is WrittenPlan {
  return plan.isWritten
}

/** Decides what a change does to an item, which can be in the list, in the target, or in both. */
function planChange(
  { id, revision, changes }: ItemRevision,
  { row, moved }: { row: Row | undefined; moved: Row | undefined },
  target: ItemTarget,
  at: number,
): Plan {
  const found = row ?? moved
  if (found === undefined) return { id, outcome: 'missing', isWritten: false }
  const isPlaced = row === undefined || target === undefined
  if (isPlaced && isAs(found, changes)) {
    return { id, outcome: 'changed', next: found, isWritten: false }
  }
  if (row === undefined || moved !== undefined || row.revision !== revision) {
    return { id, outcome: 'conflict', next: found, isWritten: false }
  }
  const next = { ...row, ...changes, revision: row.revision + 1, updated_at: at }
  return { id, outcome: 'changed', row, next: target === null ? row : next, isWritten: true }
}

/** Returns true if an item has all given members. */
function isAs(row: Row, given: ItemChanges): boolean {
  return CHANGED.every((name) => given[name] === undefined || given[name] === row[name])
}

/** Members that change in collections, whose items keep their card and are all reviewed. */
const CHANGED = CHANGEABLE.filter((name) => name !== 'is_reviewed')

/** Members that a search compares as they are. */
const EXACT = ['game', 'set_id', 'place', 'condition', 'printing'] as const

/** Condition that an item has the members of a search. PostgreSQL must know the type of a parameter without a column. */
const AS_SEARCHED = EXACT.map((name) => {
  const type = name === 'set_id' ? 'BIGINT' : 'TEXT'
  return `(${name} = @${name} OR CAST(@${name} AS ${type}) IS NULL)`
}).join(' AND ')

/** An item, and the list that it is in afterwards. */
type Placed = { list_id: string; id: string; to: string; at: number }

function prepareBatches(engine: LedgerEngine) {
  return {
    part: engine.prepare<[string, string, number], { last: string | null; items: number }>(
      `SELECT max(id) AS last, count(*) AS items FROM
         (SELECT id FROM list_items WHERE list_id = ? AND id > ? ORDER BY id LIMIT ?) AS part`,
    ),
    traits: engine.prepare<[Record<string, string | number | null>], ItemTraits>(
      `SELECT id, name, number, set_name, value FROM list_items
        WHERE list_id = @list_id AND id > @after AND id <= @to
          AND ${AS_SEARCHED}
        ORDER BY id`,
    ),
    byIds: engine.prepare<[Record<string, string | null>], Row>(
      `SELECT ${ITEM_MEMBERS.join(', ')} FROM list_items
        WHERE list_id = @list_id AND ${IS_ONE_OF}`,
    ),
    ofAccount: engine.prepare<[Record<string, string | number | null>], Row>(
      `SELECT ${ITEM_MEMBERS.join(', ')} FROM list_items
        WHERE list_id IN (SELECT lists.id FROM lists WHERE account_id = @account_id
                AND kind IN ('owned', 'wish') AND deleted_at IS NULL) AND ${IS_ONE_OF}`,
    ),
    put: engine.prepare<[Pick<Row, (typeof CHANGED)[number]> & Placed]>(
      `UPDATE list_items SET ${CHANGED.map((column) => `${column} = @${column}`).join(', ')},
              list_id = @to, revision = revision + 1, updated_at = @at
        WHERE list_id = @list_id AND id = @id`,
    ),
    remove: engine.prepare<[Record<string, string | null>]>(
      `DELETE FROM list_items WHERE list_id = @list_id AND ${IS_ONE_OF}`,
    ),
  }
}

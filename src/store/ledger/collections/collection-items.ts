import { ITEM_SORTS, type ItemSort } from '#rules/collections/collection-kinds.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine, LedgerOperation, Statement } from '../engine/operation.ts'
import type { CollectionItemRow } from '../schema/collections.ts'
import type { Revised } from './collections.ts'
import { type NewItem, openItemWriter } from './item-writer.ts'

/** An item of a collection. Money is in cents, `acquired_on` a day. */
export type CollectionItem = Omit<CollectionItemRow, 'collection_id'>

/** Members of an item that its owner can change; undefined: as they are. */
export type ItemChanges = Partial<
  Pick<
    CollectionItemRow,
    | 'printing'
    | 'condition'
    | 'grade'
    | 'language'
    | 'quantity'
    | 'price_paid'
    | 'acquired_on'
    | 'place'
    | 'note'
    | 'target_price'
  >
>

/** Restricts a list of items. */
export type ItemFilter = { game: string | undefined; set_id: number | undefined }

/** Items of collections. Callers have checked to whom the collection belongs. */
export type CollectionItemStore = {
  /** Adds all items or none. @param max items of the collection */
  add(
    collection_id: string,
    items: readonly NewItem[],
    max: number,
    now: Date,
  ): Promise<'added' | 'full' | 'missing'>
  /** Adds those of the items that the collection does not have yet, all or none. @returns how many */
  addMissing(
    collection_id: string,
    items: readonly NewItem[],
    max: number,
    now: Date,
  ): Promise<number | 'full' | 'missing'>
  /** Returns a page of the items. */
  list(
    collection_id: string,
    filter: ItemFilter,
    page: RowWindow & { sort: ItemSort },
  ): Promise<RowPage<CollectionItem>>
  /** Returns at most `limit` items after one, in the order of their ids; from the first with ''. */
  listAfter(collection_id: string, after: string, limit: number): Promise<CollectionItem[]>
  /** Returns an item; undefined if not found. */
  get(collection_id: string, id: string): Promise<CollectionItem | undefined>
  /** Changes an item. @param revision that it must have; undefined: any */
  update(
    item: { collection_id: string; id: string; revision: number | undefined },
    changes: ItemChanges,
    now: Date,
  ): Promise<Revised<CollectionItem>>
  /** Deletes an item. @param revision that it must have; undefined: any */
  delete(
    item: { collection_id: string; id: string; revision: number | undefined },
    now: Date,
  ): Promise<Revised<CollectionItem>>
}

/** Columns of an item, in the order of the table. */
const ITEM = `id, card_id, name, number, game, set_id, set_name, printing, condition, grade, language,
  quantity, price_paid, acquired_on, place, note, target_price, value, revision, created_at, updated_at`

export function openCollectionItemStore(engine: LedgerEngine): CollectionItemStore {
  const { query, transact } = engine
  const writer = openItemWriter(engine)
  const lists = prepareLists(engine)
  const find = engine.prepare<[string, string], CollectionItem>(
    `SELECT ${ITEM} FROM collection_items WHERE collection_id = ? AND id = ?`,
  )
  const after = engine.prepare<[string, string, number], CollectionItem>(
    `SELECT ${ITEM} FROM collection_items WHERE collection_id = ? AND id > ? ORDER BY id LIMIT ?`,
  )
  const put = engine.prepare<
    [Required<ItemChanges> & { collection_id: string; id: string; at: number }]
  >(
    `UPDATE collection_items
        SET printing = @printing, condition = @condition, grade = @grade, language = @language,
            quantity = @quantity, price_paid = @price_paid, acquired_on = @acquired_on,
            place = @place, note = @note, target_price = @target_price,
            revision = revision + 1, updated_at = @at
      WHERE collection_id = @collection_id AND id = @id`,
  )
  const remove = engine.prepare<[string, string]>(
    'DELETE FROM collection_items WHERE collection_id = ? AND id = ?',
  )

  const idsBetween = engine.prepare<[string, string, string], { id: string }>(
    'SELECT id FROM collection_items WHERE collection_id = ? AND id BETWEEN ? AND ?',
  )

  /** Adds items, which are new, if there is room for all. */
  function* add(
    collection_id: string,
    items: readonly NewItem[],
    max: number,
    at: number,
  ): LedgerOperation<'added' | 'full' | 'missing'> {
    if (!(yield* writer.grow({ collection_id, by: items.length, max, at }))) {
      return (yield* writer.exists(collection_id)) ? 'full' : 'missing'
    }
    yield* writer.insert(collection_id, items, at)
    return 'added'
  }

  /** Runs a change if the item has the expected revision. */
  function* revise(
    {
      collection_id,
      id,
      revision,
    }: { collection_id: string; id: string; revision: number | undefined },
    change: (current: CollectionItem) => LedgerOperation<CollectionItem>,
  ): LedgerOperation<Revised<CollectionItem>> {
    const current = yield* find.get(collection_id, id)
    if (current === undefined) return { outcome: 'missing' }
    if (revision !== undefined && revision !== current.revision) {
      return { outcome: 'conflict', current }
    }
    return { outcome: 'changed', current: yield* change(current) }
  }

  return {
    add: (collection_id, items, max, now) =>
      transact(() => add(collection_id, items, max, now.getTime())),
    addMissing: (collection_id, items, max, now) =>
      transact(function* () {
        const ids = items.map(({ id }) => id).sort()
        const rows = yield* idsBetween.all(collection_id, ids[0] ?? '', ids.at(-1) ?? '')
        const known = new Set(rows.map(({ id }) => id))
        const missing = items.filter(({ id }) => !known.has(id))
        if (missing.length === 0) return 0
        const outcome = yield* add(collection_id, missing, max, now.getTime())
        return outcome === 'added' ? missing.length : outcome
      }),
    list: async (collection_id, filter, { sort, limit, offset }) => {
      const { rows, total } = lists(filter, sort)
      const given = { collection_id, game: filter.game ?? null, set_id: filter.set_id ?? null }
      return {
        rows: await query(rows.all({ ...given, limit, offset })),
        total: (await query(total.get(given)))?.total ?? 0,
      }
    },
    listAfter: (collection_id, id, limit) => query(after.all(collection_id, id, limit)),
    get: (collection_id, id) => query(find.get(collection_id, id)),
    update: (item, changes, now) =>
      transact(() =>
        revise(item, function* (current) {
          const { collection_id, id } = item
          const at = now.getTime()
          const { printing, condition, grade, language, quantity, price_paid } = current
          const { acquired_on, place, note, target_price } = current
          const before = {
            ...{ printing, condition, grade, language, quantity, price_paid },
            ...{ acquired_on, place, note, target_price },
          }
          const next = { ...before, ...changes }
          yield* put.run({ ...next, collection_id, id, at })
          yield* writer.touch(collection_id, at)
          return { ...current, ...next, revision: current.revision + 1, updated_at: at }
        }),
      ),
    delete: (item, now) =>
      transact(() =>
        revise(item, function* (current) {
          yield* remove.run(item.collection_id, item.id)
          yield* writer.shrink(item.collection_id, now.getTime())
          return current
        }),
      ),
  }
}

const ORDERS: Record<ItemSort, string> = {
  added_desc: 'id DESC',
  added_asc: 'id',
  name: 'name, id',
  value_desc: 'value DESC NULLS LAST, id',
  value_asc: 'value NULLS LAST, id',
}

type PreparedList = {
  rows: Statement<[ListParameters & RowWindow], CollectionItem>
  total: Statement<[ListParameters], { total: number }>
}

type ListParameters = { collection_id: string; game: string | null; set_id: number | null }

/** Prepares each order with each filter: a condition that is not used would hide an index. */
function prepareLists(engine: LedgerEngine) {
  const filters = ['', 'game', 'set_id', 'game set_id'] as const
  const prepared = new Map<string, PreparedList>(
    filters.flatMap((filter) => {
      const names = filter.split(' ').filter((name) => name !== '')
      const where = ['collection_id', ...names].map((name) => `${name} = @${name}`).join(' AND ')
      // All items are counted in the row of the collection.
      const total = engine.prepare<[ListParameters], { total: number }>(
        filter === ''
          ? 'SELECT items AS total FROM collections WHERE id = @collection_id'
          : `SELECT count(*) AS total FROM collection_items WHERE ${where}`,
      )
      return ITEM_SORTS.map((sort) => {
        const rows = engine.prepare<[ListParameters & RowWindow], CollectionItem>(
          `SELECT ${ITEM} FROM collection_items WHERE ${where}
            ORDER BY ${ORDERS[sort]} LIMIT @limit OFFSET @offset`,
        )
        return [`${filter} ${sort}`, { rows, total }]
      })
    }),
  )
  return ({ game, set_id }: ItemFilter, sort: ItemSort) => {
    const filter = [game === undefined ? '' : 'game', set_id === undefined ? '' : 'set_id']
    const found = prepared.get(`${filter.join(' ').trim()} ${sort}`)
    if (found === undefined) throw new Error(`no list of items is prepared for ${sort}`)
    return found
  }
}

import type { ItemSort } from '#rules/collections/list-kinds.ts'
import { pick } from '#rules/primitives/pick.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import { openFeedbackWriter } from '../feedback.ts'
import type { ListItemRow } from '../schema/collections.ts'
import { type ItemFilter, openItemPages } from './item-pages.ts'
import {
  CHANGEABLE,
  IDS_MAX,
  IS_ONE_OF,
  ITEM_MEMBERS,
  type ItemCounts,
  idParameters,
  type NewItem,
  openItemWriter,
} from './item-writer.ts'
import type { Revised } from './lists.ts'

/**
 * A stored item. Money is in cents, `acquired_on` is a day. Without a card, all members that describe a card are
 * null.
 */
export type StoredItem = Omit<ListItemRow, 'list_id' | 'import_id'>

/** Members that describe the card of an item with a card. */
export type ItemCard = {
  card_id: number
  name: string
  number: string | null
  game: string
  set_id: number
  set_name: string
}

type CollectionRow = Pick<StoredItem, (typeof ITEM_MEMBERS)[number]>

/** An item of a collection, which always has a card. */
export type CollectionItem = Omit<CollectionRow, keyof ItemCard> & ItemCard

/** An item of a collection, to be added. */
export type NewCollectionItem = Omit<
  CollectionItem,
  'value' | 'revision' | 'created_at' | 'updated_at'
>

/**
 * Members of an item to change; undefined members stay the same. A card changes together with all members that
 * describe it.
 */
export type ItemChanges = Partial<Pick<ListItemRow, (typeof CHANGEABLE)[number]>>

/** Identifies an item of an account. */
export type ItemKey = { account_id: number; list_id: string; id: string }

/** Identifies an item to change, and its required revision; undefined for any. */
export type RevisedItemKey = ItemKey & { revision: number | undefined }

/** Items of all kinds of lists. Callers of functions without an account have checked who owns the list. */
export type ListItemStore = {
  /** Lists the sets with most items in the lists of all accounts, those with most first. */
  listSets(limit: number): Promise<number[]>
  /** Adds all items or none. @param max items of the list */
  add(
    list_id: string,
    items: readonly NewItem[],
    max: number,
    now: Date,
  ): Promise<'added' | 'full' | 'missing'>
  /** Adds all items that the list does not have yet, or none if there is no room. @returns number of added items */
  addMissing(
    list_id: string,
    items: readonly NewItem[],
    max: number,
    now: Date,
  ): Promise<number | 'full' | 'missing'>
  /** Returns a page of the items of a collection. */
  list(
    list_id: string,
    filter: ItemFilter,
    page: RowWindow & { sort: ItemSort },
  ): Promise<RowPage<CollectionItem>>
  /** Returns at most `limit` items of a collection after an id, ordered by id; '' starts at the beginning. */
  listAfter(list_id: string, after: string, limit: number): Promise<CollectionItem[]>
  /** Returns an item; undefined if not found. */
  get(key: ItemKey): Promise<StoredItem | undefined>
  /**
   * Changes an item. Choosing or confirming its card also counts as feedback on its identification, unless the item
   * is a duplicate.
   */
  update(key: RevisedItemKey, changes: ItemChanges, now: Date): Promise<Revised<StoredItem>>
  /** Deletes an item. */
  delete(key: RevisedItemKey, now: Date): Promise<Revised<StoredItem>>
}

/** Columns of any item. */
export const STORED_COLUMNS = `${ITEM_MEMBERS.join(', ')}, ordinal, identification_id, copied_from, is_reviewed`

/** Condition that an item is in one of an account's lists. */
export const IS_OWNED = `EXISTS (SELECT 1 FROM lists
  WHERE lists.id = list_items.list_id AND account_id = @account_id AND deleted_at IS NULL)`

export function openListItemStore(engine: LedgerEngine): ListItemStore {
  const { query, transact } = engine
  const writer = openItemWriter(engine)
  const pages = openItemPages(engine)
  const sets = engine.prepare<[number], { set_id: number }>(
    `SELECT set_id FROM list_items WHERE set_id IS NOT NULL
      GROUP BY set_id ORDER BY count(*) DESC, set_id LIMIT ?`,
  )
  const find = engine.prepare<[ItemKey], StoredItem>(
    `SELECT ${STORED_COLUMNS} FROM list_items WHERE list_id = @list_id AND id = @id AND ${IS_OWNED}`,
  )
  const after = engine.prepare<[string, string, number], CollectionRow>(
    `SELECT ${ITEM_MEMBERS.join(', ')} FROM list_items WHERE list_id = ? AND id > ?
      ORDER BY id LIMIT ?`,
  )
  const put = engine.prepare<[Required<ItemChanges> & ItemKey & { at: number }]>(
    `UPDATE list_items SET ${CHANGEABLE.map((column) => `${column} = @${column}`).join(', ')},
            revision = revision + 1, updated_at = @at
      WHERE list_id = @list_id AND id = @id`,
  )
  const remove = engine.prepare<[string, string]>(
    'DELETE FROM list_items WHERE list_id = ? AND id = ?',
  )
  const known = engine.prepare<[Record<string, string | null>], { id: string }>(
    `SELECT id FROM list_items WHERE list_id = @list_id AND ${IS_ONE_OF}`,
  )
  const feedback = openFeedbackWriter(engine)

  /** Adds new items if there is room for all of them. */
  function* add(
    list_id: string,
    items: readonly NewItem[],
    max: number,
    at: number,
  ): LedgerOperation<'added' | 'full' | 'missing'> {
    if ((yield* writer.add(list_id, items, max, at)) !== undefined) return 'added'
    return yield* writer.explain(list_id)
  }

  /** Runs a change of an item if it has the expected revision, and updates the counters of its list. */
  const revise = (
    { revision, ...key }: RevisedItemKey,
    now: Date,
    change: (
      current: StoredItem,
      key: ItemKey,
    ) => LedgerOperation<{ next: StoredItem; counts: ItemCounts }>,
  ) =>
    transact(
      function* (): LedgerOperation<Revised<StoredItem>> {
        const current = yield* find.get(key)
        if (current === undefined) return { outcome: 'missing' }
        if (revision !== undefined && revision !== current.revision) {
          return { outcome: 'conflict', current }
        }
        const { next, counts } = yield* change(current, key)
        yield* writer.count(key.list_id, counts, now.getTime())
        return { outcome: 'changed', current: next }
      },
      { account: key.account_id },
    )

  return {
    listSets: async (limit) => (await query(sets.all(limit))).map(({ set_id }) => set_id),
    add: (list_id, items, max, now) => transact(() => add(list_id, items, max, now.getTime())),
    addMissing: (list_id, items, max, now) =>
      transact(function* () {
        const found = new Set<string>()
        for (let start = 0; start < items.length; start += IDS_MAX) {
          const ids = items.slice(start, start + IDS_MAX).map(({ id }) => id)
          for (const { id } of yield* known.all({ ...idParameters(ids), list_id })) found.add(id)
        }
        const missing = items.filter(({ id }) => !found.has(id))
        if (missing.length === 0) return 0
        const outcome = yield* add(list_id, missing, max, now.getTime())
        return outcome === 'added' ? missing.length : outcome
      }),
    list: async (list_id, filter, page) => {
      const { rows, total } = await pages.read(list_id, filter, page)
      return { rows: rows.filter(hasCard), total }
    },
    listAfter: async (list_id, id, limit) =>
      (await query(after.all(list_id, id, limit))).filter(hasCard),
    get: (key) => query(find.get(key)),
    update: (item, changes, now) =>
      revise(item, now, function* (current, key) {
        const at = now.getTime()
        const next = { ...current, ...changes, revision: current.revision + 1, updated_at: at }
        yield* put.run({ ...pick(next, CHANGEABLE), ...key, at })
        const { copied_from, identification_id, card_id } = next
        const isDecided = changes.card_id !== undefined || changes.is_reviewed === 1
        if (isDecided && identification_id !== null && copied_from === null) {
          const { account_id } = key
          yield* feedback.put({ id: identification_id, account_id, card_id, at })
        }
        const copies = next.quantity - current.quantity
        const open = current.is_reviewed - next.is_reviewed
        return { next, counts: { items: 0, copies, open } }
      }),
    delete: (item, now) =>
      revise(item, now, function* (current, { list_id, id }) {
        yield* remove.run(list_id, id)
        const { quantity, is_reviewed } = current
        return { next: current, counts: { items: -1, copies: -quantity, open: is_reviewed - 1 } }
      }),
  }
}

/**
 * Returns true if an item has a card. All items of collections and all reviewed items have one, which the table
 * checks.
 */
export function hasCard<Item extends { card_id: number | null }>(
  item: Item,
): item is Item & Pick<ItemCard, keyof Item & keyof ItemCard> {
  return item.card_id !== null
}

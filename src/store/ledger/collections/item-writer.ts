import { HOLDING_TEXT_NAMES } from '#rules/collections/holding.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import type { LedgerEngine, LedgerOperation, Value } from '../engine/operation.ts'
import type { ListItemRow, ListRow } from '../schema/collections.ts'

/** Members of an item that describe its card. */
export const CARD_MEMBERS = [
  'card_id',
  'name',
  'number',
  'game',
  'set_id',
  'set_name',
] as const satisfies (keyof ListItemRow)[]

/** Members of an item that describe its copies. */
export const COPY_MEMBERS = [
  'printing',
  'condition',
  'grade',
  'language',
  'quantity',
] as const satisfies (keyof ListItemRow)[]

/** Members of an item that only its owner knows. */
const FACTS = [
  'price_paid',
  'paid_currency',
  'acquired_on',
  ...HOLDING_TEXT_NAMES,
  'target_price',
] as const satisfies (keyof ListItemRow)[]

/** Members of an item that can change. */
export const CHANGEABLE = [...CARD_MEMBERS, ...COPY_MEMBERS, ...FACTS, 'is_reviewed'] as const

/** Columns of an item of a collection, in the order of the table. */
export const ITEM_MEMBERS = [
  'id',
  ...CARD_MEMBERS,
  ...COPY_MEMBERS,
  ...FACTS,
  'value',
  'revision',
  'created_at',
  'updated_at',
] as const

/** Columns that lead from an item to its photo, or to its import. */
const ORIGIN = ['identification_id', 'copied_from', 'import_id'] as const

type Optional = (typeof FACTS)[number] | (typeof ORIGIN)[number] | 'is_reviewed'

/** An item to add. By default, its facts are unknown and it is reviewed. */
export type NewItem = Pick<
  ListItemRow,
  'id' | (typeof CARD_MEMBERS)[number] | (typeof COPY_MEMBERS)[number]
> &
  Partial<Pick<ListItemRow, Optional>>

/** Changes of the counters of a list. */
export type ItemCounts = Pick<ListRow, 'items' | 'copies' | 'open'>

/** Writes items and the counters of their list. Each function is a part of a transaction. */
export type ItemWriter = {
  /**
   * Adds items at the end, and counts them.
   *
   * @returns the ordinal of the first one; undefined if the list is missing or would have more than `max` items
   */
  add(
    list_id: string,
    items: readonly NewItem[],
    max: number,
    at: number,
  ): LedgerOperation<number | undefined>
  /** Counts items that another list gives away. @returns false, and counts none, if there is no room */
  makeRoom(list_id: string, change: ItemCounts, max: number, at: number): LedgerOperation<boolean>
  /** Returns why a list took no items. */
  explain(list_id: string): LedgerOperation<'full' | 'missing'>
  /** Adds to the counters, and marks the list's items as changed. */
  count(list_id: string, change: ItemCounts, at: number): LedgerOperation<void>
}

export function openItemWriter(engine: LedgerEngine): ItemWriter {
  const count = engine.prepare<
    [ItemCounts & { list_id: string; added: number; max: number; at: number }],
    Pick<ListRow, 'added'>
  >(
    `UPDATE lists SET items = items + @items, copies = copies + @copies, open = open + @open,
       added = added + @added, content = content + 1, updated_at = @at
      WHERE id = @list_id AND deleted_at IS NULL AND items + @items <= @max RETURNING added`,
  )
  const exists = engine.prepare<[string], { id: string }>(
    'SELECT id FROM lists WHERE id = ? AND deleted_at IS NULL',
  )
  const insertMany = prepareInsert(engine, ROWS_AT_ONCE)
  const insertOne = prepareInsert(engine, 1)

  return {
    *add(list_id, items, max, at) {
      const added = items.length
      const change = {
        items: added,
        copies: items.reduce((sum, { quantity }) => sum + quantity, 0),
        open: items.filter(({ is_reviewed }) => is_reviewed === 0).length,
      }
      const counted = yield* count.get({ ...change, list_id, added, max, at })
      if (counted === undefined) return undefined
      const first = counted.added - added
      const rows = items.map((item, index) => [
        list_id,
        first + index,
        ...GIVEN.map((column) => item[column] ?? DEFAULTS[column] ?? null),
        item.is_reviewed ?? 1,
        at,
        at,
      ])
      for (let start = 0; start < added; start += ROWS_AT_ONCE) {
        const many = rows.slice(start, start + ROWS_AT_ONCE)
        if (many.length === ROWS_AT_ONCE) yield* insertMany.run(...many.flat())
        else for (const row of many) yield* insertOne.run(...row)
      }
      return first
    },
    *makeRoom(list_id, change, max, at) {
      return (yield* count.get({ ...change, list_id, added: 0, max, at })) !== undefined
    },
    *explain(list_id) {
      return (yield* exists.get(list_id)) === undefined ? 'missing' : 'full'
    },
    *count(list_id, change, at) {
      yield* count.get({ ...change, list_id, added: 0, max: Number.MAX_SAFE_INTEGER, at })
    },
  }
}

/** Maximum number of ids in one statement. */
export const IDS_MAX = 100

const ID_NAMES = Array.from({ length: IDS_MAX }, (_, at) => `id_${at}`)

/** Condition that an item is one of those of `idParameters`. */
export const IS_ONE_OF = `id IN (${ID_NAMES.map((name) => `@${name}`).join(', ')})`

/** Returns the parameters of `IS_ONE_OF`, for at most IDS_MAX ids. */
export function idParameters(ids: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(ID_NAMES.map((name, at) => [name, ids[at] ?? null]))
}

/** A statement per item would be a round trip to the database for each. */
const ROWS_AT_ONCE = 25

/** Columns of an item that its creator sets, or leaves unknown. */
const GIVEN = ['id', ...CARD_MEMBERS, ...COPY_MEMBERS, ...FACTS, ...ORIGIN] as const

/** Values of columns that are never null. */
const DEFAULTS: Partial<ListItemRow> = { paid_currency: MIRROR_KIND.currency }

function prepareInsert(engine: LedgerEngine, rows: number) {
  const columns = ['list_id', 'ordinal', ...GIVEN, 'is_reviewed', 'created_at', 'updated_at']
  const marks = `(${columns.map(() => '?').join(', ')})`
  return engine.prepare<Value[]>(
    `INSERT INTO list_items (${columns.join(', ')})
     VALUES ${Array(rows).fill(marks).join(', ')}`,
  )
}

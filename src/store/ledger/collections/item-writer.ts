import type { LedgerEngine, LedgerOperation, Value } from '../engine/operation.ts'
import type { CollectionItemRow } from '../schema/collections.ts'

/** An item to be added. */
export type NewItem = Omit<
  CollectionItemRow,
  'collection_id' | 'value' | 'revision' | 'created_at' | 'updated_at'
>

/** Writes items and the counters of their collection. Each function is a part of a transaction. */
export type ItemWriter = {
  /** Tells if a collection exists and is not deleted. */
  exists(collection_id: string): LedgerOperation<boolean>
  /** Counts new items; false if the collection is missing or would have more than `max`. */
  grow(change: {
    collection_id: string
    by: number
    max: number
    at: number
  }): LedgerOperation<boolean>
  /** Counts one item less. */
  shrink(collection_id: string, at: number): LedgerOperation<void>
  /** Notes that an item has changed. */
  touch(collection_id: string, at: number): LedgerOperation<void>
  /** Inserts items that `grow` has counted. */
  insert(collection_id: string, items: readonly NewItem[], at: number): LedgerOperation<void>
}

export function openItemWriter(engine: LedgerEngine): ItemWriter {
  const find = engine.prepare<[string], { id: string }>(
    'SELECT id FROM collections WHERE id = ? AND deleted_at IS NULL',
  )
  const grow = engine.prepare<[{ collection_id: string; by: number; max: number; at: number }]>(
    `UPDATE collections SET items = items + @by, content = content + 1, updated_at = @at
      WHERE id = @collection_id AND deleted_at IS NULL AND items + @by <= @max`,
  )
  const shrink = engine.prepare<[number, string]>(
    `UPDATE collections SET items = items - 1, content = content + 1, updated_at = ? WHERE id = ?`,
  )
  const touch = engine.prepare<[number, string]>(
    'UPDATE collections SET content = content + 1, updated_at = ? WHERE id = ?',
  )
  const insertMany = prepareInsert(engine, ROWS_AT_ONCE)
  const insertOne = prepareInsert(engine, 1)

  return {
    *exists(collection_id) {
      return (yield* find.get(collection_id)) !== undefined
    },
    *grow(change) {
      return (yield* grow.run(change)) > 0
    },
    *shrink(collection_id, at) {
      yield* shrink.run(at, collection_id)
    },
    *touch(collection_id, at) {
      yield* touch.run(at, collection_id)
    },
    *insert(collection_id, items, at) {
      for (let start = 0; start < items.length; ) {
        const many = items.slice(start, start + ROWS_AT_ONCE)
        const isWhole = many.length === ROWS_AT_ONCE
        for (const rows of isWhole ? [many] : many.map((item) => [item])) {
          const values = rows.flatMap((item) => valuesOf(collection_id, item, at))
          yield* (isWhole ? insertMany : insertOne).run(...values)
        }
        start += many.length
      }
    },
  }
}

/** A statement per item would be a round trip to the database for each. */
const ROWS_AT_ONCE = 25

/** Columns of an item that its creator gives. */
const GIVEN = [
  ...(['id', 'card_id', 'name', 'number', 'game', 'set_id', 'set_name', 'printing'] as const),
  ...(['condition', 'grade', 'language', 'quantity', 'price_paid', 'acquired_on'] as const),
  ...(['place', 'note', 'target_price'] as const),
] satisfies (keyof NewItem)[]

function prepareInsert(engine: LedgerEngine, rows: number) {
  const marks = `(${['collection_id', ...GIVEN, 'created_at', 'updated_at'].map(() => '?').join(', ')})`
  return engine.prepare<Value[]>(
    `INSERT INTO collection_items (collection_id, ${GIVEN.join(', ')}, created_at, updated_at)
     VALUES ${Array(rows).fill(marks).join(', ')}`,
  )
}

function valuesOf(collection_id: string, item: NewItem, at: number): Value[] {
  return [collection_id, ...GIVEN.map((column) => item[column]), at, at]
}

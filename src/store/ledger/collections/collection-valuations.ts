import { upsertInto } from '../../table-sql.ts'
import type { LedgerEngine, LedgerOperation, Value } from '../engine/operation.ts'
import {
  type CollectionSummaryRow,
  type CollectionValueRow,
  collectionSummaries,
  type ListItemRow,
} from '../schema/collections.ts'

/** Last valuation of a collection. `summary` and `notes` are JSON, `value` is in cents. */
export type CollectionValuation = Omit<CollectionSummaryRow, 'collection_id'>

/** Totals of a day in cents. `foreign_costs` is JSON. */
export type DayTotals = Omit<CollectionValueRow, 'collection_id'>

/** Values of collections, which can always be recomputed. */
export type CollectionValuationStore = {
  /** Returns the last valuation; undefined if the collection was never valued. */
  get(collection_id: string): Promise<CollectionValuation | undefined>
  /** Stores a valuation, and replaces the totals of all days. */
  put(
    collection_id: string,
    valuation: CollectionValuation,
    days: readonly DayTotals[],
  ): Promise<void>
  /** Stores the values of items, by which lists are sorted. Revisions stay the same. */
  putItemValues(
    collection_id: string,
    values: readonly Pick<ListItemRow, 'id' | 'value'>[],
  ): Promise<void>
  /** Lists the totals from a day on. */
  listDays(collection_id: string, from: number): Promise<DayTotals[]>
}

export function openCollectionValuationStore(engine: LedgerEngine): CollectionValuationStore {
  const { query, transact } = engine
  const find = engine.prepare<[string], CollectionValuation>(
    `SELECT content, catalog_version, value, unpriced, notes, summary, computed_at
       FROM collection_summaries
      WHERE collection_id = ?`,
  )
  const exists = engine.prepare<[string], { id: string }>(
    'SELECT id FROM lists WHERE id = ? AND deleted_at IS NULL',
  )
  const put = engine.prepare<[CollectionSummaryRow]>(upsertInto(collectionSummaries))
  const putValue = engine.prepare<[number | null, string, string]>(
    'UPDATE list_items SET value = ? WHERE list_id = ? AND id = ?',
  )
  const days = engine.prepare<[string, number], DayTotals>(
    `SELECT day, value, carried, cost, foreign_costs FROM collection_values
      WHERE collection_id = ? AND day >= ? ORDER BY day`,
  )
  const putDays = prepareDays(engine)

  return {
    get: (collection_id) => query(find.get(collection_id)),
    put: (collection_id, valuation, totals) =>
      transact(function* () {
        // The collection may have been deleted in the meantime.
        if ((yield* exists.get(collection_id)) === undefined) return
        yield* put.run({ collection_id, ...valuation })
        yield* putDays(collection_id, totals)
      }),
    putItemValues: (collection_id, values) =>
      transact(function* () {
        for (const { id, value } of values) yield* putValue.run(value, collection_id, id)
      }),
    listDays: (collection_id, from) => query(days.all(collection_id, from)),
  }
}

/** Prepares the replacement of all days, most of which stay the same. */
function prepareDays(engine: LedgerEngine) {
  const all = engine.prepare<[string], DayTotals>(
    'SELECT day, value, carried, cost, foreign_costs FROM collection_values WHERE collection_id = ? ORDER BY day',
  )
  const remove = engine.prepare<[string, number]>(
    'DELETE FROM collection_values WHERE collection_id = ? AND day = ?',
  )
  const prepareRows = (rows: number) =>
    engine.prepare<Value[]>(
      `INSERT INTO collection_values (collection_id, day, value, carried, cost, foreign_costs)
       VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?)').join(', ')}
       ON CONFLICT (collection_id, day) DO UPDATE
         SET value = excluded.value, carried = excluded.carried, cost = excluded.cost,
             foreign_costs = excluded.foreign_costs`,
    )
  const putMany = prepareRows(DAYS_AT_ONCE)
  const putOne = prepareRows(1)

  return function* (collection_id: string, totals: readonly DayTotals[]): LedgerOperation<void> {
    const stored = new Map((yield* all.all(collection_id)).map((row) => [row.day, row]))
    const changed = totals.filter((total) => {
      const known = stored.get(total.day)
      return known === undefined || MEASURES.some((measure) => known[measure] !== total[measure])
    })
    for (const { day } of totals) stored.delete(day)
    for (const day of stored.keys()) yield* remove.run(collection_id, day)
    for (let start = 0; start < changed.length; start += DAYS_AT_ONCE) {
      const many = changed.slice(start, start + DAYS_AT_ONCE)
      const isWhole = many.length === DAYS_AT_ONCE
      for (const rows of isWhole ? [many] : many.map((row) => [row])) {
        const values = rows.flatMap(({ day, value, carried, cost, foreign_costs }) => {
          return [collection_id, day, value, carried, cost, foreign_costs]
        })
        yield* (isWhole ? putMany : putOne).run(...values)
      }
    }
  }
}

const MEASURES = ['value', 'carried', 'cost', 'foreign_costs'] as const

const DAYS_AT_ONCE = 50

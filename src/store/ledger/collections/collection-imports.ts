import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { CollectionImportRow } from '../schema/collections.ts'
import { type NewItem, openItemWriter } from './item-writer.ts'

/** Progress of a file into a collection. `problems` is a JSON array of the first problems. */
export type ImportProgress = Pick<
  CollectionImportRow,
  'run' | 'done' | 'imported' | 'problem_count' | 'problems' | 'completed_at'
>

/** Identifies the import of a file. */
export type ImportKey = Pick<CollectionImportRow, 'collection_id' | 'content_hash' | 'run'>

/** Rows of a file that are stored together: `before` and `next` are the numbers of finished rows before and after. */
export type ImportBatch = {
  before: number
  next: number
  items: readonly NewItem[]
  problem_count: number
  /** All stored problems, as JSON. */
  problems: string
}

/** Progress of imports, so that each row of a file is stored once, even after interruptions. */
export type CollectionImportStore = {
  /**
   * Returns the progress of a file, from 0 for a new one.
   *
   * @param again true to begin another run if the last one is complete
   */
  begin(file: Omit<ImportKey, 'run'> & { again: boolean }, now: Date): Promise<ImportProgress>
  /**
   * Stores rows and their progress together.
   *
   * @param max items of the collection
   * @returns `overtaken` if another request has stored these rows; `full` if the collection has no room for all of
   * them, in which case nothing is stored
   */
  addBatch(
    key: ImportKey,
    batch: ImportBatch,
    max: number,
    now: Date,
  ): Promise<'stored' | 'overtaken' | 'full' | 'missing'>
  /** Marks the import as complete. */
  complete(key: ImportKey, now: Date): Promise<void>
  /** Returns how many more items a collection may have; undefined if it does not exist. */
  countRoom(collection_id: string, max: number): Promise<number | undefined>
}

export function openCollectionImportStore(engine: LedgerEngine): CollectionImportStore {
  const { query, transact } = engine
  const writer = openItemWriter(engine)
  const newest = engine.prepare<[string, string], ImportProgress>(
    `SELECT run, done, imported, problem_count, problems, completed_at FROM collection_imports
      WHERE collection_id = ? AND content_hash = ? ORDER BY run DESC LIMIT 1`,
  )
  const add = engine.prepare<[ImportKey & { at: number }]>(
    `INSERT INTO collection_imports (collection_id, content_hash, run, started_at)
     VALUES (@collection_id, @content_hash, @run, @at)`,
  )
  const advance = engine.prepare<[ImportKey & Omit<ImportBatch, 'items'> & { imported: number }]>(
    `UPDATE collection_imports SET done = @next, imported = imported + @imported,
       problem_count = problem_count + @problem_count, problems = @problems
      WHERE collection_id = @collection_id AND content_hash = @content_hash AND run = @run
        AND done = @before`,
  )
  const complete = engine.prepare<[ImportKey & { at: number }]>(
    `UPDATE collection_imports SET completed_at = @at
      WHERE collection_id = @collection_id AND content_hash = @content_hash AND run = @run`,
  )
  const size = engine.prepare<[string], { items: number }>(
    'SELECT items FROM lists WHERE id = ? AND deleted_at IS NULL',
  )

  function* store(
    key: ImportKey,
    { items, ...progress }: ImportBatch,
    max: number,
    at: number,
  ): LedgerOperation<'stored' | 'overtaken' | 'full' | 'missing'> {
    const { collection_id } = key
    const room = yield* size.get(collection_id)
    if (room === undefined) return 'missing'
    if (room.items + items.length > max) return 'full'
    if ((yield* advance.run({ ...key, ...progress, imported: items.length })) === 0) {
      return 'overtaken'
    }
    yield* writer.add(collection_id, items, max, at)
    return 'stored'
  }

  return {
    begin: ({ again, ...file }, now) =>
      transact(function* () {
        const last = yield* newest.get(file.collection_id, file.content_hash)
        const isOver = last !== undefined && last.completed_at !== null
        if (last !== undefined && !(isOver && again)) return last
        const run = (last?.run ?? 0) + 1
        yield* add.run({ ...file, run, at: now.getTime() })
        return {
          run,
          done: 0,
          imported: 0,
          problem_count: 0,
          problems: '[]',
          completed_at: null,
        }
      }),
    addBatch: (key, batch, max, now) => transact(() => store(key, batch, max, now.getTime())),
    complete: async (key, now) => void (await query(complete.run({ ...key, at: now.getTime() }))),
    async countRoom(collection_id, max) {
      const found = await query(size.get(collection_id))
      return found && Math.max(0, max - found.items)
    },
  }
}

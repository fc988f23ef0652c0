import { randomUUID } from 'node:crypto'
import { UNDO_MS } from '#rules/collections/import-draft.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { CollectionImportRow } from '../schema/collections.ts'
import { type NewItem, openItemWriter } from './item-writer.ts'

/** Progress of a file into a collection. `problems` is a JSON array of the first problems. */
export type ImportProgress = Pick<
  CollectionImportRow,
  | 'id'
  | 'run'
  | 'done'
  | 'imported'
  | 'unowned'
  | 'unowned_list_id'
  | 'problem_count'
  | 'problems'
  | 'completed_at'
>

/** Identifies the import of a file. */
export type ImportKey = Pick<CollectionImportRow, 'collection_id' | 'content_hash' | 'run'>

/** Rows of a file that are stored together: `before` and `next` are the numbers of finished rows before and after. */
export type ImportBatch = {
  before: number
  next: number
  items: readonly NewItem[]
  /** Items for the wish list of the import. */
  unowned?: { list_id: string; items: readonly NewItem[] } | undefined
  problem_count: number
  /** All stored problems, as JSON. */
  problems: string
}

/** Progress of imports, so that each row of a file is stored once, even after interruptions. */
export type CollectionImportStore = {
  /**
   * Returns the progress of a file, from 0 for a new one, and for one whose imports were undone.
   *
   * @param file its hash, and that of a draft which counts as the same
   * @param again true to begin another run if the last one is complete
   * @returns also the id of an import of its draft that has not ended, and can be undone: nothing has begun then
   */
  begin(
    file: Omit<ImportKey, 'run'> & {
      draft_hash?: string | undefined
      again: boolean
      unowned_list_id?: string | undefined
    },
    now: Date,
  ): Promise<ImportProgress | { unfinished: string }>
  /**
   * Stores rows and their progress together.
   *
   * @param max items of the collection
   * @returns `overtaken` if another request has stored these rows or filled the wish list, or undone the import; `full` if the
   * collection has no room for all of them. Then nothing is stored
   */
  addBatch(
    key: ImportKey,
    batch: ImportBatch,
    max: number,
    now: Date,
  ): Promise<'stored' | 'overtaken' | 'full' | 'missing'>
  /** Returns the progress of an import; undefined if it was undone, or does not exist. */
  getProgress(key: ImportKey): Promise<ImportProgress | undefined>
  /** Marks the import as complete. */
  complete(key: ImportKey, now: Date): Promise<void>
  /** Returns how many more items a collection may have; undefined if it does not exist. */
  countRoom(collection_id: string, max: number): Promise<number | undefined>
}

export function openCollectionImportStore(engine: LedgerEngine): CollectionImportStore {
  const { query, transact } = engine
  const writer = openItemWriter(engine)
  const columns =
    'id, run, done, imported, unowned, unowned_list_id, problem_count, problems, completed_at'
  const newest = engine.prepare<[string, string], ImportProgress>(
    `SELECT ${columns} FROM collection_imports
      WHERE collection_id = ? AND content_hash = ? AND undone_at IS NULL
      ORDER BY run DESC LIMIT 1`,
  )
  const ofDraft = engine.prepare<[string, string, number], ImportProgress>(
    `SELECT ${columns} FROM collection_imports
      WHERE collection_id = ? AND content_hash = ? AND undone_at IS NULL
        AND (completed_at IS NOT NULL OR started_at > ?)
      ORDER BY (completed_at IS NOT NULL), run DESC LIMIT 1`,
  )
  const nextRun = prepareNextRun(engine)
  const one = engine.prepare<[ImportKey], ImportProgress>(
    `SELECT ${columns} FROM collection_imports
      WHERE collection_id = @collection_id AND content_hash = @content_hash AND run = @run
        AND undone_at IS NULL`,
  )
  const add = engine.prepare<
    [ImportKey & { id: string; unowned_list_id: string | null; at: number }]
  >(
    `INSERT INTO collection_imports
       (collection_id, content_hash, run, id, unowned_list_id, started_at)
     VALUES (@collection_id, @content_hash, @run, @id, @unowned_list_id, @at)`,
  )
  // The ids of the items that an import adds ascend, except after the clock was set back.
  const advance = engine.prepare<
    [
      ImportKey &
        Omit<ImportBatch, 'items' | 'unowned'> & {
          imported: number
          unowned: number
        } & ItemRange,
    ],
    { id: string }
  >(
    `UPDATE collection_imports SET done = @next, imported = imported + @imported,
       unowned = unowned + @unowned,
       problem_count = problem_count + @problem_count, problems = @problems,
       first_item = CASE WHEN first_item < @first THEN first_item ELSE coalesce(@first, first_item) END,
       last_item = CASE WHEN last_item > @last THEN last_item ELSE coalesce(@last, last_item) END
      WHERE collection_id = @collection_id AND content_hash = @content_hash AND run = @run
        AND done = @before AND started_at IS NOT NULL AND undone_at IS NULL RETURNING id`,
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
    { items, unowned, ...progress }: ImportBatch,
    max: number,
    at: number,
  ): LedgerOperation<'stored' | 'overtaken' | 'full' | 'missing'> {
    const { collection_id } = key
    const room = yield* size.get(collection_id)
    if (room === undefined) return 'missing'
    if (room.items + items.length > max) return 'full'
    const others = unowned?.items ?? []
    const list = unowned && (yield* size.get(unowned.list_id))
    if (others.length > 0 && (list === undefined || list.items + others.length > max)) {
      return 'overtaken'
    }
    const ids = [...items, ...others].map(({ id }) => id).sort()
    const range = { first: ids[0] ?? null, last: ids.at(-1) ?? null }
    const advanced = yield* advance.get({
      ...key,
      ...progress,
      ...range,
      imported: items.length,
      unowned: others.length,
    })
    if (advanced === undefined) return 'overtaken'
    const fromImport = (item: NewItem) => ({ ...item, import_id: advanced.id })
    yield* writer.add(collection_id, items.map(fromImport), max, at)
    if (unowned !== undefined && others.length > 0) {
      yield* writer.add(unowned.list_id, others.map(fromImport), max, at)
    }
    return 'stored'
  }

  return {
    begin({ again, draft_hash, unowned_list_id: list_id, ...file }, now) {
      const id = createImportId()
      const unowned_list_id = list_id ?? null
      return transact(function* () {
        const { collection_id, content_hash } = file
        const since = now.getTime() - UNDO_MS
        const drafted =
          draft_hash === undefined
            ? undefined
            : yield* ofDraft.get(collection_id, draft_hash, since)
        if (drafted?.completed_at === null) return { unfinished: drafted.id }
        const known = (yield* newest.get(collection_id, content_hash)) ?? drafted
        if (known !== undefined && !(known.completed_at !== null && again)) return known
        const run = yield* nextRun(collection_id, content_hash)
        yield* add.run({ ...file, run, id, unowned_list_id, at: now.getTime() })
        return {
          id,
          run,
          done: 0,
          imported: 0,
          unowned: 0,
          unowned_list_id,
          problem_count: 0,
          problems: '[]',
          completed_at: null,
        }
      })
    },
    getProgress: (key) => query(one.get(key)),
    addBatch: (key, batch, max, now) => transact(() => store(key, batch, max, now.getTime())),
    complete: async (key, now) => void (await query(complete.run({ ...key, at: now.getTime() }))),
    async countRoom(collection_id, max) {
      const found = await query(size.get(collection_id))
      return found && Math.max(0, max - found.items)
    },
  }
}

/** Ids between which the items of a batch are. */
type ItemRange = { first: string | null; last: string | null }

/** Prepares the number of the next import of a file. The caller provides the transaction. */
export function prepareNextRun(engine: LedgerEngine) {
  const last = engine.prepare<[string, string], { run: number }>(
    `SELECT run FROM collection_imports
      WHERE collection_id = ? AND content_hash = ? ORDER BY run DESC LIMIT 1`,
  )
  return function* (collection_id: string, content_hash: string): LedgerOperation<number> {
    return ((yield* last.get(collection_id, content_hash))?.run ?? 0) + 1
  }
}

/** Creates the id of an import. */
export function createImportId(): string {
  return `imp_${randomUUID().replaceAll('-', '')}`
}

import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { CollectionStoredRow, CollectionSummaryRow } from '../schema/collections.ts'

/** A collection of an account. Times are epoch milliseconds. */
export type CollectionRecord = Omit<CollectionStoredRow, 'deleted_at'> & {
  /** Value in cents when it was last valued; null if it never was. */
  value: CollectionSummaryRow['value'] | null
  computed_at: CollectionSummaryRow['computed_at'] | null
  /** When its link was created; null if it is not shared. */
  shared_at: number | null
}

export type NewCollection = Pick<CollectionStoredRow, 'id' | 'account_id' | 'kind' | 'name'>

/** Identifies a collection of an account. */
export type CollectionKey = { id: string; account_id: number }

/** Result of a change that may name the revision that it is based on. */
export type Revised<Row> =
  | { outcome: 'changed' | 'conflict'; current: Row }
  | { outcome: 'missing'; current?: undefined }

/** Collections of accounts. */
export type CollectionStore = {
  /** Creates a collection; false if the account has `max` of its kind. */
  create(collection: NewCollection, max: number, now: Date): Promise<boolean>
  /** Lists an account's collections, oldest first. */
  list(account_id: number): Promise<CollectionRecord[]>
  /** Returns an account's collection; undefined if not found. */
  get(key: CollectionKey): Promise<CollectionRecord | undefined>
  /** Renames a collection. @param revision that it must have; undefined: any */
  rename(
    key: CollectionKey,
    change: { name: string; revision: number | undefined },
    now: Date,
  ): Promise<Revised<CollectionRecord>>
  /** Hides a collection from everybody, ends its link, and leaves its rows to `purge`. @returns it; undefined if not found */
  delete(key: CollectionKey, now: Date): Promise<CollectionRecord | undefined>
  /** Deletes at most `limit` rows of deleted collections. @returns how many */
  purge(limit: number): Promise<number>
  /** Lists collections after one that were valued with an older version of the catalog, or never; from the first with ''. */
  listOutdated(catalog_version: number, after: string, limit: number): Promise<CollectionKey[]>
}

export function openCollectionStore(engine: LedgerEngine): CollectionStore {
  const { query, transact } = engine
  const columns = `collections.id, account_id, kind, name, revision, items, collections.content,
    collections.created_at, updated_at, value, computed_at, collection_shares.created_at AS shared_at`
  const JOINED = `FROM collections
    LEFT JOIN collection_summaries ON collection_summaries.collection_id = collections.id
    LEFT JOIN collection_shares ON collection_shares.collection_id = collections.id`
  const find = engine.prepare<[string, number], CollectionRecord>(
    `SELECT ${columns} ${JOINED} WHERE collections.id = ? AND account_id = +? AND deleted_at IS NULL`,
  )
  const list = engine.prepare<[number], CollectionRecord>(
    `SELECT ${columns} ${JOINED} WHERE account_id = ? AND deleted_at IS NULL
      ORDER BY collections.created_at, collections.id`,
  )
  const countOf = engine.prepare<[number, string], { collections: number }>(
    `SELECT count(*) AS collections FROM collections
      WHERE account_id = ? AND kind = ? AND deleted_at IS NULL`,
  )
  const add = engine.prepare<[NewCollection & { at: number }]>(
    `INSERT INTO collections (id, account_id, kind, name, created_at, updated_at)
     VALUES (@id, @account_id, @kind, @name, @at, @at)`,
  )
  const putName = engine.prepare<[string, number, string]>(
    'UPDATE collections SET name = ?, revision = revision + 1, updated_at = ? WHERE id = ?',
  )
  const hide = engine.prepare<[number, string]>(
    'UPDATE collections SET deleted_at = ? WHERE id = ?',
  )
  const unshare = engine.prepare<[string]>('DELETE FROM collection_shares WHERE collection_id = ?')
  const purge = preparePurge(engine)
  const outdated = engine.prepare<[number, string, number], CollectionKey>(
    `SELECT collections.id, account_id FROM collections
       LEFT JOIN collection_summaries ON collection_id = collections.id
      WHERE deleted_at IS NULL AND (catalog_version IS NULL OR catalog_version < ?)
        AND collections.id > ?
      ORDER BY collections.id LIMIT ?`,
  )

  function* rename(
    { id, account_id }: CollectionKey,
    { name, revision }: { name: string; revision: number | undefined },
    now: Date,
  ): LedgerOperation<Revised<CollectionRecord>> {
    const current = yield* find.get(id, account_id)
    if (current === undefined) return { outcome: 'missing' }
    if (revision !== undefined && revision !== current.revision) {
      return { outcome: 'conflict', current }
    }
    yield* putName.run(name, now.getTime(), id)
    const changed = { name, revision: current.revision + 1, updated_at: now.getTime() }
    return { outcome: 'changed', current: { ...current, ...changed } }
  }

  return {
    create: (collection, max, now) =>
      transact(
        function* () {
          const known = yield* countOf.get(collection.account_id, collection.kind)
          if ((known?.collections ?? 0) >= max) return false
          yield* add.run({ ...collection, at: now.getTime() })
          return true
        },
        { account: collection.account_id },
      ),
    list: (account_id) => query(list.all(account_id)),
    get: ({ id, account_id }) => query(find.get(id, account_id)),
    rename: (key, change, now) => transact(() => rename(key, change, now)),
    delete: ({ id, account_id }, now) =>
      transact(function* () {
        const current = yield* find.get(id, account_id)
        if (current === undefined) return undefined
        yield* hide.run(now.getTime(), id)
        yield* unshare.run(id)
        return current
      }),
    purge: (limit) => transact(() => purge(limit)),
    listOutdated: (version, after, limit) => query(outdated.all(version, after, limit)),
  }
}

/** Prepares the deletion of a part of a deleted collection: its items and days first, then itself. */
function preparePurge(engine: LedgerEngine) {
  const deleted = engine.prepare<[], { id: string }>(
    'SELECT id FROM collections WHERE deleted_at IS NOT NULL ORDER BY deleted_at, id LIMIT 1',
  )
  const items = engine.prepare<[string, string, number]>(
    `DELETE FROM collection_items WHERE collection_id = ? AND id IN
       (SELECT id FROM collection_items WHERE collection_id = ? LIMIT ?)`,
  )
  const days = engine.prepare<[string, string, number]>(
    `DELETE FROM collection_values WHERE collection_id = ? AND day IN
       (SELECT day FROM collection_values WHERE collection_id = ? LIMIT ?)`,
  )
  const remove = engine.prepare<[string]>('DELETE FROM collections WHERE id = ?')

  return function* (limit: number): LedgerOperation<number> {
    const { id } = (yield* deleted.get()) ?? {}
    if (id === undefined) return 0
    for (const part of [items, days]) {
      const count = yield* part.run(id, id, limit)
      if (count > 0) return count
    }
    return yield* remove.run(id)
  }
}

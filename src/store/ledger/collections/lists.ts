import {
  COLLECTION_KINDS,
  type CollectionKind,
  isOfKind,
  type ListKind,
} from '#rules/collections/list-kinds.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import { openOwnedRows } from '../engine/owned-rows.ts'
import { type CollectionSummaryRow, type ListRow, lists } from '../schema/collections.ts'

/** A list of cards of an account. Times are epoch milliseconds. */
export type ListRecord = Omit<ListRow, 'added' | 'deleted_at'> & {
  /** Value in cents at the last valuation; null if it was never valued. */
  value: CollectionSummaryRow['value'] | null
  /** Items without a price at the last valuation, and JSON of the parts of the value whose prices do not exactly fit. */
  unpriced: CollectionSummaryRow['unpriced'] | null
  notes: CollectionSummaryRow['notes'] | null
  computed_at: CollectionSummaryRow['computed_at'] | null
  /** Time at which its link was created; null if it is not shared. */
  shared_at: number | null
}

/** A list of certain kinds. */
export type ListOf<Kind extends ListKind> = ListRecord & { kind: Kind }

export type NewList = Pick<ListRow, 'id' | 'account_id' | 'kind' | 'name'>

/** Identifies a list of an account. */
export type ListKey = { id: string; account_id: number }

/** Result of a change that may state its required revision. */
export type Revised<Row> =
  | { outcome: 'changed' | 'conflict'; current: Row }
  | { outcome: 'missing'; current?: undefined }

/** Collections, wish lists and scan sessions of accounts. */
export type ListStore = {
  /**
   * Creates a list, unless the account already has it.
   *
   * @param max maximum number of lists of its kind
   * @returns `taken` if the id belongs to a deleted list or to another account
   */
  create(list: NewList, max: number, now: Date): Promise<ListRecord | 'full' | 'taken'>
  /** Creates a list, unless the account has one of its kind. @returns the list, or the oldest one */
  createFirst(list: NewList, max: number, now: Date): Promise<ListRecord | 'full' | 'taken'>
  /** Lists an account's collections and wish lists, oldest first: those of a page, or all. */
  listCollections(account_id: number, page?: RowWindow): Promise<RowPage<ListOf<CollectionKind>>>
  /** Returns a page of an account's scan sessions, last changed first. */
  listScanSessions(account_id: number, page: RowWindow): Promise<RowPage<ListRecord>>
  /** Returns an account's list; undefined if not found. */
  get(key: ListKey): Promise<ListRecord | undefined>
  /** Renames a list. @param revision required revision; undefined for any */
  rename(
    key: ListKey,
    change: { name: string; revision: number | undefined },
    now: Date,
  ): Promise<Revised<ListRecord>>
  /**
   * Hides a list from everybody, ends its link, and leaves its rows to `purge`.
   *
   * @returns the list; undefined if not found
   */
  delete(key: ListKey, now: Date): Promise<ListRecord | undefined>
  /** Hides at most `limit` scan sessions last changed before a time. @returns their number */
  expireScanSessions(before: Date, limit: number, now: Date): Promise<number>
  /** Deletes at most `limit` rows of hidden lists. @returns their number */
  purge(limit: number): Promise<number>
  /**
   * Lists collections after an id that were never valued, or valued with an older version of the catalog; '' starts
   * at the beginning.
   */
  listOutdated(catalog_version: number, after: string, limit: number): Promise<ListKey[]>
}

export function openListStore(engine: LedgerEngine): ListStore {
  const { query, transact } = engine
  function openKinds(kinds: string, order: string) {
    const { find, get, list } = openOwnedRows<ListRecord, typeof lists>(engine, lists, {
      select: `lists.id, account_id, kind, name, revision, items, copies, open, photos, scans, lists.content,
          lists.created_at, updated_at, value, unpriced, notes, computed_at,
          collection_shares.created_at AS shared_at
        FROM lists
        LEFT JOIN collection_summaries ON collection_summaries.collection_id = lists.id
        LEFT JOIN collection_shares ON collection_shares.collection_id = lists.id`,
      where: `deleted_at IS NULL AND ${kinds}`,
      order,
    })
    return { find, get, list }
  }
  const { find, get } = openKinds('TRUE', 'lists.id')
  const collections = openKinds("kind IN ('owned', 'wish')", 'lists.created_at, lists.id')
  const scanSessions = openKinds("kind = 'scan'", 'updated_at DESC, lists.id')
  const exists = engine.prepare<[string], { id: string }>('SELECT id FROM lists WHERE id = ?')
  const countOf = engine.prepare<[number, ListKind], { total: number }>(
    `SELECT count(*) AS total FROM lists
      WHERE account_id = ? AND kind = ? AND deleted_at IS NULL`,
  )
  const oldestOf = engine.prepare<[number, ListKind], { id: string }>(
    `SELECT id FROM lists WHERE account_id = ? AND kind = ? AND deleted_at IS NULL
      ORDER BY created_at, id LIMIT 1`,
  )
  const add = engine.prepare<[NewList & { at: number }]>(
    `INSERT INTO lists (id, account_id, kind, name, created_at, updated_at)
     VALUES (@id, @account_id, @kind, @name, @at, @at) ON CONFLICT DO NOTHING`,
  )
  const putName = engine.prepare<[string, number, string]>(
    'UPDATE lists SET name = ?, revision = revision + 1, updated_at = ? WHERE id = ?',
  )
  const hide = engine.prepare<[number, string]>('UPDATE lists SET deleted_at = ? WHERE id = ?')
  const unshare = engine.prepare<[string]>('DELETE FROM collection_shares WHERE collection_id = ?')
  const expire = engine.prepare<[number, number, number]>(
    `UPDATE lists SET deleted_at = ? WHERE id IN
       (SELECT id FROM lists WHERE kind = 'scan' AND deleted_at IS NULL AND updated_at < ? LIMIT ?)`,
  )
  const purge = preparePurge(engine)
  const outdated = engine.prepare<[number, string, number], ListKey>(
    `SELECT lists.id, account_id FROM lists
       LEFT JOIN collection_summaries ON collection_id = lists.id
      WHERE kind IN ('owned', 'wish') AND deleted_at IS NULL
        AND (catalog_version IS NULL OR catalog_version < ?) AND lists.id > ?
      ORDER BY lists.id LIMIT ?`,
  )

  function* create(
    list: NewList,
    max: number,
    at: number,
  ): LedgerOperation<ListRecord | 'full' | 'taken'> {
    const known = yield* find(list)
    if (known !== undefined) return known
    if ((yield* exists.get(list.id)) !== undefined) return 'taken'
    const counted = yield* countOf.get(list.account_id, list.kind)
    if ((counted?.total ?? 0) >= max) return 'full'
    yield* add.run({ ...list, at })
    return (yield* find(list)) ?? 'taken'
  }

  return {
    create: (list, max, now) =>
      transact(() => create(list, max, now.getTime()), { account: list.account_id }),
    createFirst: (list, max, now) =>
      transact(
        function* () {
          const { account_id } = list
          const oldest = yield* oldestOf.get(account_id, list.kind)
          const known = oldest && (yield* find({ id: oldest.id, account_id }))
          return known ?? (yield* create(list, max, now.getTime()))
        },
        { account: list.account_id },
      ),
    async listCollections(account_id, page) {
      const { rows, total } = await collections.list({ account_id }, page)
      return { rows: rows.filter((list) => isOfKind(list, COLLECTION_KINDS)), total }
    },
    listScanSessions: (account_id, page) => scanSessions.list({ account_id }, page),
    get,
    rename: (key, { name, revision }, now) =>
      transact(
        function* (): LedgerOperation<Revised<ListRecord>> {
          const current = yield* find(key)
          if (current === undefined) return { outcome: 'missing' }
          if (revision !== undefined && revision !== current.revision) {
            return { outcome: 'conflict', current }
          }
          const updated_at = now.getTime()
          yield* putName.run(name, updated_at, key.id)
          const changed = { ...current, name, revision: current.revision + 1, updated_at }
          return { outcome: 'changed', current: changed }
        },
        { account: key.account_id },
      ),
    delete: (key, now) =>
      transact(
        function* () {
          const current = yield* find(key)
          if (current === undefined) return undefined
          yield* hide.run(now.getTime(), key.id)
          yield* unshare.run(key.id)
          return current
        },
        { account: key.account_id },
      ),
    expireScanSessions: (before, limit, now) =>
      query(expire.run(now.getTime(), before.getTime(), limit)),
    purge: (limit) => transact(() => purge(limit)),
    listOutdated: (version, after, limit) => query(outdated.all(version, after, limit)),
  }
}

/** Prepares the deletion of a part of a hidden list: first its contents, then the list itself. */
function preparePurge(engine: LedgerEngine) {
  const hidden = engine.prepare<[], { id: string }>(
    'SELECT id FROM lists WHERE deleted_at IS NOT NULL ORDER BY deleted_at, id LIMIT 1',
  )
  const part = (table: string, owner: string, key: string) =>
    engine.prepare<[string, string, number]>(
      `DELETE FROM ${table} WHERE ${owner} = ? AND (${key}) IN
         (SELECT ${key} FROM ${table} WHERE ${owner} = ? LIMIT ?)`,
    )
  const parts = [
    part('list_items', 'list_id', 'id'),
    part('readings', 'list_id', 'identification_id'),
    part('scan_photos', 'list_id', 'photo'),
    part('collection_values', 'collection_id', 'day'),
    part('import_changes', 'collection_id', 'import_id, kind, position'),
    part('import_rows', 'collection_id', 'import_id, kind, part'),
  ]
  const remove = engine.prepare<[string]>('DELETE FROM lists WHERE id = ?')

  return function* (limit: number): LedgerOperation<number> {
    const { id } = (yield* hidden.get()) ?? {}
    if (id === undefined) return 0
    for (const one of parts) {
      const count = yield* one.run(id, id, limit)
      if (count > 0) return count
    }
    return yield* remove.run(id)
  }
}

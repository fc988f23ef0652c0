import { DRAFT_MS, UNDO_MS } from '#rules/collections/import-draft.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { CollectionImportRow, ImportDraftRow } from '../schema/collections.ts'
import { type DraftKey, HAS_DRAFT, REPEATS } from './import-drafts.ts'
import { openItemWriter } from './item-writer.ts'
import type { ListKey } from './lists.ts'

/** An import of an account, with its collection, and its draft if it has one that can be read. */
export type ImportRecord = Pick<
  CollectionImportRow,
  | 'id'
  | 'collection_id'
  | 'revision'
  | 'done'
  | 'imported'
  | 'unowned'
  | 'removed'
  | 'started_at'
  | 'completed_at'
  | 'undone_at'
> & {
  name: string
  items: number
  /** Number of other imports of the file of its draft. */
  repeats: number
} & (Pick<ImportDraftRow, DraftColumn> | { [Column in DraftColumn]: null })

type DraftColumn = 'file_name' | 'columns' | 'header' | 'states' | 'totals' | 'expires_at'

/** An item that an undo has kept, because it was changed after its import. */
export type KeptItem = { item_id: string; card_id: number; name: string }

type KeptRow = { [Member in keyof KeptItem]: KeptItem[Member] | null } & Pick<KeptItem, 'item_id'>

export type KeptItems = { items: KeptItem[]; total: number; isEnded: boolean }

/** Imports of accounts, from their drafts to their undo. */
export type ImportRecordStore = {
  /** Returns an import of an account; undefined if it is unknown, its draft has ended, or its collection is deleted. */
  get(key: ListKey, now: Date): Promise<ImportRecord | undefined>
  /** Lists the drafts of an account, and its imports that have not ended, the one that was changed last first. */
  listOpen(account_id: number, limit: number, now: Date): Promise<ImportRecord[]>
  /**
   * Begins the import of a draft with a revision.
   *
   * @param draft number of rows that it takes, and its rows for a wish list
   * @returns `changed` if the draft has another revision, or has ended; the id of another import of its file that has
   * not ended, and can be undone
   */
  start(
    key: DraftKey,
    draft: {
      revision: number
      rows: number
      unowned?: { list_id: string; rows: number } | undefined
      max: number
    },
    now: Date,
  ): Promise<'started' | 'changed' | 'full' | 'unowned_full' | { unfinished: string }>
  /** Keeps the rows of an import that continues for another day, and replaces its wish list if that was deleted. */
  keepDraft(key: DraftKey, unowned_list_id: string | undefined, now: Date): Promise<void>
  /** Ends an import, so that nothing more is added; again if `revision` is not the current one: false. */
  undo(key: DraftKey, revision: number, now: Date): Promise<boolean>
  /**
   * Removes at most `limit` items of an undone import from a list, after an id, that were not changed since.
   *
   * @param part `after` is '' for the beginning
   * @returns the last removed id; undefined if there are no others
   */
  removeItems(key: DraftKey, part: ItemsPart, now: Date): Promise<string | undefined>
  /** Lists the ids of the lists to which an import adds items. */
  listTargets(key: DraftKey): Promise<string[]>
  /**
   * Lists the first items of an undone import that were changed since, and counts all of them. `isEnded` is false while
   * others have not been removed yet.
   */
  listKept(key: DraftKey, limit: number): Promise<KeptItems>
}

/** A part of the items that an import has added to a list. */
type ItemsPart = { list_id: string; after: string; limit: number }

const OF_IMPORT = 'collection_id = @collection_id AND id = @import_id'

/** The ids between which the items of an import are: few others were added at the same time. */
const ADDED = `FROM list_items WHERE list_id = @list_id AND import_id = @import_id
    AND id >= (SELECT first_item FROM collection_imports WHERE ${OF_IMPORT})
    AND id <= (SELECT last_item FROM collection_imports WHERE ${OF_IMPORT})`

const RECORDS = `SELECT i.id, i.collection_id, i.revision, i.done, i.imported, i.unowned, i.removed,
         i.started_at, i.completed_at, i.undone_at, name, items,
         ${REPEATS} AS repeats, file_name, columns, header, states, totals, expires_at
    FROM lists JOIN collection_imports AS i ON i.collection_id = lists.id`

const READABLE_DRAFTS = `import_drafts AS d ON d.collection_id = i.collection_id AND d.import_id = i.id
    AND is_read = 1 AND expires_at > @at`

export function openImportRecordStore(engine: LedgerEngine): ImportRecordStore {
  const { query, transact } = engine
  const writer = openItemWriter(engine)
  const find = engine.prepare<[ListKey & { at: number }], ImportRecord>(
    `${RECORDS} LEFT JOIN ${READABLE_DRAFTS}
      WHERE i.id = @id AND account_id = @account_id AND deleted_at IS NULL
        AND (started_at IS NOT NULL OR expires_at IS NOT NULL)`,
  )
  const listOpen = engine.prepare<
    [{ account_id: number; limit: number; at: number }],
    ImportRecord
  >(
    `${RECORDS} JOIN ${READABLE_DRAFTS}
      WHERE account_id = @account_id AND deleted_at IS NULL
        AND completed_at IS NULL AND undone_at IS NULL
      ORDER BY changed_at DESC, i.id LIMIT @limit`,
  )
  const size = engine.prepare<[string], { items: number }>(
    'SELECT items FROM lists WHERE id = ? AND deleted_at IS NULL',
  )
  const start = engine.prepare<
    [DraftKey & { revision: number; unowned_list_id: string | null; at: number }]
  >(
    `UPDATE collection_imports SET started_at = @at, unowned_list_id = @unowned_list_id, revision = revision + 1
      WHERE ${OF_IMPORT} AND revision = @revision AND started_at IS NULL AND ${HAS_DRAFT}`,
  )
  const unfinished = engine.prepare<[DraftKey & { since: number }], { id: string }>(
    `SELECT other.id FROM import_drafts AS d
       JOIN collection_imports AS i ON i.collection_id = d.collection_id AND i.id = d.import_id
       JOIN collection_imports AS other ON other.collection_id = i.collection_id
        AND other.id <> i.id AND other.content_hash IN (i.content_hash, d.direct_hash)
      WHERE d.collection_id = @collection_id AND d.import_id = @import_id
        AND other.started_at > @since AND other.completed_at IS NULL AND other.undone_at IS NULL
      LIMIT 1`,
  )
  // An interrupted import has time to continue, and the rows that failed can be downloaded for a day.
  const extend = engine.prepare<[DraftKey & { at: number; expires_at: number }]>(
    `UPDATE import_drafts SET changed_at = @at, expires_at = @expires_at
      WHERE collection_id = @collection_id AND import_id = @import_id AND expires_at > @at`,
  )
  const retarget = engine.prepare<[DraftKey & { list_id: string }]>(
    `UPDATE collection_imports SET unowned_list_id = @list_id
      WHERE ${OF_IMPORT} AND NOT EXISTS
        (SELECT 1 FROM lists WHERE lists.id = unowned_list_id AND deleted_at IS NULL)`,
  )
  const target = engine.prepare<[DraftKey], Pick<CollectionImportRow, 'unowned_list_id'>>(
    `SELECT unowned_list_id FROM collection_imports WHERE ${OF_IMPORT}`,
  )
  const undo = engine.prepare<[DraftKey & { revision: number; at: number }]>(
    `UPDATE collection_imports SET undone_at = @at, revision = revision + 1
      WHERE ${OF_IMPORT} AND revision = @revision AND started_at IS NOT NULL AND undone_at IS NULL`,
  )
  const unchanged = engine.prepare<[DraftKey & ItemsPart], { id: string }>(
    `SELECT id ${ADDED} AND id > @after AND revision = 1 ORDER BY id LIMIT @limit`,
  )
  const remove = engine.prepare<
    [DraftKey & { list_id: string; first: string; last: string }],
    { quantity: number }
  >(
    `DELETE FROM list_items WHERE list_id = @list_id AND import_id = @import_id
        AND id >= @first AND id <= @last AND revision = 1 RETURNING quantity`,
  )
  const count = engine.prepare<[DraftKey & { items: number }]>(
    `UPDATE collection_imports SET removed = removed + @items WHERE ${OF_IMPORT}`,
  )
  const kept = engine.prepare<[DraftKey & { list_id: string; limit: number }], KeptRow>(
    `SELECT id AS item_id, card_id, name ${ADDED} AND revision > 1 ORDER BY id LIMIT @limit`,
  )
  const keptCount = engine.prepare<[DraftKey & { list_id: string }], { total: number }>(
    `SELECT count(*) AS total ${ADDED} AND revision > 1`,
  )

  function* removeItems(
    key: DraftKey,
    { at, ...part }: ItemsPart & { at: number },
  ): LedgerOperation<string | undefined> {
    const { list_id } = part
    const ids = yield* unchanged.all({ ...key, ...part })
    const [first, last] = [ids[0]?.id, ids.at(-1)?.id]
    if (first === undefined || last === undefined) return undefined
    const removed = yield* remove.all({ ...key, list_id, first, last })
    const copies = removed.reduce((sum, { quantity }) => sum + quantity, 0)
    yield* writer.count(list_id, { items: -removed.length, copies: -copies, open: 0 }, at)
    yield* count.run({ ...key, items: removed.length })
    return last
  }

  function* extendDraft(key: DraftKey, at: number): LedgerOperation<void> {
    yield* extend.run({ ...key, at, expires_at: at + DRAFT_MS })
  }

  async function listTargets(key: DraftKey): Promise<string[]> {
    const other = (await query(target.get(key)))?.unowned_list_id ?? null
    return [...new Set([key.collection_id, other ?? key.collection_id])]
  }

  return {
    get: (key, now) => query(find.get({ ...key, at: now.getTime() })),
    listOpen: (account_id, limit, now) =>
      query(listOpen.all({ account_id, limit, at: now.getTime() })),
    start: (key, { revision, rows, unowned, max }, now) =>
      transact(function* () {
        const room = yield* size.get(key.collection_id)
        if (room !== undefined && room.items + rows > max) return 'full'
        const other = unowned && (yield* size.get(unowned.list_id))
        if (unowned && other && other.items + unowned.rows > max) return 'unowned_full'
        const at = now.getTime()
        const rival = yield* unfinished.get({ ...key, since: at - UNDO_MS })
        if (rival !== undefined) return { unfinished: rival.id }
        const unowned_list_id = unowned?.list_id ?? null
        const started = yield* start.run({ ...key, revision, unowned_list_id, at })
        if (started === 0) return 'changed'
        yield* extendDraft(key, at)
        return 'started'
      }),
    keepDraft: (key, list_id, now) =>
      transact(function* () {
        if (list_id !== undefined) yield* retarget.run({ ...key, list_id })
        yield* extendDraft(key, now.getTime())
      }),
    undo: async (key, revision, now) =>
      (await query(undo.run({ ...key, revision, at: now.getTime() }))) > 0,
    removeItems: (key, part, now) =>
      transact(() => removeItems(key, { ...part, at: now.getTime() })),
    listTargets,
    async listKept(key, limit) {
      const found: KeptItems = { items: [], total: 0, isEnded: true }
      for (const list_id of await listTargets(key)) {
        const place = { ...key, list_id }
        const room = limit - found.items.length
        found.items.push(...(await query(kept.all({ ...place, limit: room }))).filter(isKept))
        found.total += (await query(keptCount.get(place)))?.total ?? 0
        const left = await query(unchanged.get({ ...place, after: '', limit: 1 }))
        if (left !== undefined) found.isEnded = false
      }
      return found
    },
  }
}

/** Only scans add items without a card. */
function isKept(row: KeptRow): row is KeptItem {
  return row.card_id !== null && row.name !== null
}

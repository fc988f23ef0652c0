import { DRAFT_MS, DRAFTS_MAX, type DraftKind } from '#rules/collections/import-draft.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { ImportChangeRow, ImportDraftRow } from '../schema/collections.ts'
import { createImportId, type ImportKey, prepareNextRun } from './collection-imports.ts'

/** A draft of a collection. */
export type DraftKey = Pick<ImportDraftRow, 'collection_id' | 'import_id'>

/** A part of the rows of a kind, from 0. */
export type DraftPart = DraftKey & { kind: DraftKind; part: number }

/** A run that reads the file of a draft. Only the last one can store what it reads. */
export type DraftReader = DraftKey & Pick<ImportDraftRow, 'reader'>

/** Rows that earlier runs have read: their number, and their sums as JSON. */
export type ReadSoFar = Pick<ImportDraftRow, 'read_rows' | 'totals'>

/** Facts about a file that was read to its end. Members are JSON. */
export type ReadDraft = Pick<ImportDraftRow, 'columns' | 'header' | 'states' | 'totals'>

/** A decision about a row; `changed` is JSON. */
export type StoredChange = Omit<ImportChangeRow, keyof DraftKey>

/** Decisions that are stored together. Members are JSON. */
export type DraftDecision = Pick<ImportDraftRow, 'states' | 'totals'> & {
  changes: readonly Omit<StoredChange, 'revision'>[]
}

/** Rows of imports that are shown before they are stored. */
export type ImportDraftStore = {
  /**
   * Begins a draft, which can be read after `finish`, or continues one of the same file that was paused. Ends
   * other interrupted ones of the account, except the newest that have read rows.
   *
   * @param file its hash, and that of an import without a draft
   */
  begin(
    file: {
      account_id: number
      collection_id: string
      file_name: string | null
      content_hash: string
      direct_hash: string
      unowned: string
    },
    now: Date,
  ): Promise<DraftReader & ReadSoFar & { is_repeated: boolean }>
  /** Stores a part of the rows of a kind, also one that was shorter when an earlier run stored it. */
  addPart(part: DraftPart & DraftReader, content: Uint8Array): Promise<void>
  /** Stores how far a run has read, so that another one continues there. */
  pause(reader: DraftReader, read: ReadSoFar): Promise<void>
  /** Makes a draft readable, and ends the oldest ones beyond the maximum; false if it was ended, or another run reads it. */
  finish(reader: DraftReader, draft: ReadDraft, now: Date): Promise<boolean>
  /** Ends a draft, unless another run reads it: it cannot be read any more, and `purge` deletes it. */
  end(reader: DraftReader, now: Date): Promise<void>
  /** Reads a part; undefined after the last one. */
  getPart(part: DraftPart): Promise<Uint8Array | undefined>
  /** Lists the decisions about the rows of a part. */
  listChanges(part: DraftPart, rows: number): Promise<StoredChange[]>
  /** Stores decisions for another day, unless the draft has another revision or has ended. @returns whether they are stored */
  change(key: DraftKey, revision: number, decision: DraftDecision, now: Date): Promise<boolean>
  /** Ends a draft that has a revision and has not ended. @returns whether it had */
  discard(key: DraftKey, revision: number, now: Date): Promise<boolean>
  /** Returns the hash and the run of a draft, and the states and totals of its kinds; undefined if it has been deleted. */
  getKey(
    key: DraftKey,
  ): Promise<(ImportKey & Pick<ImportDraftRow, 'states' | 'totals'>) | undefined>
  /** Deletes at most `limit` rows of ended drafts. @returns their number */
  purge(limit: number, now: Date): Promise<number>
}

/** Counts the other imports of the file of a draft `d` with the import `i`. An undone one does not count. */
export const REPEATS = `(SELECT count(*) FROM collection_imports AS other
    WHERE other.collection_id = i.collection_id AND other.id <> i.id
      AND other.content_hash IN (i.content_hash, d.direct_hash)
      AND other.imported + other.unowned > 0 AND other.undone_at IS NULL)`

/** Condition that an import has a draft which can be read, and has not ended. */
export const HAS_DRAFT = `EXISTS (SELECT 1 FROM import_drafts AS d
    WHERE d.collection_id = collection_imports.collection_id AND d.import_id = collection_imports.id
      AND is_read = 1 AND expires_at > @at)`

const OF_DRAFT = 'collection_id = @collection_id AND import_id = @import_id'

export function openImportDraftStore(engine: LedgerEngine): ImportDraftStore {
  const { query, transact } = engine
  const known = engine.prepare<
    [string, number],
    DraftKey & Pick<ImportDraftRow, 'is_read' | 'read_rows'>
  >(
    // Puts those whose import has ended last: nobody decides about their rows any more.
    `SELECT d.collection_id, import_id, is_read, read_rows FROM import_drafts AS d
       JOIN collection_imports AS i ON i.collection_id = d.collection_id AND i.id = d.import_id
      WHERE d.collection_id IN (SELECT id FROM lists WHERE deleted_at IS NULL
          AND account_id = (SELECT account_id FROM lists WHERE id = ?))
        AND expires_at > ?
      ORDER BY (completed_at IS NOT NULL OR undone_at IS NOT NULL), changed_at DESC, import_id`,
  )
  const expire = engine.prepare<[DraftKey & { at: number }]>(
    `UPDATE import_drafts SET expires_at = @at WHERE ${OF_DRAFT} AND expires_at > @at`,
  )
  const endRead = engine.prepare<[DraftReader & { at: number }]>(
    `UPDATE import_drafts SET expires_at = @at WHERE ${OF_DRAFT} AND reader = @reader`,
  )
  const paused = engine.prepare<
    [{ collection_id: string; content_hash: string; unowned: string; at: number }],
    DraftKey
  >(
    `SELECT d.collection_id, d.import_id FROM collection_imports AS i
       JOIN import_drafts AS d ON d.collection_id = i.collection_id AND d.import_id = i.id
      WHERE i.collection_id = @collection_id AND content_hash = @content_hash
        AND d.unowned = @unowned AND is_read = 0 AND read_rows > 0 AND expires_at > @at ORDER BY run DESC LIMIT 1`,
  )
  const takeOver = engine.prepare<
    [DraftKey & { at: number; expires_at: number }],
    DraftReader & ReadSoFar
  >(
    `UPDATE import_drafts SET reader = reader + 1, changed_at = @at, expires_at = @expires_at
      WHERE ${OF_DRAFT} RETURNING collection_id, import_id, reader, read_rows, totals`,
  )
  const nextRun = prepareNextRun(engine)
  const repeats = engine.prepare<[DraftKey], { repeats: number }>(
    `SELECT ${REPEATS} AS repeats FROM import_drafts AS d
       JOIN collection_imports AS i ON i.collection_id = d.collection_id AND i.id = d.import_id
      WHERE d.collection_id = @collection_id AND d.import_id = @import_id`,
  )
  const addImport = engine.prepare<[ImportKey & { id: string }]>(
    `INSERT INTO collection_imports (collection_id, content_hash, run, id)
     VALUES (@collection_id, @content_hash, @run, @id)`,
  )
  const addDraft = engine.prepare<
    [DraftKey & Pick<ImportDraftRow, 'direct_hash' | 'unowned' | 'file_name'> & { at: number }]
  >(
    `INSERT INTO import_drafts
       (collection_id, import_id, direct_hash, unowned, file_name, changed_at, expires_at)
     VALUES (@collection_id, @import_id, @direct_hash, @unowned, @file_name, @at, @at)`,
  )
  const addPart = engine.prepare<[DraftPart & DraftReader & { content: Uint8Array }]>(
    `INSERT INTO import_rows (collection_id, import_id, kind, part, content)
     SELECT collection_id, import_id, @kind, @part, @content FROM import_drafts
      WHERE ${OF_DRAFT} AND reader = @reader
     ON CONFLICT (collection_id, import_id, kind, part) DO UPDATE SET content = excluded.content`,
  )
  const pause = engine.prepare<[DraftReader & ReadSoFar]>(
    `UPDATE import_drafts SET read_rows = @read_rows, totals = @totals
      WHERE ${OF_DRAFT} AND reader = @reader`,
  )
  const finish = engine.prepare<[DraftReader & ReadDraft & { at: number }]>(
    `UPDATE import_drafts SET columns = @columns, header = @header, states = @states, totals = @totals,
       is_read = 1, changed_at = @at
      WHERE ${OF_DRAFT} AND reader = @reader AND expires_at > @at`,
  )
  const part = engine.prepare<[DraftPart], { content: Uint8Array }>(
    `SELECT content FROM import_rows WHERE ${OF_DRAFT} AND kind = @kind AND part = @part`,
  )
  const changes = engine.prepare<
    [DraftKey & { kind: string; first: number; end: number }],
    StoredChange
  >(
    `SELECT kind, position, state, changed, revision FROM import_changes
      WHERE ${OF_DRAFT} AND kind = @kind AND position >= @first AND position < @end
      ORDER BY position`,
  )
  const revise = engine.prepare<[DraftKey & { revision: number; at: number }]>(
    `UPDATE collection_imports SET revision = revision + 1
      WHERE collection_id = @collection_id AND id = @import_id AND revision = @revision
        AND started_at IS NULL AND ${HAS_DRAFT}`,
  )
  const decide = engine.prepare<
    [DraftKey & Omit<DraftDecision, 'changes'> & { at: number; expires_at: number }]
  >(
    `UPDATE import_drafts SET states = @states, totals = @totals, changed_at = @at, expires_at = @expires_at
      WHERE ${OF_DRAFT}`,
  )
  const put = engine.prepare<[DraftKey & StoredChange]>(
    `INSERT INTO import_changes (collection_id, import_id, kind, position, state, changed, revision)
     VALUES (@collection_id, @import_id, @kind, @position, @state, @changed, @revision)
     ON CONFLICT (collection_id, import_id, kind, position)
     DO UPDATE SET state = excluded.state, changed = excluded.changed, revision = excluded.revision`,
  )
  const keyOf = engine.prepare<[DraftKey], ImportKey & Pick<ImportDraftRow, 'states' | 'totals'>>(
    `SELECT i.collection_id, content_hash, run, states, totals FROM collection_imports AS i
       JOIN import_drafts AS d ON d.collection_id = i.collection_id AND d.import_id = i.id
      WHERE i.collection_id = @collection_id AND i.id = @import_id`,
  )
  const purge = preparePurge(engine)

  function* expireAll(drafts: readonly DraftKey[], at: number): LedgerOperation<void> {
    for (const { collection_id, import_id } of drafts) {
      yield* expire.run({ collection_id, import_id, at })
    }
  }

  function* finishDraft(
    key: DraftReader,
    draft: ReadDraft & { at: number },
  ): LedgerOperation<boolean> {
    if ((yield* finish.run({ ...key, ...draft })) === 0) return false
    const others = (yield* known.all(key.collection_id, draft.at)).filter(
      ({ is_read, import_id }) => is_read === 1 && import_id !== key.import_id,
    )
    yield* expireAll(others.slice(DRAFTS_MAX - 1), draft.at)
    return true
  }

  function* beginDraft(
    file: Parameters<ImportDraftStore['begin']>[0],
    import_id: string,
    at: number,
  ): LedgerOperation<DraftReader & ReadSoFar & { is_repeated: boolean }> {
    const { collection_id, file_name, content_hash, direct_hash, unowned } = file
    const drafts = yield* known.all(collection_id, at)
    const old = yield* paused.get({ collection_id, content_hash, unowned, at })
    const unread = drafts.filter((one) => one.is_read === 0 && one.import_id !== old?.import_id)
    const kept = unread.filter(({ read_rows }) => read_rows > 0).slice(0, DRAFTS_MAX - 1)
    yield* expireAll(
      unread.filter((one) => !kept.includes(one)),
      at,
    )
    const key = old ?? { collection_id, import_id }
    if (old === undefined) {
      const run = yield* nextRun(collection_id, content_hash)
      yield* addImport.run({ collection_id, content_hash, run, id: import_id })
      yield* addDraft.run({ ...key, direct_hash, unowned, file_name, at })
    }
    const begun = yield* takeOver.get({ ...key, at, expires_at: at + DRAFT_MS })
    if (begun === undefined) throw new Error('a draft has no row')
    return { ...begun, is_repeated: ((yield* repeats.get(key))?.repeats ?? 0) > 0 }
  }

  return {
    begin(file, now) {
      const id = createImportId()
      return transact(() => beginDraft(file, id, now.getTime()), { account: file.account_id })
    },
    addPart: async (key, content) => void (await query(addPart.run({ ...key, content }))),
    pause: async (reader, read) => void (await query(pause.run({ ...reader, ...read }))),
    finish: (key, draft, now) => transact(() => finishDraft(key, { ...draft, at: now.getTime() })),
    end: async (reader, now) => void (await query(endRead.run({ ...reader, at: now.getTime() }))),
    getPart: async (key) => (await query(part.get(key)))?.content,
    listChanges({ part: number, ...key }, rows) {
      const first = number * rows
      return query(changes.all({ ...key, first, end: first + rows }))
    },
    change: (key, revision, { changes: changed, ...sums }, now) =>
      transact(function* () {
        const at = now.getTime()
        if ((yield* revise.run({ ...key, revision, at })) === 0) return false
        yield* decide.run({ ...key, ...sums, at, expires_at: at + DRAFT_MS })
        for (const change of changed) {
          yield* put.run({ ...key, ...change, revision: revision + 1 })
        }
        return true
      }),
    discard: (key, revision, now) =>
      transact(function* () {
        const at = now.getTime()
        if ((yield* revise.run({ ...key, revision, at })) === 0) return false
        yield* expire.run({ ...key, at })
        return true
      }),
    getKey: (key) => query(keyOf.get(key)),
    purge: (limit, now) => transact(() => purge(limit, now.getTime())),
  }
}

/** Prepares the deletion of a part of an ended draft: first its rows, then the draft itself. */
function preparePurge(engine: LedgerEngine) {
  const ended = engine.prepare<[number], DraftKey>(
    `SELECT collection_id, import_id FROM import_drafts WHERE expires_at <= ?
      ORDER BY expires_at LIMIT 1`,
  )
  const removal = (table: string, key: string) =>
    engine.prepare<[DraftKey & { limit: number }]>(
      `DELETE FROM ${table} WHERE ${OF_DRAFT} AND (${key}) IN
         (SELECT ${key} FROM ${table} WHERE ${OF_DRAFT} LIMIT @limit)`,
    )
  const parts = [removal('import_rows', 'kind, part'), removal('import_changes', 'kind, position')]
  const removeDraft = engine.prepare<[DraftKey]>(`DELETE FROM import_drafts WHERE ${OF_DRAFT}`)
  const removeUnused = engine.prepare<[DraftKey]>(
    `DELETE FROM collection_imports
      WHERE collection_id = @collection_id AND id = @import_id AND started_at IS NULL`,
  )

  return function* (limit: number, at: number): LedgerOperation<number> {
    const key = yield* ended.get(at)
    if (key === undefined) return 0
    for (const one of parts) {
      const count = yield* one.run({ ...key, limit })
      if (count > 0) return count
    }
    yield* removeUnused.run(key)
    return yield* removeDraft.run(key)
  }
}

import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { ScanSessionPhotoRow, ScanSessionRow } from '../schema/photos.ts'

/** A scan session of an account. Times are epoch milliseconds. */
export type ScanSession = Omit<ScanSessionRow, 'account_id' | 'added' | 'deleted_at'>

/** Identifies a scan session of an account. */
export type ScanSessionKey = { id: string; account_id: number }

/** A photo of a scan session. `unread` is JSON. */
export type ScanSessionPhoto = Omit<ScanSessionPhotoRow, 'scan_session_id'>

/** Scan sessions of accounts. */
export type ScanSessionStore = {
  /**
   * Creates a scan session, unless the account has it already.
   *
   * @param max sessions of an account
   * @returns `taken` if the id belongs to a deleted session or to another account
   */
  create(
    session: ScanSessionKey & { name: string },
    max: number,
    now: Date,
  ): Promise<ScanSession | 'full' | 'taken'>
  /** Returns a page of an account's scan sessions, last changed first. */
  list(account_id: number, page: RowWindow): Promise<RowPage<ScanSession>>
  /** Returns an account's scan session; undefined if not found. */
  get(key: ScanSessionKey): Promise<ScanSession | undefined>
  /** Renames a scan session. @returns it; undefined if not found */
  rename(key: ScanSessionKey, name: string, now: Date): Promise<ScanSession | undefined>
  /** Hides a scan session, and leaves its rows to `purge`. @returns it; undefined if not found */
  delete(key: ScanSessionKey, now: Date): Promise<ScanSession | undefined>
  /** Returns a photo of an account's scan session; undefined if not found. */
  getPhoto(key: ScanSessionKey, photo: string): Promise<ScanSessionPhoto | undefined>
  /** Hides at most `limit` scan sessions that were last changed before a time. @returns how many */
  expire(before: Date, limit: number, now: Date): Promise<number>
  /** Deletes at most `limit` rows of hidden scan sessions. @returns how many */
  purge(limit: number): Promise<number>
}

/** Columns of a scan session, in the order of the table. */
const SESSION = 'id, name, photos, scans, items, copies, open, created_at, updated_at'

export function openScanSessionStore(engine: LedgerEngine): ScanSessionStore {
  const { query, transact } = engine
  const find = engine.prepare<[string, number], ScanSession>(
    `SELECT ${SESSION} FROM scan_sessions WHERE id = ? AND account_id = +? AND deleted_at IS NULL`,
  )
  const exists = engine.prepare<[string], { id: string }>(
    'SELECT id FROM scan_sessions WHERE id = ?',
  )
  const list = engine.prepare<[number, number, number], ScanSession>(
    `SELECT ${SESSION} FROM scan_sessions WHERE account_id = ? AND deleted_at IS NULL
      ORDER BY updated_at DESC, id LIMIT ? OFFSET ?`,
  )
  const count = engine.prepare<[number], { total: number }>(
    'SELECT count(*) AS total FROM scan_sessions WHERE account_id = ? AND deleted_at IS NULL',
  )
  const add = engine.prepare<[ScanSessionKey & { name: string; at: number }]>(
    `INSERT INTO scan_sessions (id, account_id, name, created_at, updated_at)
     VALUES (@id, @account_id, @name, @at, @at) ON CONFLICT DO NOTHING`,
  )
  const putName = engine.prepare<[string, number, string]>(
    'UPDATE scan_sessions SET name = ?, updated_at = ? WHERE id = ?',
  )
  const hide = engine.prepare<[number, string]>(
    'UPDATE scan_sessions SET deleted_at = ? WHERE id = ?',
  )
  const photo = engine.prepare<[string, string, number], ScanSessionPhoto>(
    `SELECT photo, width, height, unread, scan_session_photos.scans, scan_session_photos.created_at
       FROM scan_session_photos JOIN scan_sessions ON scan_sessions.id = scan_session_id
      WHERE scan_session_id = ? AND photo = ? AND account_id = +? AND deleted_at IS NULL`,
  )
  const expire = engine.prepare<[number, number, number]>(
    `UPDATE scan_sessions SET deleted_at = ? WHERE id IN
       (SELECT id FROM scan_sessions WHERE deleted_at IS NULL AND updated_at < ? LIMIT ?)`,
  )
  const purge = preparePurge(engine)

  /** Changes a scan session of an account. */
  const change = (
    { id, account_id }: ScanSessionKey,
    write: (current: ScanSession) => LedgerOperation<ScanSession>,
  ) =>
    transact(
      function* () {
        const current = yield* find.get(id, account_id)
        return current && (yield* write(current))
      },
      { account: account_id },
    )

  return {
    create: ({ id, account_id, name }, max, now) =>
      transact(
        function* () {
          const known = yield* find.get(id, account_id)
          if (known !== undefined) return known
          if ((yield* exists.get(id)) !== undefined) return 'taken'
          if (((yield* count.get(account_id))?.total ?? 0) >= max) return 'full'
          yield* add.run({ id, account_id, name, at: now.getTime() })
          return (yield* find.get(id, account_id)) ?? 'taken'
        },
        { account: account_id },
      ),
    list: async (account_id, { limit, offset }) => ({
      rows: await query(list.all(account_id, limit, offset)),
      total: (await query(count.get(account_id)))?.total ?? 0,
    }),
    get: ({ id, account_id }) => query(find.get(id, account_id)),
    rename: (key, name, now) =>
      change(key, function* (current) {
        yield* putName.run(name, now.getTime(), key.id)
        return { ...current, name, updated_at: now.getTime() }
      }),
    delete: (key, now) =>
      change(key, function* (current) {
        yield* hide.run(now.getTime(), key.id)
        return current
      }),
    getPhoto: ({ id, account_id }, key) => query(photo.get(id, key, account_id)),
    expire: (before, limit, now) => query(expire.run(now.getTime(), before.getTime(), limit)),
    purge: (limit) => transact(() => purge(limit)),
  }
}

/** Prepares the deletion of a part of a hidden scan session: what it contains first, then itself. */
function preparePurge(engine: LedgerEngine) {
  const hidden = engine.prepare<[], { id: string }>(
    'SELECT id FROM scan_sessions WHERE deleted_at IS NOT NULL ORDER BY deleted_at, id LIMIT 1',
  )
  const part = (table: string, key: string) =>
    engine.prepare<[string, string, number]>(
      `DELETE FROM ${table} WHERE scan_session_id = ? AND ${key} IN
         (SELECT ${key} FROM ${table} WHERE scan_session_id = ? LIMIT ?)`,
    )
  const parts = [
    part('scan_session_items', 'id'),
    part('scan_session_cards', 'identification_id'),
    part('scan_session_photos', 'photo'),
  ]
  const remove = engine.prepare<[string]>('DELETE FROM scan_sessions WHERE id = ?')

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

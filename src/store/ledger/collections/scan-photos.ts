import { insertInto } from '../../table-sql.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import { type ReadingRow, readings, type ScanPhotoRow, scanPhotos } from '../schema/photos.ts'
import { type NewItem, openItemWriter } from './item-writer.ts'
import type { ListKey } from './lists.ts'

/** A photo of a scan session. `unread` is JSON. */
export type ScanPhoto = Omit<ScanPhotoRow, 'list_id'>

/** A card that was read from a photo, with the item created from it. `outline` and `data` are JSON. */
export type NewReading = Omit<ReadingRow, 'list_id' | 'photo'> & { item: NewItem }

/** A photo of a scan session to store with its cards. */
export type NewScanPhoto = Pick<
  ScanPhotoRow,
  'list_id' | 'photo' | 'width' | 'height' | 'unread'
> & { cards: readonly NewReading[] }

/** Photos of scan sessions. */
export type ScanPhotoStore = {
  /** Returns a photo of an account's scan session; undefined if not found. */
  get(key: ListKey, photo: string): Promise<ScanPhoto | undefined>
}

export function openScanPhotoStore(engine: LedgerEngine): ScanPhotoStore {
  const find = engine.prepare<[string, string, number], ScanPhoto>(
    `SELECT photo, width, height, unread, scan_photos.scans, scan_photos.created_at
       FROM scan_photos JOIN lists ON lists.id = list_id
      WHERE list_id = ? AND photo = ? AND account_id = +? AND deleted_at IS NULL`,
  )
  return {
    get: ({ id, account_id }, photo) => engine.query(find.get(id, photo, account_id)),
  }
}

/** Writes photos with their readings and items. Each function is a part of a transaction. */
export type ScanPhotoWriter = {
  /**
   * Checks whether a photo can be stored: `repeated` if the session already has it, `missing` if there is no such
   * session.
   */
  check(photo: NewScanPhoto, account_id: number): LedgerOperation<'stored' | 'repeated' | 'missing'>
  /** Stores a photo that `check` has accepted, with the number of its scans. */
  add(photo: NewScanPhoto, scans: number, at: number): LedgerOperation<void>
}

export function openScanPhotoWriter(engine: LedgerEngine): ScanPhotoWriter {
  const items = openItemWriter(engine)
  const session = engine.prepare<[string, number], { id: string }>(
    'SELECT id FROM lists WHERE id = ? AND account_id = +? AND deleted_at IS NULL',
  )
  const known = engine.prepare<[string, string], { photo: string }>(
    'SELECT photo FROM scan_photos WHERE list_id = ? AND photo = ?',
  )
  const addPhoto = engine.prepare<[ScanPhotoRow]>(insertInto(scanPhotos))
  const addReading = engine.prepare<[ReadingRow]>(insertInto(readings))
  const countPhoto = engine.prepare<[number, number, string]>(
    'UPDATE lists SET photos = photos + 1, scans = scans + ?, updated_at = ? WHERE id = ?',
  )

  return {
    *check({ list_id, photo }, account_id) {
      if ((yield* session.get(list_id, account_id)) === undefined) return 'missing'
      return (yield* known.get(list_id, photo)) === undefined ? 'stored' : 'repeated'
    },
    *add({ cards, ...stored }, scans, at) {
      const { list_id, photo } = stored
      // Comes first: if two servers store the same photo, PostgreSQL makes the second one repeat its check.
      yield* countPhoto.run(scans, at, list_id)
      yield* addPhoto.run({ ...stored, scans, created_at: at })
      for (const { item: _, ...card } of cards) yield* addReading.run({ ...card, list_id, photo })
      const added = cards.map(({ item }) => item)
      // These items are already paid for, so they may exceed the limit of the session.
      if (added.length > 0) yield* items.add(list_id, added, Number.MAX_SAFE_INTEGER, at)
    },
  }
}

import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type {
  ScanSessionCardRow,
  ScanSessionItemRow,
  ScanSessionPhotoRow,
  ScanSessionRow,
} from '../schema/photos.ts'

/** An item to be added to a scan session. */
export type NewSessionItem = Omit<
  ScanSessionItemRow,
  'scan_session_id' | 'ordinal' | 'revision' | 'created_at' | 'updated_at'
>

/** A card that was read of a photo, with the item that it becomes. `outline` and `data` are JSON. */
export type NewSessionCard = Omit<ScanSessionCardRow, 'scan_session_id' | 'photo'> & {
  item: NewSessionItem
}

/** A photo of a scan session, to be stored with its cards. */
export type NewSessionPhoto = Pick<
  ScanSessionPhotoRow,
  'scan_session_id' | 'photo' | 'width' | 'height' | 'unread'
> & { cards: readonly NewSessionCard[] }

/** Changes of the counters of a scan session. */
export type SessionCounts = Pick<ScanSessionRow, 'items' | 'copies' | 'open'>

/** Writes photos and items, and counts them in their scan session. Each function is a part of a transaction. */
export type SessionWriter = {
  /** Tells if a photo can be stored: `repeated` if the session has it already, `missing` without the session. */
  checkPhoto(
    photo: NewSessionPhoto,
    account_id: number,
  ): LedgerOperation<'stored' | 'repeated' | 'missing'>
  /** Stores a photo that `checkPhoto` has accepted, with the number of its scans. */
  addPhoto(photo: NewSessionPhoto, scans: number, at: number): LedgerOperation<void>
  /** Adds items at the end, and counts them. @returns the ordinal of the first */
  addItems(
    scan_session_id: string,
    items: readonly NewSessionItem[],
    at: number,
  ): LedgerOperation<number>
  /** Adds to the counters, and notes that the session has changed. */
  count(scan_session_id: string, change: SessionCounts, at: number): LedgerOperation<void>
}

/** Columns of an item that its creator gives. */
const ITEM = [
  ...(['id', 'identification_id', 'copied_from', 'card_id', 'name', 'number', 'game'] as const),
  ...(['set_id', 'set_name', 'printing', 'condition', 'grade', 'language', 'quantity'] as const),
  'is_reviewed',
] satisfies (keyof NewSessionItem)[]

export function openSessionWriter(engine: LedgerEngine): SessionWriter {
  const session = engine.prepare<[string, number], { id: string }>(
    'SELECT id FROM scan_sessions WHERE id = ? AND account_id = +? AND deleted_at IS NULL',
  )
  const known = engine.prepare<[string, string], { photo: string }>(
    'SELECT photo FROM scan_session_photos WHERE scan_session_id = ? AND photo = ?',
  )
  const addPhoto = engine.prepare<[Omit<NewSessionPhoto, 'cards'> & { scans: number; at: number }]>(
    `INSERT INTO scan_session_photos
       (scan_session_id, photo, width, height, unread, scans, created_at)
     VALUES (@scan_session_id, @photo, @width, @height, @unread, @scans, @at)`,
  )
  const addCard = engine.prepare<[ScanSessionCardRow]>(
    `INSERT INTO scan_session_cards
       (scan_session_id, identification_id, photo, page_row, page_column, outline, data)
     VALUES (@scan_session_id, @identification_id, @photo, @page_row, @page_column, @outline, @data)`,
  )
  const addItem = engine.prepare<
    [NewSessionItem & { scan_session_id: string; ordinal: number; at: number }]
  >(
    `INSERT INTO scan_session_items
       (scan_session_id, ordinal, ${ITEM.join(', ')}, created_at, updated_at)
     VALUES (@scan_session_id, @ordinal, ${ITEM.map((column) => `@${column}`).join(', ')}, @at, @at)`,
  )
  const count = engine.prepare<
    [SessionCounts & { id: string; added: number; at: number }],
    Pick<ScanSessionRow, 'added'>
  >(
    `UPDATE scan_sessions SET items = items + @items, copies = copies + @copies, open = open + @open,
       added = added + @added, updated_at = @at WHERE id = @id RETURNING added`,
  )
  const countPhoto = engine.prepare<[number, number, string]>(
    'UPDATE scan_sessions SET photos = photos + 1, scans = scans + ?, updated_at = ? WHERE id = ?',
  )

  const writer: SessionWriter = {
    *checkPhoto({ scan_session_id, photo }, account_id) {
      if ((yield* session.get(scan_session_id, account_id)) === undefined) return 'missing'
      return (yield* known.get(scan_session_id, photo)) === undefined ? 'stored' : 'repeated'
    },
    *addPhoto({ cards, ...stored }, scans, at) {
      const { scan_session_id, photo } = stored
      // First: of two servers that store a photo, PostgreSQL lets the second one look again.
      yield* countPhoto.run(scans, at, scan_session_id)
      yield* addPhoto.run({ ...stored, scans, at })
      for (const { item: _, ...card } of cards) {
        yield* addCard.run({ ...card, scan_session_id, photo })
      }
      const items = cards.map(({ item }) => item)
      if (items.length > 0) yield* writer.addItems(scan_session_id, items, at)
    },
    *addItems(scan_session_id, items, at) {
      const change = {
        items: items.length,
        copies: items.reduce((sum, { quantity }) => sum + quantity, 0),
        open: items.filter(({ is_reviewed }) => is_reviewed === 0).length,
      }
      const added = items.length
      const counted = yield* count.get({ ...change, added, id: scan_session_id, at })
      const first = (counted?.added ?? 0) - added
      for (const [index, item] of items.entries()) {
        yield* addItem.run({ ...item, scan_session_id, ordinal: first + index, at })
      }
      return first
    },
    *count(id, change, at) {
      yield* count.get({ ...change, added: 0, id, at })
    },
  }
  return writer
}

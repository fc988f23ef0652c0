import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import type { ReadingRow } from '../schema/photos.ts'
import { CARD_MEMBERS, COPY_MEMBERS, openItemWriter } from './item-writer.ts'
import {
  hasCard,
  IS_OWNED,
  type ItemCard,
  type ItemKey,
  STORED_COLUMNS,
  type StoredItem,
} from './list-items.ts'

/** An item of a scan session, with its reading: `data` and `outline` are JSON. */
export type ScanItem = StoredItem & Omit<ReadingRow, 'list_id'>

type ReviewedRow = Pick<
  StoredItem,
  (typeof CARD_MEMBERS)[number] | (typeof COPY_MEMBERS)[number] | 'ordinal' | 'created_at'
>

/** A reviewed item of a scan session, which has a card, without its reading. */
export type ReviewedItem = Omit<ReviewedRow, keyof ItemCard> & ItemCard

type CopiesRow = Pick<StoredItem, 'card_id' | 'printing' | 'condition' | 'grade' | 'quantity'> & {
  items: number
}

/** Equal copies of a card in a scan session. */
export type ListCopies = CopiesRow & { card_id: number }

/** Items of scan sessions, with their readings. Lists are in the order of addition. */
export type ScanItemStore = {
  /** Returns a page of the items of a scan session, in the order of addition. @param review undefined for all */
  list(
    list_id: string,
    review: 'open' | 'done' | undefined,
    page: RowWindow,
  ): Promise<RowPage<ScanItem>>
  /** Lists the items of one photo. */
  listOfPhoto(list_id: string, photo: string): Promise<ScanItem[]>
  /** Lists at most `limit` reviewed items of a scan session after a position; -1 starts at the beginning. */
  listReviewed(list_id: string, after: number, limit: number): Promise<ReviewedItem[]>
  /** Lists the reviewed copies of a scan session, with equal ones grouped. */
  listCopies(list_id: string): Promise<ListCopies[]>
  /** Returns an item with its reading; undefined if not found. */
  get(key: ItemKey): Promise<ScanItem | undefined>
  /**
   * Adds a duplicate of an item with a reading, unless it was already added.
   *
   * @param max maximum number of items of the list
   * @returns `taken` if the id belongs to another item
   */
  duplicate(
    key: ItemKey,
    id: string,
    max: number,
    now: Date,
  ): Promise<ScanItem | 'full' | 'taken' | 'missing'>
}

/** Columns of an item with its reading. */
const SCANNED = `${STORED_COLUMNS}, photo, page_row, page_column, outline, data`

/** Condition for items of scan sessions. Only these have readings, which the indexes rely on. */
const WITH_READING = `FROM list_items JOIN readings USING (list_id, identification_id)
  WHERE identification_id IS NOT NULL AND list_id`

export function openScanItemStore(engine: LedgerEngine): ScanItemStore {
  const { query, transact } = engine
  const writer = openItemWriter(engine)
  const scanned = prepareScanned(engine)
  const find = engine.prepare<[ItemKey], ScanItem>(
    `SELECT ${SCANNED} ${WITH_READING} = @list_id AND id = @id AND ${IS_OWNED}`,
  )

  return {
    list: async (list_id, review, page) => {
      const { rows, total } = scanned[review ?? 'all']
      return {
        rows: await query(rows.all({ list_id, ...page })),
        total: (await query(total.get(list_id)))?.total ?? 0,
      }
    },
    listOfPhoto: (list_id, photo) => query(scanned.ofPhoto.all(list_id, photo)),
    listReviewed: async (list_id, position, limit) =>
      (await query(scanned.reviewed.all(list_id, position, limit))).filter(hasCard),
    listCopies: async (list_id) => (await query(scanned.copies.all(list_id))).filter(hasCard),
    get: (key) => query(find.get(key)),
    duplicate: (key, id, max, now) =>
      transact(
        function* () {
          const known = yield* find.get({ ...key, id })
          if (known !== undefined) return known.copied_from === key.id ? known : 'taken'
          const current = yield* find.get(key)
          if (current === undefined) return 'missing'
          const at = now.getTime()
          const copy = { ...current, id, copied_from: key.id }
          const ordinal = yield* writer.add(key.list_id, [copy], max, at)
          if (ordinal === undefined) return 'full'
          return { ...copy, ordinal, revision: 1, created_at: at, updated_at: at }
        },
        { account: key.account_id },
      ),
  }
}

/** Prepares the lists of scan sessions. */
function prepareScanned(engine: LedgerEngine) {
  const list = (where: string, count: string) => ({
    rows: engine.prepare<[{ list_id: string } & RowWindow], ScanItem>(
      `SELECT ${SCANNED} ${WITH_READING} = @list_id ${where}
        ORDER BY ordinal LIMIT @limit OFFSET @offset`,
    ),
    total: engine.prepare<[string], { total: number }>(
      `SELECT ${count} AS total FROM lists WHERE id = ?`,
    ),
  })
  const reviewed = `FROM list_items
    WHERE list_id = ? AND identification_id IS NOT NULL AND is_reviewed = 1`
  return {
    all: list('', 'items'),
    open: list('AND is_reviewed = 0', 'open'),
    done: list('AND is_reviewed = 1', 'items - open'),
    ofPhoto: engine.prepare<[string, string], ScanItem>(
      `SELECT ${SCANNED} ${WITH_READING} = ? AND photo = ? ORDER BY ordinal`,
    ),
    reviewed: engine.prepare<[string, number, number], ReviewedRow>(
      `SELECT ordinal, created_at, ${[...CARD_MEMBERS, ...COPY_MEMBERS].join(', ')} ${reviewed}
          AND ordinal > ? ORDER BY ordinal LIMIT ?`,
    ),
    copies: engine.prepare<[string], CopiesRow>(
      `SELECT card_id, printing, condition, grade, count(*) AS items, sum(quantity) AS quantity
         ${reviewed} GROUP BY card_id, printing, condition, grade`,
    ),
  }
}

import type { RowPage, RowWindow } from '../../rows.ts'
import type { Revised } from '../collections/collections.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { ScanSessionCardRow, ScanSessionItemRow, ScanSessionRow } from '../schema/photos.ts'
import type { ScanSessionKey } from './scan-sessions.ts'
import { openSessionWriter, type SessionCounts } from './session-writer.ts'

/** An item of a scan session, with the card that was read: `data` and `outline` are JSON. */
export type SessionItem = Omit<ScanSessionItemRow, 'scan_session_id'> &
  Omit<ScanSessionCardRow, 'scan_session_id' | 'identification_id'>

/** Members of an item that change, the card with all that describes it; undefined: as they are. */
export type SessionItemChanges = Partial<Pick<ScanSessionItemRow, (typeof CHANGEABLE)[number]>>

/** Identifies an item of an account. */
export type SessionItemKey = ScanSessionKey & { item_id: string }

/** Equal copies of a card in a scan session. */
export type SessionCopies = Pick<
  ScanSessionItemRow,
  'printing' | 'condition' | 'grade' | 'quantity'
> & { card_id: number; items: number }

/** A reviewed item without what was read: it has a card. */
export type ReviewedItem = Omit<
  ScanSessionItemRow,
  'scan_session_id' | 'is_reviewed' | CardMember
> & {
  card_id: number
  name: string
  number: string | null
  game: string
  set_id: number
  set_name: string
}

type CardMember = 'card_id' | 'name' | 'number' | 'game' | 'set_id' | 'set_name'

/** Items of scan sessions. Lists are in the order in which items were added. */
export type SessionItemStore = {
  /** Returns a page of the items of a session. @param review undefined: all */
  list(
    scan_session_id: string,
    review: 'open' | 'done' | undefined,
    page: RowWindow,
  ): Promise<RowPage<SessionItem>>
  /** Lists the items of one photo. */
  listOfPhoto(scan_session_id: string, photo: string): Promise<SessionItem[]>
  /** Lists at most `limit` reviewed items after a position; from the first with -1. */
  listReviewed(scan_session_id: string, after: number, limit: number): Promise<ReviewedItem[]>
  /** Lists the reviewed copies, equal ones together. */
  listCopies(scan_session_id: string): Promise<SessionCopies[]>
  /** Returns an item of an account; undefined if not found. */
  get(key: SessionItemKey): Promise<SessionItem | undefined>
  /**
   * Changes an item. Choosing or confirming its card is also the feedback on its identification, unless the item is a
   * duplicate. @param revision that it must have; undefined: any
   */
  update(
    key: SessionItemKey & { revision: number | undefined },
    changes: SessionItemChanges,
    now: Date,
  ): Promise<Revised<SessionItem>>
  /** Deletes an item. @param revision that it must have; undefined: any */
  delete(
    key: SessionItemKey & { revision: number | undefined },
    now: Date,
  ): Promise<Revised<SessionItem>>
  /**
   * Adds a duplicate of an item, unless it was added before. @param max items of the session
   * @returns `taken` if the id belongs to another item
   */
  duplicate(
    key: SessionItemKey,
    id: string,
    max: number,
    now: Date,
  ): Promise<SessionItem | 'full' | 'taken' | 'missing'>
}

const CHANGEABLE = [
  ...(['card_id', 'name', 'number', 'game', 'set_id', 'set_name', 'printing'] as const),
  ...(['condition', 'grade', 'language', 'quantity', 'is_reviewed'] as const),
] satisfies (keyof ScanSessionItemRow)[]

/** Columns of an item and of its card. */
const ITEM = `scan_session_items.id, ordinal, scan_session_items.identification_id, copied_from,
  ${CHANGEABLE.join(', ')}, revision, scan_session_items.created_at, scan_session_items.updated_at,
  photo, page_row, page_column, outline, data`

const WITH_CARD = `FROM scan_session_items JOIN scan_session_cards
    ON scan_session_cards.scan_session_id = scan_session_items.scan_session_id
   AND scan_session_cards.identification_id = scan_session_items.identification_id`

export function openSessionItemStore(engine: LedgerEngine): SessionItemStore {
  const { query, transact } = engine
  const writer = openSessionWriter(engine)
  const lists = prepareLists(engine)
  const find = engine.prepare<[string, string, number], SessionItem>(
    `SELECT ${ITEM} ${WITH_CARD}
      WHERE scan_session_items.scan_session_id = ? AND scan_session_items.id = ? AND EXISTS
        (SELECT 1 FROM scan_sessions WHERE scan_sessions.id = scan_session_items.scan_session_id
           AND account_id = ? AND deleted_at IS NULL)`,
  )
  const put = engine.prepare<
    [Required<SessionItemChanges> & { scan_session_id: string; id: string; at: number }]
  >(
    `UPDATE scan_session_items
        SET ${CHANGEABLE.map((column) => `${column} = @${column}`).join(', ')},
            revision = revision + 1, updated_at = @at
      WHERE scan_session_id = @scan_session_id AND id = @id`,
  )
  const remove = engine.prepare<[string, string]>(
    'DELETE FROM scan_session_items WHERE scan_session_id = ? AND id = ?',
  )
  const size = engine.prepare<[string], Pick<ScanSessionRow, 'items'>>(
    'SELECT items FROM scan_sessions WHERE id = ?',
  )
  const putFeedback = engine.prepare<[number, number | null, string, number]>(
    `UPDATE identifications SET feedback_at = ?, feedback_card_id = ?
      WHERE id = ? AND account_id = ?`,
  )

  /** Runs a change of an item if it has the expected revision, and counts it in the session. */
  const revise = (
    { id, account_id, item_id, revision }: SessionItemKey & { revision: number | undefined },
    now: Date,
    change: (current: SessionItem) => LedgerOperation<{ next: SessionItem; counts: SessionCounts }>,
  ) =>
    transact(
      function* (): LedgerOperation<Revised<SessionItem>> {
        const current = yield* find.get(id, item_id, account_id)
        if (current === undefined) return { outcome: 'missing' }
        if (revision !== undefined && revision !== current.revision) {
          return { outcome: 'conflict', current }
        }
        const { next, counts } = yield* change(current)
        yield* writer.count(id, counts, now.getTime())
        return { outcome: 'changed', current: next }
      },
      { account: account_id },
    )

  return {
    list: async (scan_session_id, review, page) => {
      const { rows, total } = lists[review ?? 'all']
      return {
        rows: await query(rows.all({ scan_session_id, ...page })),
        total: (await query(total.get(scan_session_id)))?.total ?? 0,
      }
    },
    listOfPhoto: (scan_session_id, photo) => query(lists.ofPhoto.all(scan_session_id, photo)),
    listReviewed: (scan_session_id, after, limit) =>
      query(lists.reviewed.all(scan_session_id, after, limit)),
    listCopies: (scan_session_id) => query(lists.copies.all(scan_session_id)),
    get: ({ id, item_id, account_id }) => query(find.get(id, item_id, account_id)),
    update: (key, changes, now) =>
      revise(key, now, function* (current) {
        const at = now.getTime()
        const next = { ...current, ...changes }
        const { id: scan_session_id, account_id, item_id: id } = key
        yield* put.run({ ...changeable(next), scan_session_id, id, at })
        const { copied_from, identification_id, card_id } = next
        const isJudged = changes.card_id !== undefined || changes.is_reviewed === 1
        if (isJudged && copied_from === null) {
          yield* putFeedback.run(at, card_id, identification_id, account_id)
        }
        const counts = {
          items: 0,
          copies: next.quantity - current.quantity,
          open: current.is_reviewed - next.is_reviewed,
        }
        return { next: { ...next, revision: current.revision + 1, updated_at: at }, counts }
      }),
    delete: (key, now) =>
      revise(key, now, function* (current) {
        yield* remove.run(key.id, key.item_id)
        const { quantity, is_reviewed } = current
        return { next: current, counts: { items: -1, copies: -quantity, open: is_reviewed - 1 } }
      }),
    duplicate: ({ id, account_id, item_id }, copy_id, max, now) =>
      transact(
        function* () {
          const known = yield* find.get(id, copy_id, account_id)
          if (known !== undefined) return known.copied_from === item_id ? known : 'taken'
          const current = yield* find.get(id, item_id, account_id)
          if (current === undefined) return 'missing'
          if (((yield* size.get(id))?.items ?? 0) >= max) return 'full'
          const at = now.getTime()
          const { identification_id } = current
          const own = { id: copy_id, identification_id, copied_from: item_id }
          const ordinal = yield* writer.addItems(id, [{ ...changeable(current), ...own }], at)
          return { ...current, ...own, ordinal, revision: 1, created_at: at, updated_at: at }
        },
        { account: account_id },
      ),
  }
}

/** Selects the members of an item that can change. */
function changeable(item: SessionItem): Required<SessionItemChanges> {
  const { card_id, name, number, game, set_id, set_name, printing } = item
  const { condition, grade, language, quantity, is_reviewed } = item
  return {
    ...{ card_id, name, number, game, set_id, set_name, printing },
    ...{ condition, grade, language, quantity, is_reviewed },
  }
}

type ListParameters = { scan_session_id: string } & RowWindow

function prepareLists(engine: LedgerEngine) {
  const list = (where: string, count: string) => ({
    rows: engine.prepare<[ListParameters], SessionItem>(
      `SELECT ${ITEM} ${WITH_CARD} WHERE scan_session_items.scan_session_id = @scan_session_id ${where}
        ORDER BY ordinal LIMIT @limit OFFSET @offset`,
    ),
    // Items are counted in the row of the session.
    total: engine.prepare<[string], { total: number }>(
      `SELECT ${count} AS total FROM scan_sessions WHERE id = ?`,
    ),
  })
  return {
    all: list('', 'items'),
    open: list('AND is_reviewed = 0', 'open'),
    done: list('AND is_reviewed = 1', 'items - open'),
    ofPhoto: engine.prepare<[string, string], SessionItem>(
      `SELECT ${ITEM} ${WITH_CARD}
        WHERE scan_session_cards.scan_session_id = ? AND photo = ? ORDER BY ordinal`,
    ),
    // The table checks that a reviewed item has a card, so nothing is replaced by `coalesce`.
    reviewed: engine.prepare<[string, number, number], ReviewedItem>(
      `SELECT id, ordinal, identification_id, copied_from, coalesce(card_id, 0) AS card_id,
              coalesce(name, '') AS name, number, coalesce(game, '') AS game,
              coalesce(set_id, 0) AS set_id, coalesce(set_name, '') AS set_name, printing, condition,
              grade, language, quantity, revision, created_at, updated_at
         FROM scan_session_items
        WHERE scan_session_id = ? AND ordinal > ? AND is_reviewed = 1 ORDER BY ordinal LIMIT ?`,
    ),
    copies: engine.prepare<[string], SessionCopies>(
      `SELECT coalesce(card_id, 0) AS card_id, printing, condition, grade, count(*) AS items,
              sum(quantity) AS quantity
         FROM scan_session_items WHERE scan_session_id = ? AND is_reviewed = 1
        GROUP BY card_id, printing, condition, grade`,
    ),
  }
}

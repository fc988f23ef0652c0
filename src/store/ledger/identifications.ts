import type { LedgerEngine } from './engine/operation.ts'
import { openFeedbackWriter } from './feedback.ts'
import type { IdentificationRow } from './schema/photos.ts'

/** The response to a photo: its `data` as JSON text, and the slug of the game to which the search was restricted. */
export type Identification = Omit<
  IdentificationRow,
  'feedback_at' | 'feedback_card_id' | 'fingerprint'
> & {
  /** Fingerprint of the card in the photo; undefined if it cannot become a reference. */
  fingerprint?: string | undefined
}

/** An identification and its feedback; `feedback_at` is null if there was none. */
export type IdentificationFeedback = Pick<
  IdentificationRow,
  'data' | 'feedback_at' | 'feedback_card_id'
>

/** Identifications until they are purged; `ScanStore.record` adds them. */
export type IdentificationStore = {
  /** Returns an account's identification; undefined if not found. */
  getById(id: string, accountId: number): Promise<IdentificationFeedback | undefined>
  /**
   * Stores the latest feedback; `card_id` is null for an unknown card. The photo becomes a reference of the card.
   *
   * @returns undefined if the identification is not found
   */
  updateFeedback(
    identification: { id: string; account_id: number },
    card_id: number | null,
    now: Date,
  ): Promise<IdentificationFeedback | undefined>
  /** Returns the responses of all accounts to the last photos, newest first. */
  listLast(limit: number): Promise<string[]>
  /** Deletes at most `limit` identifications older than a time. @returns their number */
  deleteBefore(time: Date, limit: number): Promise<number>
}

export function openIdentificationStore(engine: LedgerEngine): IdentificationStore {
  const { query, transact } = engine
  const feedback = openFeedbackWriter(engine)
  const byId = engine.prepare<[string, number], IdentificationFeedback>(
    `SELECT data, feedback_at, feedback_card_id FROM identifications
      WHERE id = ? AND account_id = ?`,
  )
  const last = engine.prepare<[number], Pick<IdentificationRow, 'data'>>(
    'SELECT data FROM identifications ORDER BY at DESC LIMIT ?',
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM identifications WHERE id IN
       (SELECT id FROM identifications WHERE at < ? LIMIT ?)`,
  )

  return {
    getById: (id, accountId) => query(byId.get(id, accountId)),
    updateFeedback: ({ id, account_id }, card_id, now) =>
      transact(
        function* () {
          yield* feedback.put({ id, account_id, card_id, at: now.getTime() })
          return yield* byId.get(id, account_id)
        },
        { account: account_id },
      ),
    listLast: async (limit) => (await query(last.all(limit))).map(({ data }) => data),
    deleteBefore: (time, limit) => query(forget.run(time.getTime(), limit)),
  }
}

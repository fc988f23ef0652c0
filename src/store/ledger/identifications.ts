import type { Db } from '../db.ts'
import type { IdentificationRow } from './schema.ts'

/** The answer to a photo: `data` of the response as JSON text, and the slug of the game that the search was restricted to. */
export type Identification = Omit<IdentificationRow, 'feedback_at' | 'feedback_card_id'>

/** An identification and its feedback; `feedback_at` is null if there was none. */
export type IdentificationFeedback = Pick<
  IdentificationRow,
  'data' | 'feedback_at' | 'feedback_card_id'
>

/** Identifications of the last 30 days; `ScanStore.record` adds them. */
export type IdentificationStore = {
  /** Returns an account's identification; undefined if not found. */
  getById(id: string, accountId: number): Promise<IdentificationFeedback | undefined>
  /** Stores the last feedback; `card_id` is null for an unknown card. Undefined if not found. */
  updateFeedback(
    identification: { id: string; account_id: number },
    card_id: number | null,
    now: Date,
  ): Promise<IdentificationFeedback | undefined>
  /** Deletes at most `limit` identifications older than a time. @returns how many */
  deleteBefore(time: Date, limit: number): Promise<number>
}

export function openIdentificationStore(db: Db): IdentificationStore {
  const byId = db.prepare<[string, number], IdentificationFeedback>(
    `SELECT data, feedback_at, feedback_card_id FROM identifications
      WHERE id = ? AND account_id = ?`,
  )
  const putFeedback = db.prepare<[number, number | null, string, number], IdentificationFeedback>(
    `UPDATE identifications SET feedback_at = ?, feedback_card_id = ?
      WHERE id = ? AND account_id = ? RETURNING data, feedback_at, feedback_card_id`,
  )
  const forget = db.prepare<[number, number]>(
    `DELETE FROM identifications WHERE rowid IN
       (SELECT rowid FROM identifications WHERE at < ? LIMIT ?)`,
  )

  return {
    getById: async (id, accountId) => byId.get(id, accountId),
    updateFeedback: async ({ id, account_id }, card_id, now) =>
      putFeedback.get(now.getTime(), card_id, id, account_id),
    deleteBefore: async (time, limit) => forget.run(time.getTime(), limit).changes,
  }
}

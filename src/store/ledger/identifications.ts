import type { VerdictStatus } from '#rules/photos/verdict.ts'
import type { Db } from '../db.ts'

/** What was answered to a photo. */
export type Identification = {
  id: string
  account_id: number
  /** Epoch milliseconds. */
  at: number
  status: VerdictStatus
  /** The slug of the game that the search was restricted to. */
  game: string | null
  /** `data` of the answer, as JSON text. */
  data: string
}

/** What its sender says of it; `feedback_at` is null where nothing was said. */
export type IdentificationFeedback = {
  data: string
  feedback_at: number | null
  feedback_card_id: number | null
}

/** Identifications of the last weeks; `scans.record` adds them. */
export function openIdentificationStore(db: Db) {
  const byId = db.prepare<[string, number], IdentificationFeedback>(
    `SELECT data, feedback_at, feedback_card_id FROM identifications
      WHERE id = ? AND account_id = ?`,
  )
  const putFeedback = db.prepare<[number, number | null, string, number], IdentificationFeedback>(
    `UPDATE identifications SET feedback_at = ?, feedback_card_id = ?
      WHERE id = ? AND account_id = ? RETURNING data, feedback_at, feedback_card_id`,
  )
  const forget = db.prepare<[number]>('DELETE FROM identifications WHERE at < ?')

  return {
    /** Undefined also where it is another account's. */
    getById: async (id: string, accountId: number): Promise<IdentificationFeedback | undefined> =>
      byId.get(id, accountId),
    /**
     * Keeps which card it really is; what was said last stands.
     *
     * @param card_id null: no card of the catalog
     * @returns undefined where the account has no such identification
     */
    async updateFeedback(
      { id, account_id }: { id: string; account_id: number },
      card_id: number | null,
      now: Date,
    ): Promise<IdentificationFeedback | undefined> {
      return putFeedback.get(now.getTime(), card_id, id, account_id)
    },
    deleteBefore: async (time: Date): Promise<void> => void forget.run(time.getTime()),
  }
}

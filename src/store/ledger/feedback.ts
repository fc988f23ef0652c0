import { REFERENCES_MAX } from '#rules/photos/picture-index/learned-references.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'

/** The card that an identified photo shows according to its owner; null if the catalog does not have it. */
export type Feedback = { id: string; account_id: number; card_id: number | null; at: number }

/** Stores feedback, and the photo's fingerprint as a reference of the card. The caller provides the transaction. */
export type FeedbackWriter = { put(feedback: Feedback): LedgerOperation<void> }

export function openFeedbackWriter(engine: LedgerEngine): FeedbackWriter {
  const putFeedback = engine.prepare<[Feedback]>(
    `UPDATE identifications SET feedback_at = @at, feedback_card_id = @card_id
      WHERE id = @id AND account_id = @account_id`,
  )
  const withdraw = engine.prepare<[string, number]>(
    'DELETE FROM card_references WHERE id = ? AND account_id = ?',
  )
  const addReference = engine.prepare<[Pick<Feedback, 'id' | 'account_id'>]>(
    `INSERT INTO card_references (id, account_id, card_id, fingerprint, created_at)
     SELECT id, account_id, feedback_card_id, fingerprint, feedback_at FROM identifications
      WHERE id = @id AND account_id = @account_id AND fingerprint IS NOT NULL`,
  )
  const dropOldest = engine.prepare<[{ account_id: number; card_id: number; limit: number }]>(
    `DELETE FROM card_references WHERE id IN (
       SELECT id FROM card_references WHERE account_id = @account_id AND card_id = @card_id
        ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET @limit)`,
  )

  return {
    *put(feedback) {
      const { id, account_id, card_id } = feedback
      yield* putFeedback.run(feedback)
      yield* withdraw.run(id, account_id)
      if (card_id === null) return
      yield* addReference.run({ id, account_id })
      yield* dropOldest.run({ account_id, card_id, limit: REFERENCES_MAX })
    },
  }
}

import type { Db } from '../db.ts'

/** An alert that a publication left. `place` grows with each of them. */
export type OutboxAlert = {
  place: number
  id: string
  webhook_id: string
  body: string
  /** Epoch milliseconds. */
  created_at: number
}

/** The alerts that publications left, for whoever delivers them. */
export function openAlertOutbox(db: Db) {
  const after = db.prepare<[number, number], OutboxAlert>(
    `SELECT place, id, webhook_id, body, created_at FROM alert_outbox
      WHERE place > ? ORDER BY place LIMIT ?`,
  )
  return {
    /** What was left behind a place, in the order in which it was left. */
    listAfter: (place: number, limit: number): OutboxAlert[] => after.all(place, limit),
  }
}

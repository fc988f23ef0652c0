import type { Db } from '../db.ts'
import type { AlertOutboxRow } from './schema/alerts.ts'

/** An alert that a publication has written. `place` grows with each alert; times are epoch milliseconds. */
export type OutboxAlert = AlertOutboxRow

/** Alerts that publications have written and that the ledger may not have yet. */
export type AlertOutbox = {
  /** Lists alerts behind a place, in the order in which they were written. */
  listAfter(place: number, limit: number): OutboxAlert[]
}

export function openAlertOutbox(db: Db): AlertOutbox {
  const after = db.prepare<[number, number], OutboxAlert>(
    `SELECT place, id, webhook_id, body, created_at FROM alert_outbox
      WHERE place > ? ORDER BY place LIMIT ?`,
  )
  return {
    listAfter: (place, limit) => after.all(place, limit),
  }
}

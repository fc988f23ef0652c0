import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import type { AlertRuleSource } from '../alert-rule-source.ts'
import type { Db } from '../db.ts'
import { MUTED_SQL } from './muted-webhooks.ts'

export function openAlertRuleSource(db: Db): AlertRuleSource {
  // Returns one JSON text, because rows cross the driver value by value. CROSS makes SQLite begin
  // with the webhooks, which are stored together in the required order.
  const list = db
    .prepare<[], string>(
      `SELECT json_group_array(json_array(id, card_id, printing, condition, threshold, revision,
                is_active))
         FROM (SELECT webhooks.id, card_id, printing, condition, threshold, revision,
                 NOT ${MUTED_SQL} AS is_active
                 FROM webhooks CROSS JOIN accounts ON accounts.id = account_id
                ORDER BY webhooks.rowid)`,
    )
    .pluck()
  const known = db
    .prepare<[string], string>(
      `SELECT json_group_array(id) FROM deliveries
        WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .pluck()

  return {
    list() {
      const rows: WatchArray[] = JSON.parse(list.get() ?? '[]')
      return rows.map(([id, card_id, printing, condition, threshold, revision, is_active]) => ({
        id,
        card_id,
        printing,
        condition,
        threshold,
        revision,
        is_active: is_active === 1,
      }))
    },
    findKnownMessages(ids) {
      const found: string[] = JSON.parse(known.get(JSON.stringify(ids)) ?? '[]')
      return new Set(found)
    },
  }
}

type WatchArray = [
  id: string,
  card_id: number,
  printing: string | null,
  condition: AlertCondition,
  threshold: number,
  revision: number,
  is_active: 0 | 1,
]

import type { AlertCondition, AlertRule } from '#rules/alerts/alert-condition.ts'
import type { ConfidenceLevel } from '#rules/pricing/confidence.ts'
import type { AlertRuleSource } from '../alert-rule-source.ts'
import type { Db } from '../db.ts'
import type { LedgerEngine } from './engine/operation.ts'
import { MUTED_SQL } from './muted-webhooks.ts'

export function openAlertRuleSource(db: Db): AlertRuleSource {
  // Returns one JSON text, because rows cross the driver value by value. CROSS makes SQLite begin
  // with the webhooks, which are stored together in the required order.
  const list = db
    .prepare<[], string>(
      `SELECT json_group_array(json_array(id, card_id, printing, condition, threshold, revision,
                is_active, min_confidence, currency, source))
         FROM (SELECT webhooks.id, card_id, printing, condition, threshold, revision, min_confidence,
                 currency, source, NOT ${MUTED_SQL} AS is_active
                 FROM webhooks CROSS JOIN accounts ON accounts.id = account_id
                ORDER BY webhooks.rowid)`,
    )
    .pluck()
  const listPriceAlerts = db
    .prepare<[], string>(
      `SELECT json_group_array(json_array(id, card_id, printing, condition, threshold, revision,
                NOT is_paused, 'low', currency, source))
         FROM price_alerts`,
    )
    .pluck()
  const known = db
    .prepare<[{ ids: string }], string>(
      `SELECT json_group_array(id) FROM (
         SELECT id FROM deliveries WHERE id IN (SELECT value FROM json_each(@ids))
         UNION ALL
         SELECT id FROM notifications WHERE id IN (SELECT value FROM json_each(@ids)))`,
    )
    .pluck()

  return {
    // The transaction reads the file itself, through a connection of its own.
    load: async () => {},
    list() {
      const ofWebhooks: WatchArray[] = JSON.parse(list.get() ?? '[]')
      const ofPeople: WatchArray[] = JSON.parse(listPriceAlerts.get() ?? '[]')
      return [...ofWebhooks, ...ofPeople].map((row) => ({
        id: row[0],
        card_id: row[1],
        printing: row[2],
        condition: row[3],
        threshold: row[4],
        revision: row[5],
        is_active: row[6] === 1,
        min_confidence: row[7],
        currency: row[8],
        source: row[9],
      }))
    },
    findKnownMessages(ids) {
      const found: string[] = JSON.parse(known.get({ ids: JSON.stringify(ids) }) ?? '[]')
      return new Set(found)
    },
  }
}

/** Reads the rules of a shared ledger, before each publication. */
export function openSharedRuleSource({ prepare, query }: LedgerEngine): AlertRuleSource {
  const list = prepare<[], Omit<AlertRule, 'is_active'> & { is_muted: 0 | 1 }>(
    `SELECT webhooks.id, card_id, printing, condition, threshold, revision, min_confidence, currency, source,
            CASE WHEN ${MUTED_SQL} THEN 1 ELSE 0 END AS is_muted
       FROM webhooks JOIN accounts ON accounts.id = account_id ORDER BY webhooks.rowid`,
  )
  const listPriceAlerts = prepare<[], Omit<AlertRule, 'is_active'> & { is_muted: 0 | 1 }>(
    `SELECT id, card_id, printing, condition, threshold, revision, 'low' AS min_confidence,
            currency, source, is_paused AS is_muted FROM price_alerts`,
  )
  const find = prepare<[{ ids: string }], { id: string }>(
    `SELECT id FROM deliveries WHERE id IN (SELECT json_array_elements_text(@ids::json))
     UNION ALL
     SELECT id FROM notifications WHERE id IN (SELECT json_array_elements_text(@ids::json))`,
  )
  let rules: AlertRule[] | undefined
  let known = new Set<string>()

  return {
    async load(messageIds) {
      const found = await query(find.all({ ids: JSON.stringify(messageIds) }))
      known = new Set(found.map(({ id }) => id))
      const rows = [...(await query(list.all())), ...(await query(listPriceAlerts.all()))]
      rules = rows.map(({ is_muted, ...rule }) => ({ ...rule, is_active: is_muted === 0 }))
    },
    list() {
      // Without rules, the outbox would be taken for that of deleted webhooks.
      if (rules === undefined) throw new Error('the alert rules were not loaded')
      return rules
    },
    findKnownMessages: () => known,
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
  min_confidence: ConfidenceLevel,
  currency: string | null,
  source: string | null,
]

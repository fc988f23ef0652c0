import type { AlertRule } from '#rules/alerts/alert-condition.ts'
import type { AlertRuleSource } from '../../alert-rule-source.ts'
import type { Db } from '../../db.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import { BELOW_TIER_SQL, STOPPED_SQL } from './channels.ts'

type StoredRule = Omit<AlertRule, 'is_active'> & { is_active: 0 | 1 }

const COLUMNS = [
  'id',
  'card_id',
  'printing',
  'condition',
  'threshold',
  'currency',
  'source',
  'min_confidence',
  'revision',
] as const

// CROSS makes SQLite begin with the rules, which are stored together in the required order. Few channels are stopped.
const LIST_SQL = `SELECT ${COLUMNS.map((column) => `price_rules.${column}`).join(', ')},
    CASE WHEN price_rules.is_paused = 1
      OR channel_id IS NOT NULL AND ${BELOW_TIER_SQL}
      OR channel_id IN (SELECT id FROM alert_channels WHERE kind = 'webhook' AND ${STOPPED_SQL})
      THEN 0 ELSE 1 END AS is_active
  FROM price_rules CROSS JOIN accounts WHERE accounts.id = price_rules.account_id
  ORDER BY price_rules.rowid`

/** Selects the webhook messages and notifications whose ids are in a list, which a JSON function expands. */
const knownSql = (ids: string) =>
  `SELECT id FROM alert_messages WHERE id IN (${ids})
   UNION ALL
   SELECT id FROM notifications WHERE id IN (${ids})`

export function openAlertRuleSource(db: Db): AlertRuleSource {
  // Returns one JSON text, because rows cross the driver value by value.
  const names = [...COLUMNS, 'is_active'] as const
  const list = db
    .prepare<[], string>(
      `SELECT json_group_array(json_array(${names.join(', ')})) FROM (${LIST_SQL})`,
    )
    .pluck()
  const known = db
    .prepare<[{ ids: string }], string>(
      `SELECT json_group_array(id) FROM (${knownSql('SELECT value FROM json_each(@ids)')})`,
    )
    .pluck()

  return {
    // The transaction reads the file itself, through its own connection.
    load: async () => {},
    list() {
      const rows: RuleArray[] = JSON.parse(list.get() ?? '[]')
      return rows.map((row) => ({
        id: row[0],
        card_id: row[1],
        printing: row[2],
        condition: row[3],
        threshold: row[4],
        currency: row[5],
        source: row[6],
        min_confidence: row[7],
        revision: row[8],
        is_active: row[9] === 1,
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
  const list = prepare<[], StoredRule>(LIST_SQL)
  const find = prepare<[{ ids: string }], { id: string }>(
    knownSql('SELECT json_array_elements_text(@ids::json)'),
  )
  let rules: AlertRule[] | undefined
  let known = new Set<string>()

  return {
    async load(messageIds) {
      const found = await query(find.all({ ids: JSON.stringify(messageIds) }))
      known = new Set(found.map(({ id }) => id))
      const rows = await query(list.all())
      rules = rows.map(({ is_active, ...rule }) => ({ ...rule, is_active: is_active === 1 }))
    },
    list() {
      // Without rules, all alerts in the outbox would seem to belong to deleted rules.
      if (rules === undefined) throw new Error('the alert rules were not loaded')
      return rules
    },
    findKnownMessages: () => known,
  }
}

/** A rule as JSON: `COLUMNS` and `is_active`. */
type RuleArray = [
  AlertRule['id'],
  AlertRule['card_id'],
  AlertRule['printing'],
  AlertRule['condition'],
  AlertRule['threshold'],
  AlertRule['currency'],
  AlertRule['source'],
  AlertRule['min_confidence'],
  AlertRule['revision'],
  0 | 1,
]

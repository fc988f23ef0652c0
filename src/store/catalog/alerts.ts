import { type AlertRule, nextTransition } from '#rules/alerts/alert-condition.ts'
import { formatAlertBody, messageId } from '#rules/alerts/alert-message.ts'
import { DELIVERY_RETENTION_MS } from '#rules/operations/retention.ts'
import type { AlertRuleSource } from '../alert-rule-source.ts'
import type { Db } from '../db.ts'
import { openRowWriter } from '../row-writer.ts'
import { openRulePrices, type RulePrice } from './rule-prices.ts'
import type { AlertOutboxRow } from './schema/alerts.ts'
import { openCardNames } from './similar-names.ts'

/** Writes the alerts of a publication in its transaction, so that both are committed together. */
export type AlertEvaluator = {
  /** Lists the ids of the messages in the outbox. */
  listMessages(): string[]
  /**
   * Evaluates every rule whose price is current. In a game that could not be refreshed, only the prices of the sets
   * in this publication are current, because an alert must not state an old price as today's.
   *
   * @param publishedAt upstream publish time of the publication, epoch seconds
   * @returns number of alerts written to the outbox
   */
  evaluate(now: Date, publishedAt: number): number
  /**
   * Evaluates the rules that choose a currency or source, after prices of other sources or exchange rates have
   * changed. Prices of the mirror in a stale game are not current.
   *
   * @returns number of alerts written to the outbox
   */
  evaluateChosen(now: Date): number
}

/** An alert of a publication. `place` grows with each alert; times are epoch milliseconds. */
export type OutboxAlert = AlertOutboxRow

/** Alerts that publications have written and that may not be in the ledger yet. */
export type AlertOutbox = {
  /** Lists alerts after a place, in the order of their creation. */
  listAfter(place: number, limit: number): OutboxAlert[]
}

export function openAlertOutbox(db: Db): AlertOutbox {
  const after = db.prepare<[number, number], OutboxAlert>(
    `SELECT place, id, rule_id, body, created_at FROM alert_outbox
      WHERE place > ? ORDER BY place LIMIT ?`,
  )
  return {
    listAfter: (place, limit) => after.all(place, limit),
  }
}

/** Prepares the evaluation of every alert rule against the prices of a publication. */
export function openAlertEvaluator(db: Db, source: AlertRuleSource): AlertEvaluator {
  const outbox = openOutbox(db, source)
  const alerted = openAlertedRules(db)
  const readPrices = openRulePrices(db)
  const readNames = openCardNames(db)

  function write(met: readonly Met[], now: Date): number {
    const names = readNames(met.map(({ rule }) => rule.card_id))
    // An alert needs the name of its card.
    const known = met.filter(({ rule }) => names.has(rule.card_id))
    const messages = known.map(({ rule, ...price }) => {
      const card_name = names.get(rule.card_id) ?? ''
      return { rule_id: rule.id, body: formatAlertBody({ ...rule, card_name, ...price }, now) }
    })
    outbox.add(messages, now)
    alerted.add(known.map(({ rule }) => rule))
    return known.length
  }

  function evaluate(now: Date, publishedAt: number, isEvaluated: (rule: AlertRule) => boolean) {
    // Ids of deleted rules are never reused, so outbox rows of unlisted rules can be removed.
    const byId = new Map<string, AlertRule>()
    const allRules = source.list()
    for (const rule of allRules) byId.set(rule.id, rule)
    outbox.removeSettled(byId, now)
    const alreadyAlerted = alerted.of(byId)
    const alertRules = allRules.filter(isEvaluated)
    const prices = readPrices(alertRules, { now, publishedAt })
    const met: Met[] = []
    const rearmed: string[] = []
    for (const [index, rule] of alertRules.entries()) {
      const price = prices[index]
      if (price === undefined) continue
      const firedRevision = alreadyAlerted.has(rule) ? rule.revision : undefined
      const turn = nextTransition(rule, price.price, firedRevision)
      if (turn === 'rearm') rearmed.push(rule.id)
      if (turn === 'fire') met.push({ rule, ...price })
    }
    alerted.remove(rearmed)
    return write(met, now)
  }

  return {
    listMessages: outbox.listIds,
    evaluate: (now, publishedAt) => evaluate(now, publishedAt, () => true),
    evaluateChosen: (now) => evaluate(now, NO_PUBLICATION, ({ currency }) => currency !== null),
  }
}

/** Publish time of no set, so that no set counts as part of the publication. */
const NO_PUBLICATION = -1

type Met = { rule: AlertRule } & RulePrice

/** Writes the outbox, which holds alerts until the ledger has them. */
function openOutbox(db: Db, source: AlertRuleSource) {
  // Values cross the driver faster as one JSON text than as rows; the same applies below.
  const all = db
    .prepare<[], string>(
      'SELECT json_group_array(json_array(id, rule_id, created_at)) FROM alert_outbox',
    )
    .pluck()
  const remove = db.prepare<[string]>(
    'DELETE FROM alert_outbox WHERE id IN (SELECT value FROM json_each(?))',
  )
  const addRows = openRowWriter(db, 'alert_outbox', ['id', 'rule_id', 'body', 'created_at'])

  const list = (): LeftArray[] => JSON.parse(all.get() ?? '[]')

  return {
    listIds: () => list().map(([id]) => id),
    /**
     * Removes rows that need not be copied. A killed process loses nothing, because the ledger reports only what is
     * on disk. After a rollback, rows are copied again, and the ledger ignores known ids.
     */
    removeSettled(byId: ReadonlyMap<string, AlertRule>, now: Date): void {
      const rows = list()
      if (rows.length === 0) return
      const known = source.findKnownMessages(rows.map(([id]) => id))
      // The ledger has deleted messages of this age, and would treat them as new.
      const oldest = now.getTime() - DELIVERY_RETENTION_MS
      const settled = rows.filter(
        ([id, rule_id, created_at]) => known.has(id) || !byId.has(rule_id) || created_at < oldest,
      )
      remove.run(JSON.stringify(settled.map(([id]) => id)))
    },
    add(messages: readonly Message[], now: Date): void {
      addRows(
        messages.flatMap(({ rule_id, body }) => [
          messageId(Bun.randomUUIDv7()),
          rule_id,
          body,
          now.getTime(),
        ]),
      )
    },
  }
}

type Message = { rule_id: string; body: string }
type LeftArray = [id: string, rule_id: string, created_at: number]

/** Reads and writes `alerted_rules`: rules that have fired and whose condition is still met. */
function openAlertedRules(db: Db) {
  const all = db
    .prepare<[], string>(
      'SELECT json_group_array(json_array(rule_id, revision)) FROM alerted_rules',
    )
    .pluck()
  const removeAll = db.prepare<[string]>(
    'DELETE FROM alerted_rules WHERE rule_id IN (SELECT value FROM json_each(?))',
  )
  const addAll = db.prepare<[string]>(
    `INSERT INTO alerted_rules (rule_id, revision)
     SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
  )

  function remove(ids: readonly string[]): void {
    if (ids.length > 0) removeAll.run(JSON.stringify(ids))
  }

  return {
    /** Returns rules that have fired for their current condition, and removes the rows of all others. */
    of(byId: ReadonlyMap<string, AlertRule>): Set<AlertRule> {
      const rows: [rule_id: string, revision: number][] = JSON.parse(all.get() ?? '[]')
      const alreadyAlerted = new Set<AlertRule>()
      const stale: string[] = []
      for (const [id, revision] of rows) {
        const alertRule = byId.get(id)
        if (alertRule?.revision === revision) alreadyAlerted.add(alertRule)
        else stale.push(id)
      }
      remove(stale)
      return alreadyAlerted
    },
    remove,
    add(alertRules: readonly AlertRule[]): void {
      addAll.run(JSON.stringify(alertRules.map(({ id, revision }) => [id, revision])))
    },
  }
}

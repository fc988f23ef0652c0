import { type AlertRule, nextTransition } from '#rules/alerts/alert-condition.ts'
import { formatAlertBody, messageId } from '#rules/alerts/alert-message.ts'
import { DELIVERY_RETENTION_MS } from '#rules/alerts/retry-schedule.ts'
import { assessPrice, isConfident } from '#rules/pricing/confidence.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { AlertRuleSource } from '../alert-rule-source.ts'
import type { Db } from '../db.ts'
import { openCardNames } from './card-names.ts'
import { SERIES_PER_CARD, seriesId } from './history/history.ts'
import { openPrintingStore } from './printings.ts'
import { openExchangeRateStore } from './sources/exchange-rates.ts'
import { openPriceFactStore } from './sources/price-facts.ts'

/** Writes the alerts of a publication in its transaction, so both are committed together. */
export type AlertEvaluator = {
  /** Lists the ids of the messages in the outbox. */
  listMessages(): string[]
  /**
   * Evaluates every rule whose price is current. In a game that could not be refreshed, those are the
   * prices of the sets in this publication: an alert must not state an old price as today's.
   *
   * @param publishedAt upstream publish time of the publication, epoch seconds
   * @returns how many alerts were written to the outbox
   */
  evaluate(now: Date, publishedAt: number): number
}

/** Prepares the evaluation of every alert rule against the prices of a publication. */
export function openAlertEvaluator(db: Db, source: AlertRuleSource): AlertEvaluator {
  const outbox = openOutbox(db, source)
  const alerted = openAlertedRules(db)
  const readPrices = openRulePrices(db)
  const readNames = openCardNames(db)
  const findOutdated = openOutdatedCards(db)
  const findUnreliable = openUnreliableRules(db)
  return {
    listMessages: outbox.listIds,
    evaluate(now, publishedAt) {
      // Ids of deleted webhooks are never reused, so outbox rows whose webhook is not listed can be
      // removed.
      const alertRules = source.list()
      const byId = new Map<string, AlertRule>()
      for (const alertRule of alertRules) byId.set(alertRule.id, alertRule)
      outbox.removeSettled(byId, now)
      const alreadyAlerted = alerted.of(byId)
      const outdated = findOutdated(alertRules, publishedAt)
      const unreliable = findUnreliable(alertRules, dayOf(now))
      const prices = readPrices(alertRules)
      const met: Met[] = []
      const rearmed: string[] = []
      for (const [index, rule] of alertRules.entries()) {
        if (outdated.has(rule.card_id) || unreliable.has(rule)) continue
        const price = prices[index] ?? null
        const turn = nextTransition(
          rule,
          price,
          alreadyAlerted.has(rule) ? rule.revision : undefined,
        )
        if (turn === 'rearm') rearmed.push(rule.id)
        if (turn === 'fire' && price !== null) met.push({ watch: rule, price })
      }
      alerted.remove(rearmed)
      const names = readNames(met.map(({ watch: rule }) => rule.card_id))
      // An alert needs the name of its card.
      const known = met.filter(({ watch: rule }) => names.has(rule.card_id))
      const messages = known.map(({ watch: rule, price }) => {
        const card_name = names.get(rule.card_id) ?? ''
        return { webhook_id: rule.id, body: formatAlertBody({ ...rule, card_name, price }, now) }
      })
      outbox.add(messages, now)
      alerted.add(known.map(({ watch: rule }) => rule))
      return known.length
    },
  }
}

type Met = { watch: AlertRule; price: number }

/** Writes the outbox, which holds alerts until the ledger has them. */
function openOutbox(db: Db, source: AlertRuleSource) {
  // Values cross the driver faster as one JSON text than as rows; likewise below.
  const all = db
    .prepare<[], string>(
      'SELECT json_group_array(json_array(id, webhook_id, created_at)) FROM alert_outbox',
    )
    .pluck()
  const remove = db.prepare<[string]>(
    'DELETE FROM alert_outbox WHERE id IN (SELECT value FROM json_each(?))',
  )
  // Takes half the time of single rows. JSON would be longer: the bodies are JSON themselves.
  const prepareInsert = (rows: number) => {
    const places = Array.from({ length: rows }, () => '(?, ?, ?, ?)')
    return db.prepare<[(string | number)[]]>(
      `INSERT INTO alert_outbox (id, webhook_id, body, created_at) VALUES ${places}`,
    )
  }
  const insert = prepareInsert(ADDED_AT_ONCE)

  const list = (): LeftArray[] => JSON.parse(all.get() ?? '[]')

  return {
    listIds: () => list().map(([id]) => id),
    /**
     * Removes rows that need no copying. A killed process loses nothing: the ledger reports only
     * what is on disk. After a rollback, rows are copied again, and the ledger ignores known ids.
     */
    removeSettled(byId: ReadonlyMap<string, AlertRule>, now: Date): void {
      const rows = list()
      if (rows.length === 0) return
      const known = source.findKnownMessages(rows.map(([id]) => id))
      // The ledger has deleted messages of this age and would take them for new ones.
      const oldest = now.getTime() - DELIVERY_RETENTION_MS
      const settled = rows.filter(
        ([id, webhook_id, created_at]) =>
          known.has(id) || !byId.has(webhook_id) || created_at < oldest,
      )
      remove.run(JSON.stringify(settled.map(([id]) => id)))
    },
    add(messages: readonly Message[], now: Date): void {
      for (let start = 0; start < messages.length; start += ADDED_AT_ONCE) {
        const next = messages.slice(start, start + ADDED_AT_ONCE)
        const values = next.flatMap(({ webhook_id, body }) => {
          return [messageId(Bun.randomUUIDv7()), webhook_id, body, now.getTime()]
        })
        if (next.length === ADDED_AT_ONCE) insert.run(values)
        else prepareInsert(next.length).run(values)
      }
    },
  }
}

const ADDED_AT_ONCE = 50

type Message = { webhook_id: string; body: string }
type LeftArray = [id: string, webhook_id: string, created_at: number]

/** Reads and writes `alerted_watches`: rules that have alerted and whose condition is still met. */
function openAlertedRules(db: Db) {
  const all = db
    .prepare<[], string>(
      'SELECT json_group_array(json_array(webhook_id, revision)) FROM alerted_watches',
    )
    .pluck()
  const removeAll = db.prepare<[string]>(
    'DELETE FROM alerted_watches WHERE webhook_id IN (SELECT value FROM json_each(?))',
  )
  const addAll = db.prepare<[string]>(
    `INSERT INTO alerted_watches (webhook_id, revision)
     SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
  )

  function remove(ids: readonly string[]): void {
    if (ids.length > 0) removeAll.run(JSON.stringify(ids))
  }

  return {
    /** Returns rules whose current condition has alerted, and removes the rows of all others. */
    of(byId: ReadonlyMap<string, AlertRule>): Set<AlertRule> {
      const rows: [webhook_id: string, revision: number][] = JSON.parse(all.get() ?? '[]')
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

/** Returns the cards of rules in stale games whose set is not in the publication. */
function openOutdatedCards(db: Db) {
  const isAnyStale = db
    .prepare<[], number>('SELECT EXISTS (SELECT 1 FROM games WHERE stale_since IS NOT NULL)')
    .pluck()
  const find = db
    .prepare<[string, number], string>(
      `SELECT json_group_array(cards.id) FROM json_each(?) AS wanted
         JOIN cards ON cards.id = wanted.value
         JOIN games ON games.id = cards.game_id
         JOIN sets ON sets.id = cards.set_id
        WHERE games.stale_since IS NOT NULL AND sets.priced_at <> ?`,
    )
    .pluck()
  return (alertRules: readonly AlertRule[], publishedAt: number): Set<number> => {
    if (isAnyStale.get() !== 1) return new Set()
    const cards = [...new Set(alertRules.map((rule) => rule.card_id))]
    const outdated: number[] = JSON.parse(find.get(JSON.stringify(cards), publishedAt) ?? '[]')
    return new Set(outdated)
  }
}

/** Returns the rules whose price is less reliable than they require. */
function openUnreliableRules(db: Db) {
  return (alertRules: readonly AlertRule[], today: number): Set<AlertRule> => {
    const demanding = alertRules.filter(({ min_confidence }) => min_confidence !== 'low')
    if (demanding.length === 0) return new Set()
    // Opened for each publication, because the rates that it keeps are of one.
    const rates = openExchangeRateStore(db, { onChange: () => {} })
    const known = openPriceFactStore(db, rates)
      .listByCards(demanding.map(({ card_id }) => card_id))
      .filter(({ source }) => source === MIRROR_KIND.source)
    const ofCards = Map.groupBy(known, ({ card_id }) => card_id)
    const isUnreliable = ({ card_id, printing, min_confidence }: AlertRule): boolean => {
      const [highest] = (ofCards.get(card_id) ?? [])
        .filter((fact) => printing === null || fact.printing === printing)
        .sort((a, b) => (b.market_price ?? 0) - (a.market_price ?? 0))
      return (
        highest === undefined || !isConfident(assessPrice(highest, today).level, min_confidence)
      )
    }
    return new Set(demanding.filter(isUnreliable))
  }
}

/** Returns the price of each rule in cents; null if it is unknown. */
function openRulePrices(db: Db): (alertRules: readonly AlertRule[]) => (number | null)[] {
  const printings = openPrintingStore(db)
  // A rule is one number, the id of its series; printing 0 stands for the most expensive one.
  // json_each keeps the order of an array, so the prices come in that order.
  const prices = db
    .prepare<[string], string>(
      `SELECT json_group_array((SELECT max(market_price) FROM prices
           WHERE card_id = value / ${SERIES_PER_CARD} AND value % ${SERIES_PER_CARD} IN (0, printing_id)))
         FROM json_each(?)`,
    )
    .pluck()
  const seriesOf = ({ card_id, printing }: AlertRule): number => {
    if (printing === null) return seriesId(card_id, 0)
    const known = printings.findId(printing)
    return known === undefined ? NO_SERIES : seriesId(card_id, known)
  }
  return (alertRules) => {
    const series = alertRules.map(seriesOf)
    // Reads each series once, in file order.
    const wanted = [...Float64Array.from(new Set(series)).sort()]
    const found: (number | null)[] = JSON.parse(prices.get(JSON.stringify(wanted)) ?? '[]')
    const bySeries = new Map(wanted.map((one, index) => [one, found[index] ?? null]))
    return series.map((one) => bySeries.get(one) ?? null)
  }
}

/** Series of a printing that no card has: no card has the id 0. */
const NO_SERIES = 0

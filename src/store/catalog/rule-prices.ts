import type { AlertRule } from '#rules/alerts/alert-condition.ts'
import { assessPrice, isConfident } from '#rules/pricing/confidence.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import type { PriceOrigin } from '#rules/pricing/price-view.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { Db } from '../db.ts'
import { SERIES_PER_CARD, seriesId } from './history/history.ts'
import { openPrintingStore } from './printings.ts'
import { openExchangeRateStore } from './sources/exchange-rates.ts'
import { openPriceFactStore } from './sources/price-facts.ts'
import { openWatchedPriceStore } from './watched-prices.ts'

/** Price for an alert rule in hundredths of its currency, with its origin if the rule has chosen one. */
export type RulePrice = { price: number; origin?: PriceOrigin }

type PublicationTimes = { now: Date; publishedAt: number }

/**
 * Prepares the prices that a publication compares, in the order of their rules. A price is undefined if it is
 * unknown, not current, or less reliable than its rule requires.
 */
export function openRulePrices(db: Db) {
  const readMirror = openMirrorPrices(db)
  const findOutdated = openOutdatedCards(db)
  const findUnreliable = openUnreliableRules(db)
  const findStale = openStaleSources(db)

  function readChosen(rules: readonly AlertRule[], outdated: ReadonlySet<number>, now: Date) {
    // Opened for each publication, because they cache the rates of one publication.
    const prices = openWatchedPriceStore(db, openRates(db))
    const stale = findStale(rules)
    return prices.find(rules, dayOf(now)).map((found, index): RulePrice | undefined => {
      const rule = rules[index]
      if (rule === undefined || found === undefined) return undefined
      const { price, origin, level } = found
      const isCurrent =
        origin.source === MIRROR_KIND.source
          ? !outdated.has(rule.card_id)
          : !stale.has(`${rule.card_id} ${origin.source}`)
      return isCurrent && isConfident(level, rule.min_confidence) ? { price, origin } : undefined
    })
  }

  return (
    alertRules: readonly AlertRule[],
    { now, publishedAt }: PublicationTimes,
  ): (RulePrice | undefined)[] => {
    const outdated = findOutdated(alertRules, publishedAt)
    const chosen = alertRules.filter(({ currency }) => currency !== null)
    const mirror = alertRules.filter(({ currency }) => currency === null)
    const unreliable = findUnreliable(mirror, dayOf(now))
    const mirrorPrices = readMirror(mirror).values()
    const chosenPrices =
      chosen.length === 0 ? [].values() : readChosen(chosen, outdated, now).values()
    return alertRules.map((rule) => {
      if (rule.currency !== null) return chosenPrices.next().value
      const price = mirrorPrices.next().value ?? null
      if (price === null || outdated.has(rule.card_id) || unreliable.has(rule)) return undefined
      return { price }
    })
  }
}

/** Returns the cards of rules in stale games whose set is not in the publication. */
function openOutdatedCards(db: Db) {
  const isAnyStale = db
    .prepare<[], number>('SELECT EXISTS (SELECT 1 FROM games WHERE stale_since IS NOT NULL)')
    .pluck()
  const find = db
    .prepare<[string, number], number>(
      `SELECT cards.id FROM json_each(?) AS wanted
         JOIN cards ON cards.id = wanted.value
         JOIN games ON games.id = cards.game_id
         JOIN sets ON sets.id = cards.set_id
        WHERE games.stale_since IS NOT NULL AND sets.priced_at <> ?`,
    )
    .pluck()
  return (alertRules: readonly AlertRule[], publishedAt: number): Set<number> => {
    if (isAnyStale.get() !== 1) return new Set()
    const cards = [...new Set(alertRules.map((rule) => rule.card_id))]
    return new Set(find.all(JSON.stringify(cards), publishedAt))
  }
}

/**
 * Opens a query for the cards of rules with stale prices of another source. It returns texts such as `123
 * cardmarket`.
 */
function openStaleSources(db: Db) {
  const find = db
    .prepare<[string], string>(
      `SELECT DISTINCT cards.id || ' ' || source FROM json_each(?) AS wanted
         JOIN cards ON cards.id = wanted.value
         JOIN price_sources ON price_sources.game_id IN (0, cards.game_id)
        WHERE stale_since IS NOT NULL`,
    )
    .pluck()
  return (alertRules: readonly AlertRule[]): Set<string> => {
    const cards = [...new Set(alertRules.map((rule) => rule.card_id))]
    return new Set(find.all(JSON.stringify(cards)))
  }
}

/** Returns the rules whose price is less reliable than they require. */
function openUnreliableRules(db: Db) {
  return (alertRules: readonly AlertRule[], today: number): Set<AlertRule> => {
    const demanding = alertRules.filter(({ min_confidence }) => min_confidence !== 'low')
    if (demanding.length === 0) return new Set()
    const known = openPriceFactStore(db, openRates(db))
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

/** Returns the mirror's price of each rule in cents; null if it is unknown. */
function openMirrorPrices(db: Db): (alertRules: readonly AlertRule[]) => (number | null)[] {
  const printings = openPrintingStore(db)
  // A rule is one number, the id of its series; printing 0 means the most expensive one. json_each keeps the order of
  // an array, so the prices are in the same order.
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

/** Opens the rates of one publication, during which no other rates are published. */
function openRates(db: Db) {
  return openExchangeRateStore(db, { onChange: () => {} })
}

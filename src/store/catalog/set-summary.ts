import { chainHistories, type SetValuePoint, type SumOrigin } from '#rules/pricing/set-value.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { Db } from '../db.ts'
import { type HistoryStore, seriesId } from './history/history.ts'
import type { PublicationStore } from './publication.ts'
import { createRecentCache } from './recent-cache.ts'
import type { PriceRow } from './schema/pricing.ts'

/** A name that cards of a set have, and their number. */
export type NamedCount = { name: string; cards: number }

/** Totals of the single cards of a set. */
export type SetFigures = {
  /** True if the total of any set is known without a sum of its prices. */
  hasTotals: boolean
  getTotal(id: number): SinglesTotal
  summarize(id: number): SetSummary
  /** Returns the value by day, ascending. */
  getHistory(id: number): SetValuePoint[]
}

/** Value of the single cards of a set. In a view, it states its currency. */
export type SinglesTotal = Partial<SumOrigin> & {
  cards: number
  /** Number of cards whose base printing has a known price. */
  priced: number
  /** Sum of those prices, in US dollars except in a view. */
  value: number
}

/** Value of a set, with its rarities and printings. */
export type SetSummary = SinglesTotal & {
  /** By number of cards, the most common first. */
  rarities: NamedCount[]
  printings: NamedCount[]
}

/** Prepares the total of a set by its id, as its publication has stored it. */
export function openSetTotal(db: Db): (set_id: number) => SinglesTotal {
  const total = db.prepare<[number], { cards: number; priced: number; value: number }>(
    `SELECT single_count AS cards, priced_count AS priced, value FROM sets WHERE id = +?`,
  )
  return (set_id) => {
    const { cards, priced, value } = total.get(set_id) ?? { cards: 0, priced: 0, value: 0 }
    return { cards, priced, value: toDollars(value) }
  }
}

/** Prepares the summary of a set by its id. */
export function openSetSummary(
  db: Db,
  getTotal: (set_id: number) => SinglesTotal,
): (set_id: number) => SetSummary {
  const inSet = `cards.set_id = +? AND cards.missing_since IS NULL AND product_type = 'Cards'`
  const rarities = db.prepare<[number], NamedCount>(
    `SELECT rarity AS name, count(*) AS cards FROM cards WHERE ${inSet} AND rarity IS NOT NULL
      GROUP BY rarity ORDER BY cards DESC, rarity`,
  )
  const printings = db.prepare<[number], NamedCount>(
    `SELECT printings.name, count(*) AS cards FROM cards
       JOIN prices ON card_id = cards.id JOIN printings ON printings.id = printing_id
      WHERE ${inSet} GROUP BY printings.id ORDER BY cards DESC, printings.name`,
  )
  return (set_id) => {
    const { cards, priced, value } = getTotal(set_id)
    return {
      cards,
      priced,
      value,
      rarities: rarities.all(set_id),
      printings: printings.all(set_id),
    }
  }
}

type SetHistoryStores = {
  history: HistoryStore
  publication: Pick<PublicationStore, 'onChange'>
  summarize(id: number): SetSummary
}

/**
 * Prepares the daily value of a set's single cards, from its summary and the histories of their base printings. It is
 * read once per publication, in a tenth of a millisecond per card.
 */
export function openSetHistory(
  db: Db,
  { history, publication, summarize }: SetHistoryStores,
): (set_id: number) => SetValuePoint[] {
  const tracked = db.prepare<[number], Pick<PriceRow, 'card_id' | 'printing_id'>>(
    `SELECT card_id, printing_id FROM cards
       JOIN prices ON card_id = cards.id AND is_base_printing = 1 AND tracked_since IS NOT NULL
      WHERE cards.set_id = +? AND cards.missing_since IS NULL AND product_type = 'Cards'`,
  )
  const read = createRecentCache(
    publication,
    (set_id) => {
      const histories = tracked
        .all(set_id)
        .map(({ card_id, printing_id }) => history.getPoints(seriesId(card_id, printing_id), 0))
      return chainHistories(histories, summarize(set_id))
    },
    SETS_MAX,
  )
  return (set_id) => read(set_id) ?? []
}

/** A set's year takes some 10 KB. */
const SETS_MAX = 500
